#include "opass/passes/fold_groups.h"

#include <algorithm>
#include <numeric>

namespace opass::passes {

std::vector<std::vector<ir::NodeId>> GroupByValues(const ir::Graph& graph,
                                                   const std::vector<ir::NodeId>& nodes) {
  std::vector<std::size_t> parent(nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<std::size_t> toucher(graph.num_values(), SIZE_MAX);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto touch = [&](ir::ValueId value) {
      if (!value.valid()) return;
      std::size_t& first = toucher[value.index()];
      if (first == SIZE_MAX) first = i;
      const std::size_t a = root(first);
      const std::size_t b = root(i);
      parent[std::max(a, b)] = std::min(a, b);
    };
    for (const ir::ValueId input : graph.node(nodes[i]).inputs) touch(input);
    for (const ir::ValueId output : graph.node(nodes[i]).outputs) touch(output);
  }
  std::vector<std::vector<ir::NodeId>> by_root(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) by_root[root(i)].push_back(nodes[i]);
  std::erase_if(by_root, [](const auto& group) { return group.empty(); });
  return by_root;
}

FoldEffect EffectOf(const ir::Graph& graph, const std::vector<ir::NodeId>& group,
                    const std::vector<std::vector<ir::NodeId>>& readers,
                    const std::vector<bool>& is_output) {
  std::vector<bool> in_group(graph.num_nodes());
  for (const ir::NodeId id : group) in_group[id.index()] = true;
  const auto is_read_outside = [&](ir::ValueId value) {
    return is_output[value.index()] ||
           std::ranges::any_of(readers[value.index()],
                               [&](ir::NodeId reader) { return !in_group[reader.index()]; });
  };
  FoldEffect effect;
  std::vector<ir::ValueId> vanishing;
  for (const ir::NodeId id : group) {
    for (const ir::ValueId output : graph.node(id).outputs) {
      if (!output.valid() || !is_read_outside(output)) continue;
      effect.results.push_back(output);
      effect.growth_bytes += graph.value(output).type.SizeBytes().value_or(0);
    }
    for (const ir::ValueId input : graph.node(id).inputs) {
      if (input.valid() && IsFixed(graph, input) && !is_read_outside(input)) {
        vanishing.push_back(input);
      }
    }
  }
  std::ranges::sort(vanishing);
  const auto repeated = std::ranges::unique(vanishing);
  vanishing.erase(repeated.begin(), repeated.end());
  for (const ir::ValueId value : vanishing) {
    effect.growth_bytes -= static_cast<std::int64_t>(graph.value(value).constant->bytes.size());
  }
  return effect;
}

}  // namespace opass::passes
