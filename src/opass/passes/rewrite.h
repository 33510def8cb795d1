#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/passes/constants.h"
#include "opass/passes/pass.h"

// How passes change a graph.
namespace opass::passes {

// The operator of a new node.
struct Operation {
  std::string op_type;
  std::vector<ir::ValueId> inputs;
  std::vector<ir::Attribute> attributes = {};
};

// Inserts a node with one output before `position`; `wish` is close to the name of the output.
ir::ValueId InsertNode(ir::Graph& graph, ir::NodeId position, Operation operation, ir::Type type,
                       std::string_view wish);
// The node computes its outputs in another way from now on.
void SetOperation(ir::Graph& graph, ir::NodeId id, Operation operation);
// Sets one attribute, adding it where it is missing.
void SetAttribute(ir::Node& node, std::string_view name, decltype(ir::Attribute::value) value);
void RemoveAttribute(ir::Node& node, std::string_view name);

// The node (captures of its subgraphs included) reads `to` instead of `from`.
void ReplaceReads(ir::Node& node, ir::ValueId from, ir::ValueId to);

// Erases those of the nodes that nobody reads, then what only they read; and constants that nobody
// reads.
void EraseUnread(ir::Graph& graph, std::vector<ir::NodeId> nodes);

// The producers of the node's inputs.
std::vector<ir::NodeId> Producers(const ir::Graph& graph, ir::NodeId id);
// The live node that computes the value; null when none does.
const ir::Node* ProducerOf(const ir::Graph& graph, ir::ValueId id);
// The input at this position; invalid when it was left out.
ir::ValueId Input(const ir::Node& node, std::size_t position);

// The static dimensions of a value, or nothing.
std::optional<std::vector<std::int64_t>> DimsOf(const ir::Graph& graph, ir::ValueId id);
bool IsFloat32(const ir::Graph& graph, ir::ValueId id);
// Equal element type and static dimensions.
bool SameType(const ir::Graph& graph, ir::ValueId a, ir::ValueId b);

// An operator of ONNX's own domain with a first input and exactly one output.
bool HasOneResult(const ir::Node& node);

// find and apply of a pass whose sites are single nodes of variants 0 to N-1, both from one
// `Match(model, uses, node, variant) -> optional<M>`, where M has the members of a Site `nodes` and
// `what`; it is asked for nodes of which HasOneResult. So that a site is legal when it is applied
// exactly where it would be found.
template <auto Match, int num_variants = 1>
std::vector<Site> FindMatches(const ir::Model& model, const Uses& uses) {
  std::vector<Site> sites;
  for (const ir::NodeId id : model.graph.order) {
    if (!HasOneResult(model.graph.node(id))) continue;
    for (int variant = 0; variant < num_variants; ++variant) {
      if (auto match = Match(model, uses, id, variant)) {
        sites.push_back({id, variant, std::move(match->nodes), std::move(match->what)});
      }
    }
  }
  return sites;
}

template <auto Match, auto Rewrite>
Result<bool> ApplyMatch(ir::Model& model, const Uses& uses, const Site& site) {
  if (!uses.IsLive(site.anchor) || !HasOneResult(model.graph.node(site.anchor))) return false;
  const auto match = Match(model, uses, site.anchor, static_cast<int>(site.variant));
  if (!match) return false;
  Rewrite(model.graph, *match);
  return true;
}

}  // namespace opass::passes
