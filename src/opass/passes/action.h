#pragma once

#include <string>
#include <vector>

#include "opass/passes/pass.h"

namespace opass::passes {

// One step of a search: a pass at one site, or at all sites that look alike ("macro": identical
// layers hold the same peak, so that one of them alone gains nothing). A pass without sites is one
// action.
struct Action {
  const Pass* pass = nullptr;
  std::vector<Site> sites;  // empty: the whole pass
  // "fuse_activations: HardSwish at Mul_12", "fold_pad_into_conv at 8 sites like Conv_3"
  std::string name;
};

// What a rewrite at this site depends on but names: operators, attributes, types, connections
// inside, and the variant. Sites of equal signature make one macro.
std::string Signature(const ir::Graph& graph, const Site& site);

// "fold_pad_into_conv at 8 sites like Conv_3"; at least one site.
std::string ActionName(const ir::Graph& graph, const Pass& pass, const std::vector<Site>& sites);

// The pass's actions on this graph: its macros first (largest first), then its sites, in order.
std::vector<Action> Propose(const ir::Model& model, const Uses& uses, const Pass& pass);

// Applies the action; the graph is verified afterwards. How many of its sites were rewritten: 0,
// and the graph as it was, when none is legal any more. Errors: of the pass; kInternal, naming the
// action, for a graph that it broke.
Result<int> Apply(ir::Model& model, const Action& action);

// All that the pass can do: all sites, again and again until there is none.
Result<PassResult> RunPass(const Pass& pass, ir::Model& model, const PassOptions& options);

}  // namespace opass::passes
