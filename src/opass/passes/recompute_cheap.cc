// recompute_cheap: a chain of cheap operators is computed again for late readers, so that its
// result need not stay alive until then (rematerialization).
//
//   s = Relu(x); r = Resize(s); a = f(r); ...; b = g(a, r)
//     ->   s = Relu(x); r = Resize(s); a = f(r); ...; s2 = Relu(x); r2 = Resize(s2); b = g(a, r2)
//
// Variant k: the readers from the k-th on (in the graph's order, from 0) read the copy. Legal:
// at most 4 deterministic operators without convolution, product or subgraph (cheap_ops.h). The
// chain is as long as that makes what it reads smaller; what it reads must need fewer bytes than
// its result, not counting constants and what a late reader, or a later node, reads anyway. Exact.
#include <algorithm>

#include "opass/passes/cheap_ops.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

constexpr std::size_t kMaxDepth = 4;
// Copies for the readers from every position on would be quadratic.
constexpr std::size_t kMaxVariants = 8;

// More than any value has; few enough values are read that their sum fits.
constexpr std::int64_t kUnknownBytes = std::int64_t{1} << 50;

struct Match {
  std::vector<ir::NodeId> nodes;  // the chain, its last node first
  std::vector<ir::NodeId> late;   // the readers of the copy
};

// Bytes that the chain keeps alive for a copy before `position`.
std::int64_t SourceBytes(const ir::Graph& graph, const Uses& uses,
                         const std::vector<ir::NodeId>& chain, std::size_t position) {
  std::int64_t bytes = 0;
  std::vector<ir::ValueId> seen;
  for (const ir::NodeId id : chain) {
    for (const ir::ValueId input : graph.Reads(id)) {
      const ir::Value& value = graph.value(input);
      const bool is_inside = std::ranges::find(chain, value.producer) != chain.end();
      if (is_inside || value.constant != nullptr) continue;
      if (std::ranges::find(seen, input) != seen.end()) continue;
      seen.push_back(input);
      const auto readers = uses.Readers(input);
      const bool is_live_anyway =
          uses.IsOutput(input) || (!readers.empty() && uses.Position(readers.back()) >= position);
      if (!is_live_anyway) bytes += value.type.SizeBytes().value_or(kUnknownBytes);
    }
  }
  return bytes;
}

// The chain of 1 to 4 nodes that reads least; longer ones take the producer of what the last one
// reads, while that is a single cheap value.
std::vector<ir::NodeId> BestChain(const ir::Graph& graph, const Uses& uses, ir::NodeId id,
                                  std::size_t position) {
  std::vector<ir::NodeId> chain = {id};
  std::vector<ir::NodeId> best = chain;
  std::int64_t least = SourceBytes(graph, uses, chain, position);
  while (chain.size() < kMaxDepth) {
    std::vector<ir::NodeId> next;
    for (const ir::NodeId producer : Producers(graph, chain.back())) {
      if (std::ranges::find(chain, producer) == chain.end()) next.push_back(producer);
    }
    if (next.size() != 1 || !IsCheap(graph.node(next[0]))) break;
    chain.push_back(next[0]);
    const std::int64_t bytes = SourceBytes(graph, uses, chain, position);
    if (bytes >= least) continue;
    least = bytes;
    best = chain;
  }
  return best;
}

std::optional<Match> MatchAt(const ir::Graph& graph, const Uses& uses, ir::NodeId id,
                             std::int64_t variant) {
  if (!HasOneResult(graph.node(id)) || !IsCheap(graph.node(id))) return std::nullopt;
  const ir::ValueId value = graph.node(id).outputs[0];
  const auto readers = uses.Readers(value);
  const auto size = graph.value(value).type.SizeBytes();
  // An output is alive at the end whatever is copied.
  if (!size || uses.IsOutput(value) || variant < 1 ||
      variant >= static_cast<std::int64_t>(readers.size())) {
    return std::nullopt;
  }
  Match match;
  match.late.assign(readers.begin() + variant, readers.end());
  const std::size_t position = uses.Position(match.late.front());
  match.nodes = BestChain(graph, uses, id, position);
  if (SourceBytes(graph, uses, match.nodes, position) >= *size) return std::nullopt;
  return match;
}

std::vector<Site> Find(const ir::Model& model, const Uses& uses) {
  std::vector<Site> sites;
  for (const ir::NodeId id : model.graph.order) {
    if (!HasOneResult(model.graph.node(id))) continue;
    const std::size_t num_readers = uses.Readers(model.graph.node(id).outputs[0]).size();
    for (std::size_t i = 1; i < std::min(num_readers, kMaxVariants + 1); ++i) {
      const auto variant = static_cast<std::int64_t>(i);
      if (const auto match = MatchAt(model.graph, uses, id, variant)) {
        sites.push_back({id, variant, match->nodes, model.graph.node(id).op_type});
      }
    }
  }
  return sites;
}

Result<bool> Apply(ir::Model& model, const Uses& uses, const Site& site) {
  ir::Graph& graph = model.graph;
  if (!uses.IsLive(site.anchor)) return false;
  const auto match = MatchAt(graph, uses, site.anchor, site.variant);
  if (!match) return false;
  const ir::ValueId original = graph.node(site.anchor).outputs[0];
  std::vector<std::pair<ir::ValueId, ir::ValueId>> copies;  // from, to
  for (auto id = match->nodes.rbegin(); id != match->nodes.rend(); ++id) {
    const ir::Node node = graph.node(*id);
    Operation operation{node.op_type, node.inputs, node.attributes};
    for (const auto& [from, to] : copies) std::ranges::replace(operation.inputs, from, to);
    const ir::Type type = graph.value(node.outputs[0]).type;
    const std::string wish = graph.value(node.outputs[0]).name;
    copies.emplace_back(node.outputs[0],
                        InsertNode(graph, match->late.front(), std::move(operation), type, wish));
  }
  for (const ir::NodeId reader : match->late) {
    ReplaceReads(graph.node(reader), original, copies.back().second);
  }
  return true;
}

}  // namespace

extern const Pass recompute_cheap;
const Pass recompute_cheap = {
    .name = "recompute_cheap",
    .summary = "computes a chain of cheap operators again for late readers",
    .exactness = Exactness::kExact,
    .find = Find,
    .apply = Apply,
};

}  // namespace opass::passes
