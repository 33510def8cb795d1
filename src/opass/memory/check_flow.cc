#include "opass/memory/check_flow.h"

#include <algorithm>

namespace opass::memory::check {
namespace {

constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);

}  // namespace

std::size_t Network::AddNode() {
  arcs_of_.emplace_back();
  return arcs_of_.size() - 1;
}

void Network::AddArc(std::size_t from, std::size_t to, std::int64_t capacity) {
  if (from == to) return;
  arcs_of_[from].push_back(arcs_.size());
  arcs_.push_back({to, capacity});
  arcs_of_[to].push_back(arcs_.size());
  arcs_.push_back({from, 0});
}

std::optional<std::int64_t> Network::Flow(std::size_t source, std::size_t sink, std::int64_t enough,
                                          std::uint64_t& work) {
  std::int64_t flow = 0;
  while (flow < enough) {
    if (work > kMaxWork) return std::nullopt;
    if (!Measure(source, sink, work)) break;
    flow += PushAlongShortest(source, sink, enough - flow, work);
  }
  return flow;
}

// The distances of all nodes no farther than the sink; false when it cannot be reached.
bool Network::Measure(std::size_t source, std::size_t sink, std::uint64_t& work) {
  distance_.assign(arcs_of_.size(), kUnseen);
  distance_[source] = 0;
  std::vector<std::size_t> queue{source};
  for (std::size_t i = 0; i < queue.size() && distance_[sink] == kUnseen; ++i) {
    work += arcs_of_[queue[i]].size();
    for (const std::size_t arc : arcs_of_[queue[i]]) {
      const std::size_t to = arcs_[arc].to;
      if (arcs_[arc].left == 0 || distance_[to] != kUnseen) continue;
      distance_[to] = distance_[queue[i]] + 1;
      queue.push_back(to);
    }
  }
  return distance_[sink] != kUnseen;
}

// Depth first along arcs that lead one farther, never twice along one that led nowhere. Ends early
// when `enough` flows.
std::int64_t Network::PushAlongShortest(std::size_t source, std::size_t sink, std::int64_t enough,
                                        std::uint64_t& work) {
  tried_.assign(arcs_of_.size(), 0);
  std::int64_t flow = 0;
  std::vector<std::size_t> path;
  while (flow < enough && work <= kMaxWork) {
    const std::size_t at = path.empty() ? source : arcs_[path.back()].to;
    ++work;
    if (at == sink) {
      flow += Push(path);
      path.clear();
    } else if (tried_[at] < arcs_of_[at].size()) {
      const std::size_t arc = arcs_of_[at][tried_[at]];
      const bool leads =
          arcs_[arc].left > 0 && distance_[arcs_[arc].to] == distance_[at] + 1;  // seen ones only
      if (leads) {
        path.push_back(arc);
      } else {
        ++tried_[at];
      }
    } else if (path.empty()) {
      break;
    } else {
      ++tried_[arcs_[path.back() ^ 1].to];
      path.pop_back();
    }
  }
  return flow;
}

std::int64_t Network::Push(const std::vector<std::size_t>& path) {
  std::int64_t least = kInfinite;
  for (const std::size_t arc : path) least = std::min(least, arcs_[arc].left);
  for (const std::size_t arc : path) {
    arcs_[arc].left -= least;
    arcs_[arc ^ 1].left += least;
  }
  return least;
}

}  // namespace opass::memory::check
