#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/passes/uses.h"
#include "opass/support/result.h"

namespace opass::passes {

// What a pass may change in the values that the model computes (docs/memory_model.md).
enum class Exactness {
  kExact,         // bit-equal
  kReassociates,  // rounding, within a documented bound
  kLossy,         // precision or approximation
};
std::string_view Name(Exactness exactness);  // "exact", ...

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

// One place where a pass can rewrite the graph at hand.
struct Site {
  ir::NodeId anchor;
  // Which of the pass's ways to rewrite here: a form, an operand, a number of parts.
  std::int64_t variant = 0;
  std::vector<ir::NodeId> nodes;  // all nodes that the rewrite concerns, the anchor among them
  std::string what;               // for the reader; may be empty: "HardSwish"
};

// A rewrite of the graph: either one function that does all there is to do (`run`), or one that
// says where it can be done and one that does it there (`find` and `apply`). Timing, verification,
// dumping and disabling are the runner's work (RunPass in action.h works for both kinds).
struct Pass {
  std::string_view name;  // of the file
  std::string_view summary;
  Exactness exactness = Exactness::kExact;
  Result<PassResult> (*run)(ir::Model& model, const PassOptions& options) = nullptr;
  // The sites of the main graph, in its order. `uses` is of the graph as it is.
  std::vector<Site> (*find)(const ir::Model& model, const Uses& uses) = nullptr;
  // Rewrites at a site of this graph or of one it came from: false, and the graph untouched, when
  // that is no longer legal. New values have types; values that keep their name keep their meaning.
  // Nodes that nobody reads any more are gone.
  Result<bool> (*apply)(ir::Model& model, const Uses& uses, const Site& site) = nullptr;
  // What keeps the pass from doing more here and what the user can do about it; may be null.
  std::vector<std::string> (*advise)(const ir::Model& model, const Uses& uses) = nullptr;
};

// All passes, by name.
std::span<const Pass* const> Passes();
const Pass* FindPass(std::string_view name);  // null: no such pass

}  // namespace opass::passes
