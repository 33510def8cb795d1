#pragma once

#include <string>
#include <string_view>

#include "opass/memory/problem.h"
#include "opass/support/result.h"

// The Problem as a file: docs/formats.md, "opass-problem" version 1.
namespace opass::memory {

// The same problem, the same bytes. Names that are not UTF-8 are written with replacement
// characters. Ends with a newline.
std::string ProblemToJson(const Problem& problem);

// `where` names the file in errors. The problem is valid.
Result<Problem> ParseProblem(std::string_view text, const std::string& where);

}  // namespace opass::memory
