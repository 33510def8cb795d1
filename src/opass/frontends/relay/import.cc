#include "opass/frontends/relay/import.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "opass/frontends/relay/parser.h"
#include "opass/onnx/shape_inference.h"
#include "opass/support/file.h"

namespace opass::frontends {
namespace {

constexpr std::string_view kStart = "#[version";
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;

}  // namespace

bool IsRelayFile(const std::string& path) {
  if (path.ends_with(".relay")) return true;
  // No ONNX file begins so: the byte would open a group, which protobuf's third version has not.
  if (path == "-") return std::cin.peek() == kStart[0];
  std::ifstream stream(path, std::ios::binary);
  std::string start(kStart.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream.good() && start == kStart;
}

Result<relay::Conversion> ImportRelayText(std::string_view text, const std::string& where) {
  if (text.size() > kMaxTextBytes) {
    return WithReason(InvalidInput("a Relay text above 64 MiB", where), "too-large");
  }
  OPASS_ASSIGN_OR_RETURN(const relay::Program program, relay::ParseProgram(text, where));
  OPASS_ASSIGN_OR_RETURN(relay::Conversion conversion, relay::Convert(program, where));
  Status status = onnxlib::InferTypes(conversion.model);
  if (status.ok()) status = ir::Verify(conversion.model.graph);
  if (status.ok()) return conversion;
  status.error().where = fmt::format("{}: {}", where, status.error().where);
  return std::move(status.error());
}

Result<relay::Conversion> ImportRelay(const std::string& path) {
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  return ImportRelayText(text, path == "-" ? "standard input" : path);
}

}  // namespace opass::frontends
