#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "opass/support/result.h"

namespace opass::bench {

// A Relay text as the papers' static metric counts it: what the result reaches after shapes became
// static and constants were folded, parameters, literals and results of operators, each once,
// booleans as bits. All in bits.
//
// ours = bits + unreached_bits - literal_bits + boolean_bits
struct Recount {
  std::int64_t bits = 0;
  std::int64_t literal_bits = 0;    // counted there, not here
  std::int64_t boolean_bits = 0;    // 7 of 8 of every boolean that is counted there
  std::int64_t unreached_bits = 0;  // counted here, not there
  // Of the graph's results, what operators compute, each once: no parameters, no constants, no
  // parts of tuples.
  std::int64_t result_bits = 0;
};

// Nothing where a size is not known: results that nobody may read, calls within calls.
Result<std::optional<Recount>> RecountText(const std::string& text, const std::string& where);

}  // namespace opass::bench
