#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/opass.h"
#include "opass/support/result.h"

// The two checks behind the word "verified" (docs/verification.md), and what they measure.
namespace opass::proof {

// Kernels round differently below this alignment (measured: ReduceMean, Log).
inline constexpr std::int64_t kExecutableAlignment = 16;

// Outputs of a model in float16 may be off by this share of an output's largest magnitude. Measured
// on public networks: 3e-4 to 2e-3, 1.3e-2 on one with random weights.
inline constexpr double kHalfBound = 5e-2;

// What each kernel takes beside its outputs.
struct Scratch {
  std::vector<std::int64_t> bytes;  // by ir::NodeId of the outcome's model
  std::string reason;               // why nothing could be measured; empty: it was
};

// Executes the outcome's plan once on the options' test inputs.
Result<Scratch> MeasureScratch(const Outcome& outcome, const Options& options);

// Executes `plan` (of `outcome.model`) in its arena against the same nodes in memory of their own,
// then the model against the original, on options.num_runs inputs; fills the outcome's
// verification. Error: kInternal when something differs, naming the pass to blame; kRefused when a
// lossy pass changed outputs by more than kHalfBound.
Status Verify(Outcome& outcome, const analysis::PosedProblem& posed, const memory::Plan& plan,
              const Options& options);

}  // namespace opass::proof
