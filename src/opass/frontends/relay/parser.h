#pragma once

#include <string>
#include <string_view>

#include "opass/frontends/relay/ast.h"
#include "opass/support/result.h"

namespace opass::frontends::relay {

// Parses a program in the Relay text format 0.0.5. Errors (kInvalidInput, reason "relay-syntax")
// say `where`, line and column: what is no Relay text, and what is but has no place in a straight
// line of operators (functions besides @main, if, match, closures, references).
// Expressions, types and attributes may nest 64 levels deep.
Result<Program> ParseProgram(std::string_view text, const std::string& where);

}  // namespace opass::frontends::relay
