#pragma once

#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::bench {

// What executing a training graph (first output: the result, then the gradient of its sum with
// respect to every input) said.
struct GradientCheck {
  std::string fault;  // empty: all finite, the checked ones right
  std::size_t num_gradients = 0;
  std::size_t num_checked = 0;
  double max_error = 0;  // largest relative difference to a finite difference
};

// Checks the gradients of inputs of every kind and depth by the directional derivative along random
// signs. Errors: what the runtime answers.
Result<GradientCheck> CheckGradients(const ir::Model& model);

}  // namespace opass::bench
