#include "opass/support/json.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass {
namespace {

constexpr int kMaxDepth = 64;

// How deep brackets nest outside of strings.
int Depth(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

Result<const Json*> Member(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object())
    return InvalidInput(fmt::format("expected an object with '{}'", key), where);
  const auto found = object.find(key);
  if (found == object.end()) return InvalidInput(fmt::format("key '{}' is missing", key), where);
  return &*found;
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const std::string& where) {
  // Told apart from parsing: the library's own callback for this costs quadratic time on arrays.
  if (Depth(text) > kMaxDepth) return InvalidInput("JSON nests too deeply", where);
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::exception& exception) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::string_view what = exception.what();
    const std::size_t end = what.find("] ");
    return InvalidInput(
        fmt::format("not valid JSON: {}", end == what.npos ? what : what.substr(end + 2)), where);
  }
}

Result<std::int64_t> JsonInt(const Json& object, const char* key, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json* member, Member(object, key, where));
  if (!member->is_number_integer() ||
      (member->is_number_unsigned() && member->get<std::uint64_t>() > INT64_MAX)) {
    return InvalidInput(fmt::format("key '{}' is not an integer", key), where);
  }
  return member->get<std::int64_t>();
}

Result<std::string> JsonString(const Json& object, const char* key, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json* member, Member(object, key, where));
  if (!member->is_string())
    return InvalidInput(fmt::format("key '{}' is not a string", key), where);
  return member->get<std::string>();
}

Result<bool> JsonBool(const Json& object, const char* key, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json* member, Member(object, key, where));
  if (!member->is_boolean())
    return InvalidInput(fmt::format("key '{}' is not a boolean", key), where);
  return member->get<bool>();
}

Result<const Json*> JsonArray(const Json& object, const char* key, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json* member, Member(object, key, where));
  if (!member->is_array()) return InvalidInput(fmt::format("key '{}' is not an array", key), where);
  return member;
}

}  // namespace opass
