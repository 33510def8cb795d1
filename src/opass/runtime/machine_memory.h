#pragma once

#include <cstdint>
#include <string>

#include "opass/support/result.h"

namespace opass::runtime {

// Refuses to ask for more than half of this machine's memory: the system often promises more than
// it has, and ends the program when the promise is called in; and what is executed is held about
// twice. `what` begins the message: "an arena". Error: kNotPossible, "no-memory".
Status CheckFitsInMemory(std::int64_t size_bytes, const std::string& what);

}  // namespace opass::runtime
