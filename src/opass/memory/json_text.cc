#include "opass/memory/json_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::memory {
namespace {

constexpr std::int64_t kVersion = 1;

std::string Dump(const Json& value) {
  // Names come from models and need not be UTF-8; the strict handler would throw.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool HoldsObjects(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

std::string DumpByLine(const Json& object, const std::string& indent) {
  std::string text = "{";
  std::string separator = "\n";
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}{} {}: ", separator, indent, Dump(Json(key)));
    separator = ",\n";
    if (value.is_object() && std::any_of(value.begin(), value.end(), HoldsObjects)) {
      text += DumpByLine(value, indent + " ");
    } else if (!value.is_array() || value.empty() || (!indent.empty() && !HoldsObjects(value))) {
      text += Dump(value);
    } else {
      std::string opening = "[\n  " + indent;
      for (const Json& element : value) {
        text += opening + Dump(element);
        opening = ",\n  " + indent;
      }
      text += "]";
    }
  }
  return text + (indent.empty() ? "\n}" : "}");
}

}  // namespace

std::string DumpByLine(const Json& object) { return DumpByLine(object, "") + "\n"; }

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
