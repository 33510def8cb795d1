#pragma once

#include <cstdint>
#include <string>

#include "opass/bench/rebench_expected.h"
#include "opass/ir/tensor.h"

namespace opass::bench {

// An output beside TVM's.
struct OutputComparison {
  std::string fault;           // empty: equal within the tolerance
  double max_error = 0;        // largest difference, as a part of the largest magnitude
  std::int64_t num_steps = 0;  // elements of 8-bit integers that differ by one
  bool is_whole = false;       // every element was compared, not a sample
};

// Within the tolerances of the reference data: float32 |a-b| <= 1e-5 absmax + 1e-4 |b|, 16-bit
// floats two units in the last place, integers equal, 8-bit ones within one (a quotient that lies
// on a tie). Of an output that is not stored, the known elements, the mean and the length.
OutputComparison CompareOutput(const ExpectedOutput& expected, const ir::Tensor& actual);

// The mean and the length (square root of the sum of squares) of all elements.
struct Moments {
  double mean = 0;
  double l2 = 0;
};
Moments MomentsOf(const ir::Tensor& tensor);
// Equal as far as sums of rounded numbers are.
bool AreClose(const Moments& expected, const Moments& actual, std::int64_t num_elements);

}  // namespace opass::bench
