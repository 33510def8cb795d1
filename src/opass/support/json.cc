#include "opass/support/json.h"

#include <fmt/format.h>

namespace opass {
namespace {

constexpr int kMaxDepth = 64;  // the recursion of the parser is bounded by this

Result<const Json*> Member(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object())
    return InvalidInput(fmt::format("expected an object with '{}'", key), where);
  const auto found = object.find(key);
  if (found == object.end()) return InvalidInput(fmt::format("key '{}' is missing", key), where);
  return &*found;
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const std::string& where) {
  bool too_deep = false;
  const auto callback = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kMaxDepth;
    return !too_deep;
  };
  try {
    Json value = Json::parse(text.begin(), text.end(), callback);
    if (too_deep) return InvalidInput("JSON nests too deeply", where);
    return value;
  } catch (const Json::exception& exception) {
    return InvalidInput(fmt::format("not valid JSON: {}", exception.what()), where);
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
