#include "opass/allocators/resolve_pools.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace opass::allocators {
namespace {

Result<std::vector<ByteRange>> MergeForbidden(const Pool& pool) {
  std::vector<ByteRange> ranges = pool.forbidden;
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges) {
    if (range.begin < 0 || range.begin >= range.end || range.end > kMostPlacedBytes) {
      return InvalidInput(fmt::format("forbidden range {}:{} is empty or not from 0 to 2^60",
                                      range.begin, range.end),
                          pool.name);
    }
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

class Resolver {
 public:
  explicit Resolver(const BufferList& list) : list_(list) {}

  Result<ResolvedList> Resolve() {
    for (const Pool& pool : list_.pools) OPASS_RETURN_IF_ERROR(AddPool(pool));
    for (const ListedBuffer& buffer : list_.buffers) {
      if (const Status status = ValidateBuffer(buffer); !status.ok()) {
        return InvalidInput(status.error().message, buffer.name);
      }
      if (!buffer.pool.empty() && !numbers_.contains(buffer.pool)) {
        OPASS_RETURN_IF_ERROR(AddPool({buffer.pool}));
      }
    }
    if (numbers_.empty()) OPASS_RETURN_IF_ERROR(AddPool({""}));
    if (numbers_.contains("") && numbers_.size() > 1) {
      return InvalidInput("a pool without a name beside named ones");
    }
    for (std::size_t i = 0; i < list_.buffers.size(); ++i) OPASS_RETURN_IF_ERROR(AddBuffer(i));
    if (made_.pools.size() == 1) {
      for (Unit& unit : made_.units) unit.pool = 0;
    }
    return std::move(made_);
  }

 private:
  Status AddPool(const Pool& pool) {
    if (!numbers_.try_emplace(pool.name, made_.pools.size()).second) {
      return InvalidInput(fmt::format("pool '{}' twice", pool.name));
    }
    if (pool.capacity_bytes.value_or(0) < 0) return InvalidInput("capacity is negative", pool.name);
    made_.pools.push_back(pool);
    OPASS_ASSIGN_OR_RETURN(made_.pools.back().forbidden, MergeForbidden(pool));
    return {};
  }

  Status AddBuffer(std::size_t number) {
    const ListedBuffer& buffer = list_.buffers[number];
    std::size_t unit = made_.units.size();
    if (!buffer.group.empty()) unit = groups_.try_emplace(buffer.group, unit).first->second;
    if (unit == made_.units.size()) made_.units.emplace_back();
    made_.units[unit].buffers.push_back(number);
    if (buffer.pool.empty()) return {};
    std::size_t& pool = made_.units[unit].pool;
    const std::size_t named = numbers_.find(buffer.pool)->second;
    if (pool != kAnyPool && pool != named) {
      return InvalidInput(fmt::format("group '{}' is in two pools", buffer.group), buffer.name);
    }
    pool = named;
    return {};
  }

  const BufferList& list_;
  ResolvedList made_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of pools, by name
  std::map<std::string_view, std::size_t> groups_;           // their units
};

}  // namespace

Result<ResolvedList> ResolvePools(const BufferList& list) { return Resolver(list).Resolve(); }

}  // namespace opass::allocators
