#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::passes {

// What a pass may change in the values that the model computes (docs/memory_model.md).
enum class Exactness {
  kExact,         // bit-equal
  kReassociates,  // rounding, within a documented bound
  kLossy,         // precision or approximation
};

struct PassOptions {
  // fold_constants: how many bytes of stored weights may be added beyond what folding removes.
  std::int64_t fold_growth_bytes = 0;
  // fold_constants: also fold the one group with the largest result, whatever it stores.
  bool fold_largest_group = false;
};

struct PassResult {
  int num_changes = 0;             // 0: the graph is as it was
  std::vector<std::string> notes;  // for the report
};

// A rewrite of the graph. Timing, verification, dumping and disabling are the runner's work.
struct Pass {
  std::string_view name;  // of the file
  std::string_view summary;
  Exactness exactness = Exactness::kExact;
  Result<PassResult> (*run)(ir::Model& model, const PassOptions& options);
};

// All passes, by name.
std::span<const Pass* const> Passes();
const Pass* FindPass(std::string_view name);  // null: no such pass

}  // namespace opass::passes
