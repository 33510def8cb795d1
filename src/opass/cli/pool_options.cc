#include "opass/cli/pool_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::cli {
namespace {

using allocators::ByteRange;
using allocators::Pool;

Result<std::int64_t> Bytes(const std::string& text, const std::string& option) {
  Result<std::int64_t> bytes = ParseBytes(text);
  if (bytes.ok()) return bytes;
  return InvalidInput(bytes.error().message, option, bytes.error().hint);
}

Result<ByteRange> ParseRange(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return InvalidInput(fmt::format("'{}' is not BEGIN:END", text), "--forbid",
                        "4096:8192 or fast=4096:8192");
  }
  OPASS_ASSIGN_OR_RETURN(const std::int64_t begin, Bytes(text.substr(0, colon), "--forbid"));
  OPASS_ASSIGN_OR_RETURN(const std::int64_t end, Bytes(text.substr(colon + 1), "--forbid"));
  if (begin >= end) return InvalidInput(fmt::format("'{}' is empty", text), "--forbid");
  return ByteRange{begin, end};
}

}  // namespace

Result<std::vector<Pool>> ParsePools(const std::vector<std::string>& pools,
                                     const std::vector<std::string>& forbidden) {
  std::vector<Pool> made;
  const auto find = [&](const std::string& name) {
    return std::find_if(made.begin(), made.end(),
                        [&](const Pool& pool) { return pool.name == name; });
  };
  for (const std::string& text : pools) {
    const std::size_t equals = text.find('=');
    Pool pool{text.substr(0, equals)};
    if (pool.name.empty()) {
      return InvalidInput(fmt::format("'{}' has no name", text), "--pool", "fast=1MiB");
    }
    if (find(pool.name) != made.end()) {
      return InvalidInput(fmt::format("pool '{}' twice", pool.name), "--pool");
    }
    if (equals != std::string::npos) {
      OPASS_ASSIGN_OR_RETURN(pool.capacity_bytes, Bytes(text.substr(equals + 1), "--pool"));
    }
    made.push_back(std::move(pool));
  }
  for (const std::string& text : forbidden) {
    const std::size_t equals = text.find('=');
    const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
    OPASS_ASSIGN_OR_RETURN(const ByteRange range,
                           ParseRange(text.substr(equals == std::string::npos ? 0 : equals + 1)));
    if (find(name) == made.end()) made.push_back({name});
    find(name)->forbidden.push_back(range);
  }
  return made;
}

}  // namespace opass::cli
