#include "opass/memory/testing/num_cases.h"

#include <cstdlib>

namespace opass::memory::testing {

std::uint64_t NumCases(std::uint64_t usual, std::uint64_t nightly) {
  return std::getenv("OPASS_NIGHTLY") == nullptr ? usual : nightly;
}

}  // namespace opass::memory::testing
