#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace opass::bounds {

// A directed network with capacities and its maximum flow, by Dinic's algorithm (blocking flows in
// graphs layered by breadth-first search), without recursion. Node 0 is the source, node 1 the
// sink. `Clear` keeps the memory, so that thousands of small cuts cost no allocations.
//
// The network may grow while the flow is computed: the edges out of a node are asked for when the
// flow first comes near it. In a large network with a small cut most nodes are never made.
class FlowNetwork {
 public:
  using Node = std::uint32_t;
  class Grower {
   public:
    virtual ~Grower() = default;
    // Adds the edges out of `node`, and the nodes they lead to if they are new. Called once for
    // every node but source and sink.
    virtual void Grow(Node node) = 0;
  };
  static constexpr Node kSource = 0;
  static constexpr Node kSink = 1;
  // Capacity of an edge that no finite cut may hold. Finite capacities sum to less.
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 2;

  // Forgets all nodes but source and sink, and all edges.
  void Clear();
  Node AddNode();
  void AddEdge(Node from, Node to, std::int64_t capacity);

  std::size_t num_nodes() const { return first_.size(); }
  std::size_t num_edges() const { return edges_.size() / 2; }

  enum class Outcome {
    kMaximum,   // the flow is maximum: `OnSourceSide` tells the smallest minimum cut
    kOutOfWork  // `work` ran out first, or the user interrupts; the flow is still a lower bound of
                // every cut
  };
  // Raises the flow to the maximum. Takes one unit of `work` for each edge it looks at. Without a
  // grower the network is complete.
  Outcome Maximize(std::uint64_t& work, Grower* grower = nullptr);
  // After kMaximum: how much more would flow over one more edge of this capacity; nothing when
  // `work` runs out. The flow is as before then, but `OnSourceSide` tells of the network with the
  // edge, until the next call. An edge from the source, or to the sink, wider than what is asked
  // about, forces its other node to a side.
  std::optional<std::int64_t> FlowOver(Node from, Node to, std::int64_t capacity,
                                       std::uint64_t& work, Grower* grower = nullptr);
  std::int64_t flow() const { return flow_; }
  // Whether the node is on the source side of the minimum cut with the fewest nodes there. Valid
  // after kMaximum; nodes that were never made are not.
  bool OnSourceSide(Node node) const { return level_[node] != kUnreached; }

 private:
  using EdgeId = std::uint32_t;
  static constexpr EdgeId kNoEdge = std::numeric_limits<EdgeId>::max();
  static constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

  // Edge e ^ 1 is the reverse of edge e.
  struct Edge {
    Node to;
    EdgeId next;  // of the same tail
    std::int64_t residual;
  };

  bool Layer(std::uint64_t& work, Grower* grower);
  bool Block(std::uint64_t& work);
  void Augment();
  bool Leads(Node from, const Edge& edge) const {
    return edge.residual > 0 && level_[edge.to] == level_[from] + 1;
  }

  std::vector<EdgeId> first_;  // per node: its first edge
  std::vector<Edge> edges_;
  std::int64_t flow_ = 0;

  std::vector<bool> grown_;           // per node
  std::vector<std::uint32_t> level_;  // per node: layers from the source
  std::vector<EdgeId> current_;       // per node: the first edge not yet found useless
  std::vector<Node> queue_;
  std::vector<EdgeId> path_;

  struct Change {
    EdgeId edge;
    std::int64_t amount;
  };
  bool logging_ = false;
  std::vector<Change> log_;  // of the flow over an edge on trial
};

}  // namespace opass::bounds
