#pragma once

#include <string>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

namespace opass::emitters {

// A C header (C99 and C++) for people who write their own runtime: the size and alignment of the
// arena, a struct per value with offset, size and steps, the order of the operators, and a constant
// for the index of each value. `model_name` goes into the comment and, made an identifier, into the
// prefix of every name. Values outside the arena have no buffer;
// their names are listed apart.
std::string CHeader(const memory::Problem& problem, const memory::Plan& plan,
                    const std::string& model_name);

}  // namespace opass::emitters
