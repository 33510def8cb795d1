#include "opass/passes/uses.h"

namespace opass::passes {
namespace {

// Calls `visit` for every value that the node reads, some of them several times.
template <typename Visit>
void ForEachRead(const ir::Node& node, Visit visit) {
  for (const ir::ValueId input : node.inputs) {
    if (input.valid()) visit(input);
  }
  ir::ForEachSubgraph(node, [&](const ir::Graph& subgraph) {
    for (const ir::Capture& capture : subgraph.captures) visit(capture.outer);
  });
}

}  // namespace

Uses::Uses(const ir::Graph& graph)
    : first_(graph.num_values() + 1),
      is_output_(graph.num_values()),
      position_(graph.num_nodes(), kNone) {
  for (const ir::ValueId output : graph.outputs) is_output_[output.index()] = true;
  // First the number of readers of each value, then its first place, then the readers.
  std::vector<ir::NodeId> last_reader(graph.num_values());
  const auto for_each_reader = [&](auto visit) {
    last_reader.assign(graph.num_values(), ir::NodeId());
    for (const ir::NodeId id : graph.order) {
      ForEachRead(graph.node(id), [&](ir::ValueId value) {
        if (last_reader[value.index()] == id) return;
        last_reader[value.index()] = id;
        visit(id, value);
      });
    }
  };
  for_each_reader([&](ir::NodeId, ir::ValueId value) { ++first_[value.index() + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  readers_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for_each_reader([&](ir::NodeId id, ir::ValueId value) { readers_[next[value.index()]++] = id; });
  for (std::size_t i = 0; i < graph.order.size(); ++i) {
    position_[graph.order[i].index()] = static_cast<std::uint32_t>(i);
  }
}

std::span<const ir::NodeId> Uses::Readers(ir::ValueId value) const {
  if (!value.valid()) return {};
  const std::uint32_t begin = first_[value.index()];
  return std::span(readers_).subspan(begin, first_[value.index() + 1] - begin);
}

ir::NodeId Uses::OnlyReader(ir::ValueId value) const {
  const auto readers = Readers(value);
  return !IsOutput(value) && readers.size() == 1 ? readers.front() : ir::NodeId();
}

}  // namespace opass::passes
