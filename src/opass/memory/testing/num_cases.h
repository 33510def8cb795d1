#pragma once

#include <cstdint>

namespace opass::memory::testing {

// How many random cases a test runs: `nightly` when the variable OPASS_NIGHTLY is set (make
// nightly), else `usual`.
std::uint64_t NumCases(std::uint64_t usual, std::uint64_t nightly);

}  // namespace opass::memory::testing
