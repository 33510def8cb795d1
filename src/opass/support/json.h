#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "opass/support/result.h"

namespace opass {

// Keys keep the order in which they were written, so that output is stable.
using Json = nlohmann::ordered_json;

// Parses one JSON text with a nesting limit; errors name the byte. `where` is the file.
Result<Json> ParseJson(std::string_view text, const std::string& where);

// Typed access that answers a wrong document with an Error naming the key instead of an exception.
Result<std::int64_t> JsonInt(const Json& object, const char* key, const std::string& where);
Result<std::string> JsonString(const Json& object, const char* key, const std::string& where);
Result<bool> JsonBool(const Json& object, const char* key, const std::string& where);
Result<const Json*> JsonArray(const Json& object, const char* key, const std::string& where);

}  // namespace opass
