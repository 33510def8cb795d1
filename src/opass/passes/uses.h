#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::passes {

// Who reads what in a graph as it stands, in two flat arrays: made anew after every change. A value
// that was left out (an invalid id) has no readers.
class Uses {
 public:
  explicit Uses(const ir::Graph& graph);

  // The nodes that read the value (captures of their subgraphs included), in order, each once.
  std::span<const ir::NodeId> Readers(ir::ValueId value) const;
  bool IsOutput(ir::ValueId value) const { return value.valid() && is_output_[value.index()]; }
  bool IsRead(ir::ValueId value) const { return IsOutput(value) || !Readers(value).empty(); }
  // The reader when there is exactly one and the value is no graph output; else invalid.
  ir::NodeId OnlyReader(ir::ValueId value) const;

  // Is the node in the graph's order?
  bool IsLive(ir::NodeId node) const {
    return node.valid() && node.index() < position_.size() && position_[node.index()] != kNone;
  }
  // Of a live node, in the order.
  std::size_t Position(ir::NodeId node) const { return position_[node.index()]; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> first_;  // by value: where its readers begin in readers_
  std::vector<ir::NodeId> readers_;
  std::vector<bool> is_output_;
  std::vector<std::uint32_t> position_;
};

}  // namespace opass::passes
