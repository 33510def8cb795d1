#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/runtime/compare.h"
#include "opass/runtime/inputs.h"
#include "opass/support/result.h"

namespace opass::runtime {

inline constexpr double kMaxFlipRate = 0.05;

struct VerifyOptions {
  // True: the models must agree bit by bit. False: within WithinReassociation, and what rounding
  // may flip (jumps.h) may differ in kMaxFlipRate of its elements, or in one, if the values before
  // it are within the bound; then the values behind it are not judged.
  bool exact = true;
  // With `exact` false: the bound of floats instead of WithinReassociation's, as a share of the
  // tensor's largest magnitude, for models of fewer bits.
  std::optional<double> within = std::nullopt;
  // Compare inner values that both models compute under one name as well, on the first run. Where
  // outputs are constant or saturated, the values before them are compared in any case.
  bool inner_values = false;
  InputOptions inputs;  // the first seed; later runs take the seeds after it
  int num_runs = 2;
  int threads = 1;
};

// Elements of a discontinuous operator's result that came out otherwise, in the runs where some
// did.
struct Flips {
  std::string value;
  std::int64_t num_different = 0;
  std::int64_t num_elements = 0;
};

// What the comparison of two models says.
struct Verdict {
  std::optional<bool> verified;  // nothing: it could not be found out
  std::string reason;            // a slug of docs/errors.md when `verified` is not true
  std::string message;           // the same in a sentence
  std::optional<double> max_abs_error;
  std::optional<double> max_rel_error;
  // The largest error of a tensor over its largest magnitude (LeastMagnitude at least).
  std::optional<double> max_scaled_error;
  std::string worst_tensor;  // where the largest error is, empty when there is none
  std::int64_t worst_index = 0;
  std::int64_t num_tensors = 0;    // compared, over all runs
  std::vector<Flips> flips;        // only those that flipped
  std::vector<std::string> notes;  // outputs whose agreement says nothing, values left out
};

// Runs both models whole in ONNX Runtime, without optimization or prepacking, on the same inputs,
// and compares every value they have in common. Models that use float16 or bfloat16 run node by
// node (NodeByNode). Verdicts without an answer: a missing kernel, random operators, inputs that
// cannot be made up. A candidate that does not run where the original does is not verified.
Result<Verdict> VerifyModels(const ir::Model& original, const ir::Model& candidate,
                             const VerifyOptions& options);

}  // namespace opass::runtime
