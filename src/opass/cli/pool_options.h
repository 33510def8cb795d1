#pragma once

#include <string>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::cli {

// The pools of `--pool NAME` or `NAME=CAPACITY` and `--forbid BEGIN:END` or `NAME=BEGIN:END`, sizes
// as ParseBytes reads them. A range without a name is one of the only pool. Error (kInvalidInput):
// what reads otherwise.
Result<std::vector<allocators::Pool>> ParsePools(const std::vector<std::string>& pools,
                                                 const std::vector<std::string>& forbidden);

}  // namespace opass::cli
