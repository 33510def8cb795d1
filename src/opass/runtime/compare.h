#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/ir/tensor.h"

namespace opass::runtime {

// How far two tensors of one name are from each other.
struct TensorComparison {
  std::string name;
  bool same_type = false;  // element type and dimensions; when false, `mismatch` says what differs
  std::string mismatch;
  bool bit_equal = false;        // every bit, except that any NaN equals any NaN
  double max_abs_error = 0;      // infinite where only one side is a NaN, or an infinity differs
  double max_rel_error = 0;      // relative to the first tensor's element
  std::int64_t worst_index = 0;  // flat, of the largest absolute error
  double largest = 0;            // the largest finite magnitude in the first tensor
  std::int64_t num_elements = 0;
  std::int64_t num_different = 0;  // elements that are not the same number
  // When agreement says nothing, why: "constant", or "saturated" (only zeros and ones, as after a
  // Sigmoid or Softmax of large numbers). Empty otherwise.
  std::string says_nothing;
};

TensorComparison CompareTensors(std::string name, const ir::Tensor& a, const ir::Tensor& b);

// All of them together.
struct Comparison {
  std::vector<TensorComparison> tensors;

  bool same_types() const;
  bool bit_equal() const;
  // The tensor with the largest absolute error, or with a mismatch; null when there are none.
  const TensorComparison* worst() const;
  double max_abs_error() const;
  double max_rel_error() const;
};

// The bound for a pass that reassociates (docs/verification.md): every element of a float tensor
// within 1e-4 (float16: 1e-2, bfloat16: 5e-2) of the tensor's largest magnitude, 8-bit integers
// within one step, all others equal.
// `least_magnitude`: what the largest magnitude counts as at least, for functions that have a scale
// of their own: a Sigmoid of very negative numbers is all but 0, and rounding before it multiplies
// it.
bool WithinReassociation(const TensorComparison& comparison, ir::DataType type,
                         double least_magnitude = 0);

}  // namespace opass::runtime
