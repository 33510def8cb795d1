#include "opass/bounds/flow_network.h"

#include <algorithm>
#include <tuple>

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
  next_.clear();
  to_.clear();
  residual_.clear();
  flow_ = 0;
}

FlowNetwork::Node FlowNetwork::AddNode() {
  first_.push_back(kNoEdge);
  return static_cast<Node>(first_.size() - 1);
}

void FlowNetwork::AddEdge(Node from, Node to, std::int64_t capacity) {
  for (const auto& [tail, head, bytes] :
       {std::tuple{from, to, capacity}, std::tuple{to, from, std::int64_t{0}}}) {
    to_.push_back(head);
    residual_.push_back(bytes);
    next_.push_back(first_[tail]);
    first_[tail] = static_cast<Edge>(to_.size() - 1);
  }
}

FlowNetwork::Outcome FlowNetwork::Maximize(std::uint64_t& work) {
  while (Layer(work)) {
    if (!Block(work)) return Outcome::kOutOfWork;
  }
  return work == 0 ? Outcome::kOutOfWork : Outcome::kMaximum;
}

// Distances from the source over edges with capacity left; true when the sink is reached. All
// reachable nodes get their level, which makes the last call the minimum cut.
bool FlowNetwork::Layer(std::uint64_t& work) {
  level_.assign(num_nodes(), kUnreached);
  queue_.assign(1, kSource);
  level_[kSource] = 0;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const Node node = queue_[head];
    std::uint64_t looked = 0;
    for (Edge e = first_[node]; e != kNoEdge; e = next_[e]) {
      ++looked;
      if (residual_[e] == 0 || level_[to_[e]] != kUnreached) continue;
      level_[to_[e]] = level_[node] + 1;
      queue_.push_back(to_[e]);
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
      const auto full =
          std::find_if(path_.begin(), path_.end(), [&](Edge e) { return residual_[e] == 0; });
      node = to_[*full ^ 1];
      path_.erase(full, path_.end());
      continue;
    }
    Edge& e = current_[node];
    while (e != kNoEdge && (residual_[e] == 0 || level_[to_[e]] != level_[node] + 1)) {
      e = next_[e];
      if (!Spend(work, 1)) return false;
    }
    if (e != kNoEdge) {
      path_.push_back(e);
      node = to_[e];
    } else if (path_.empty()) {
      return true;
    } else {
      node = to_[path_.back() ^ 1];
      path_.pop_back();
      current_[node] = next_[current_[node]];
    }
  }
}

void FlowNetwork::Augment() {
  std::int64_t amount = kUnbounded;
  for (Edge e : path_) amount = std::min(amount, residual_[e]);
  for (Edge e : path_) {
    residual_[e] -= amount;
    residual_[e ^ 1] += amount;
  }
  flow_ += amount;
}

}  // namespace opass::bounds
