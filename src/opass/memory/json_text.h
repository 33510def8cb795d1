#pragma once

#include <string>

#include "opass/memory/problem.h"
#include "opass/support/json.h"

// Shared by the JSON forms of this folder; not for others (support/json.h is).
namespace opass::memory {

// One key of `object` a line, and one element a line of its non-empty arrays, also of an object in
// it that has arrays of objects: diffs stay readable.
std::string DumpByLine(const Json& object);

// Refuses a document that is not an object of this format in version 1.
Status CheckFormat(const Json& document, const char* format, const std::string& where);

}  // namespace opass::memory
