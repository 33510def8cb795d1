#include "opass/bounds/flow_network.h"

#include <algorithm>

#include "opass/support/interrupt.h"

namespace opass::bounds {
namespace {

// Takes `amount` units; false, leaving none, when fewer are left.
bool Spend(std::uint64_t& work, std::uint64_t amount) {
  if (work < amount) {
    work = 0;
    return false;
  }
  work -= amount;
  return true;
}

}  // namespace

void FlowNetwork::Clear() {
  first_.assign(2, kNoEdge);
  grown_.assign(2, true);
  edges_.clear();
  flow_ = 0;
}

FlowNetwork::Node FlowNetwork::AddNode() {
  first_.push_back(kNoEdge);
  grown_.push_back(false);
  return static_cast<Node>(first_.size() - 1);
}

void FlowNetwork::AddEdge(Node from, Node to, std::int64_t capacity) {
  edges_.push_back({to, first_[from], capacity});
  first_[from] = static_cast<EdgeId>(edges_.size() - 1);
  edges_.push_back({from, first_[to], 0});
  first_[to] = static_cast<EdgeId>(edges_.size() - 1);
}

FlowNetwork::Outcome FlowNetwork::Maximize(std::uint64_t& work, Grower* grower) {
  while (Layer(work, grower)) {
    if (Interrupted()) work = 0;
    if (!Block(work)) return Outcome::kOutOfWork;
  }
  return work == 0 ? Outcome::kOutOfWork : Outcome::kMaximum;
}

std::optional<std::int64_t> FlowNetwork::FlowOver(Node from, Node to, std::int64_t capacity,
                                                  std::uint64_t& work, Grower* grower) {
  const std::int64_t before = flow_;
  const auto trial = static_cast<EdgeId>(edges_.size());
  AddEdge(from, to, capacity);
  log_.clear();
  logging_ = true;
  const Outcome outcome = Maximize(work, grower);
  logging_ = false;
  const std::int64_t more = flow_ - before;
  flow_ = before;
  for (const auto& [edge, amount] : log_) {
    edges_[edge].residual += amount;
    edges_[edge ^ 1].residual -= amount;
  }
  edges_[trial].residual = 0;  // full for good: nodes that grew after it keep their place
  if (outcome == Outcome::kOutOfWork) return std::nullopt;
  return more;
}

// Distances from the source over edges with capacity left; true when the sink is reached. Then
// nothing beyond the sink's layer is looked at; else all reachable nodes have their level, which
// makes the last call the minimum cut.
bool FlowNetwork::Layer(std::uint64_t& work, Grower* grower) {
  level_.assign(num_nodes(), kUnreached);
  queue_.assign(1, kSource);
  level_[kSource] = 0;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const Node node = queue_[head];
    if (level_[node] >= level_[kSink]) return true;  // kUnreached is the highest
    if (grower != nullptr && !grown_[node]) {
      grown_[node] = true;
      grower->Grow(node);
      level_.resize(num_nodes(), kUnreached);
    }
    std::uint64_t looked = 0;
    for (EdgeId e = first_[node]; e != kNoEdge; e = edges_[e].next) {
      ++looked;
      if (edges_[e].residual == 0 || level_[edges_[e].to] != kUnreached) continue;
      level_[edges_[e].to] = level_[node] + 1;
      queue_.push_back(edges_[e].to);
    }
    if (!Spend(work, looked)) return false;
  }
  return level_[kSink] != kUnreached;
}

// Augments until no path of the layered graph is left; false when the work runs out.
bool FlowNetwork::Block(std::uint64_t& work) {
  current_ = first_;
  path_.clear();
  Node node = kSource;
  while (true) {
    if (!Spend(work, 1)) return false;
    if (node == kSink) {
      Augment();
      // Back to the tail of the first edge that is full now.
      const auto full = std::find_if(path_.begin(), path_.end(),
                                     [&](EdgeId e) { return edges_[e].residual == 0; });
      node = edges_[*full ^ 1].to;
      path_.erase(full, path_.end());
      continue;
    }
    EdgeId& e = current_[node];
    while (e != kNoEdge && !Leads(node, edges_[e])) {
      e = edges_[e].next;
      if (!Spend(work, 1)) return false;
    }
    if (e != kNoEdge) {
      path_.push_back(e);
      node = edges_[e].to;
    } else if (path_.empty()) {
      return true;
    } else {
      node = edges_[path_.back() ^ 1].to;
      path_.pop_back();
      current_[node] = edges_[current_[node]].next;
    }
  }
}

void FlowNetwork::Augment() {
  std::int64_t amount = kUnbounded;
  for (const EdgeId e : path_) amount = std::min(amount, edges_[e].residual);
  for (const EdgeId e : path_) {
    edges_[e].residual -= amount;
    edges_[e ^ 1].residual += amount;
    if (logging_) log_.push_back({e, amount});
  }
  flow_ += amount;
}

}  // namespace opass::bounds
