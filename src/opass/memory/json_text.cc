#include "opass/memory/json_text.h"

#include <fmt/format.h>

namespace opass::memory {
namespace {

constexpr std::int64_t kVersion = 1;

std::string Dump(const Json& value) {
  // Names come from models and need not be UTF-8; the strict handler would throw.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string DumpByLine(const Json& object) {
  std::string text = "{";
  const char* separator = "\n";
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{} {}: ", separator, Dump(Json(key)));
    separator = ",\n";
    if (!value.is_array() || value.empty()) {
      text += Dump(value);
      continue;
    }
    const char* opening = "[\n  ";
    for (const Json& element : value) {
      text += opening + Dump(element);
      opening = ",\n  ";
    }
    text += "]";
  }
  return text + "\n}\n";
}

Status CheckFormat(const Json& document, const char* format, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const std::string found, JsonString(document, "format", where));
  if (found != format) {
    return InvalidInput(fmt::format("its format is '{}', not '{}'", found, format), where);
  }
  OPASS_ASSIGN_OR_RETURN(const std::int64_t version, JsonInt(document, "version", where));
  if (version != kVersion) {
    return InvalidInput(fmt::format("version {} of {} is not known", version, format), where,
                        fmt::format("this program reads version {}", kVersion));
  }
  return {};
}

}  // namespace opass::memory
