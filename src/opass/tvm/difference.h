#pragma once

#include <vector>

#include "opass/support/result.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

struct Difference {
  bool is_bit_equal = true;
  double max_absolute = 0;  // of elements; infinite where one is a number and the other is not
  double largest = 0;       // of the absolute values in `a`
};

// Of the outputs of two runs on the same inputs. Error (kRefused): other shapes or types.
Result<Difference> Compare(const std::vector<Tensor>& a, const std::vector<Tensor>& b);

}  // namespace opass::tvm
