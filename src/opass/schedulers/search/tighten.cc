#include "opass/schedulers/search/tighten.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/decide.h"
#include "opass/schedulers/search/dominant.h"
#include "opass/schedulers/search/implied_edges.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

constexpr std::uint64_t kDestructiveNodes = 300;
// Few nodes first: often one of the ends answers at once and the other never.
constexpr std::uint64_t kFirstNodes = 2000;
constexpr std::uint64_t kMoreNodes = 8;
constexpr std::uint64_t kSecondShare = 4;
constexpr std::int64_t kNone = -1;
// Beyond it there are too many pairs of operators for implied precedences.
constexpr std::size_t kMaxOpsForImplied = 1000;
constexpr std::uint64_t kCutWorkPerNode = 100;
constexpr std::size_t kMaxEdgesToCheck = 2000;
// Ready operators looked at per state on ordinary graphs.
constexpr std::uint64_t kLooksPerNode = 500;
// A state of so many more operators costs as much again, for its bits alone.
constexpr std::uint64_t kOpsPerNode = 2000;

}  // namespace

void Tightener::RaiseBound(std::int64_t target_bytes) {
  std::int64_t low = std::max(segment_.bound.bytes, target_bytes);
  std::int64_t high = segment_.peak_bytes;
  while (low < high && nodes_left_ > 0 && !Interrupted()) {
    const std::int64_t budget = low + (high - 1 - low) / 2;
    Answer answer = Answer::kUnknown;
    for (const bool reverse : {true, false}) {
      if (answer != Answer::kUnknown || (reverse && !rules_.reverse)) continue;
      answer = TryOnce(*segment_.part, reverse, budget, kDestructiveNodes, 0);
    }
    if (answer == Answer::kRefuted) {
      low = std::max(low, segment_.bound.bytes);
    } else {
      high = budget;
    }
    high = std::min(high, segment_.peak_bytes);
  }
}

void Tightener::MergeComponents(std::uint64_t max_nodes) {
  for (const bool reverse : {false, true}) {
    if (!rules_.components || segment_.closed() || (reverse && !rules_.reverse)) continue;
    DominantOptions options;
    options.direction = reverse ? Direction::kReverse : Direction::kForward;
    options.max_nodes = std::min(max_nodes + segment_.part->graph().num_ops(), nodes_left_);
    options.max_looks = kLooksPerNode * options.max_nodes;
    const Dominant found = FindDominant(segment_.part->steps(), options);
    nodes_left_ -= std::min(nodes_left_, std::max(found.nodes, found.looks / kLooksPerNode));
    if (!found.order) continue;
    segment_.order = *found.order;
    segment_.peak_bytes = PeakBytes(segment_.part->steps(), segment_.order);
    memory::Bound::Search search;
    search.budget_bytes = segment_.peak_bytes - 1;
    search.reverse = reverse;
    search.nodes = static_cast<std::int64_t>(found.nodes);
    Refuted(segment_.peak_bytes, std::move(search));
  }
}

void Tightener::Narrow(std::int64_t target_bytes, std::uint64_t max_nodes) {
  // The lowest and the highest budget without an answer: refuting is easier below them and finding
  // an order easier above.
  std::int64_t lowest_unknown = kNone;
  std::int64_t highest_unknown = kNone;
  while (nodes_left_ > 0 && !Interrupted()) {
    const std::int64_t low = std::max(segment_.bound.bytes, target_bytes);
    const std::int64_t high = segment_.peak_bytes - 1;
    if (low > high) return;
    if (lowest_unknown > high || highest_unknown < low) lowest_unknown = kNone;
    std::int64_t budget = low + (high - low) / 2;
    if (lowest_unknown != kNone) {
      if (highest_unknown < high) {
        budget = highest_unknown + (high - highest_unknown + 1) / 2;
      } else if (low < lowest_unknown) {
        budget = low + (lowest_unknown - 1 - low) / 2;
      } else {
        return;
      }
    } else if (!segment_.tried) {
      budget = low;  // the bound is often the optimum
    }
    segment_.tried = true;
    if (Try(budget, max_nodes) != Answer::kUnknown) continue;
    if (lowest_unknown == kNone) lowest_unknown = highest_unknown = budget;
    lowest_unknown = std::min(lowest_unknown, budget);
    highest_unknown = std::max(highest_unknown, budget);
  }
}

Tightener::Answer Tightener::Try(std::int64_t budget_bytes, std::uint64_t max_nodes) {
  if (!rules_.implied_edges || max_nodes <= rules_.nodes_before_implied ||
      segment_.part->graph().num_ops() > kMaxOpsForImplied) {
    return TryBothWays(*segment_.part, budget_bytes, max_nodes, 0);
  }
  const Answer plain = TryBothWays(*segment_.part, budget_bytes, rules_.nodes_before_implied, 0);
  if (plain != Answer::kUnknown || nodes_left_ == 0) return plain;
  return TryImplied(budget_bytes, max_nodes);
}

// From one end, then from the other, with more and more nodes. The end that answered last has its
// turn first, and gets more: most problems are far easier from one of their ends.
Tightener::Answer Tightener::TryBothWays(const Part& part, std::int64_t budget_bytes,
                                         std::uint64_t max_nodes, std::int64_t implied_edges) {
  for (std::uint64_t nodes = kFirstNodes;; nodes *= kMoreNodes) {
    const bool last = nodes >= max_nodes;
    const std::uint64_t limit = last ? max_nodes : nodes;
    const bool reverse_first = rules_.reverse && segment_.reverse_first;
    for (const bool reverse : {reverse_first, !reverse_first}) {
      if (reverse && !rules_.reverse) continue;
      const bool second = reverse != reverse_first;
      const Answer answer = TryOnce(part, reverse, budget_bytes,
                                    second ? limit / kSecondShare + 1 : limit, implied_edges);
      if (answer == Answer::kUnknown) continue;
      segment_.reverse_first = reverse;
      return answer;
    }
    if (last || nodes_left_ == 0 || Interrupted()) return Answer::kUnknown;
  }
}

Tightener::Answer Tightener::TryOnce(const Part& part, bool reverse, std::int64_t budget_bytes,
                                     std::uint64_t max_nodes, std::int64_t implied_edges) {
  DecideOptions options;
  options.budget_bytes = budget_bytes;
  options.direction = reverse ? Direction::kReverse : Direction::kForward;
  options.rules = rules_;
  const std::uint64_t cost = 1 + part.graph().num_ops() / kOpsPerNode;
  options.max_nodes = std::min(max_nodes, nodes_left_ / cost + 1);
  options.max_looks = kLooksPerNode * options.max_nodes;
  const Decision decision = Decide(part.steps(), options);
  nodes_left_ -=
      std::min(nodes_left_, std::max(cost * decision.nodes, decision.looks / kLooksPerNode));
  switch (decision.answer) {
    case Decision::Answer::kFound: {
      // A part with implied precedences has the operators of the segment, in another order.
      segment_.order.clear();
      for (const memory::OpId op : decision.order) {
        segment_.order.push_back(implied_edges == 0 ? op : part.origin(op));
      }
      segment_.peak_bytes = PeakBytes(segment_.part->steps(), segment_.order);
      return Answer::kFound;
    }
    case Decision::Answer::kRefuted: {
      memory::Bound::Search search;
      search.budget_bytes = budget_bytes;
      search.reverse = reverse;
      search.nodes = static_cast<std::int64_t>(decision.nodes);
      search.implied_edges = implied_edges;
      // The precedences hold for this budget only, so nothing follows for higher ones.
      Refuted(implied_edges == 0 ? decision.at_least_bytes : budget_bytes + 1, std::move(search));
      return Answer::kRefuted;
    }
    case Decision::Answer::kUnknown:
      break;
  }
  return Answer::kUnknown;
}

Tightener::Answer Tightener::TryImplied(std::int64_t budget_bytes, std::uint64_t max_nodes) {
  const Implied implied =
      ImpliedEdges(segment_.part->graph(), budget_bytes, kCutWorkPerNode * nodes_left_);
  nodes_left_ -= std::min(nodes_left_, implied.work / kCutWorkPerNode);
  if (implied.refuted) {
    Contradicted(budget_bytes, implied);
    return Answer::kRefuted;
  }
  if (implied.edges.empty()) return TryBothWays(*segment_.part, budget_bytes, max_nodes, 0);
  const Part narrowed(segment_.part->graph(), {}, implied.order, implied.edges);
  return TryBothWays(narrowed, budget_bytes, max_nodes,
                     static_cast<std::int64_t>(implied.edges.size()));
}

// The checker proves every edge by a cut of its own, so only short lists are written down.
void Tightener::Contradicted(std::int64_t budget_bytes, const Implied& implied) {
  memory::Bound::Search search;
  search.budget_bytes = budget_bytes;
  search.implied_edges = static_cast<std::int64_t>(implied.edges.size());
  Refuted(budget_bytes + 1, std::move(search));
  if (implied.edges.size() > kMaxEdgesToCheck) return;
  segment_.bound.kind = memory::Bound::Kind::kContradiction;
  segment_.bound.op = implied.op;
  for (std::size_t i = 0; i < implied.edges.size(); ++i) {
    segment_.bound.edges.push_back(
        {implied.edges[i].first, implied.edges[i].second, implied.cuts[i]});
  }
}

void Tightener::Refuted(std::int64_t at_least_bytes, memory::Bound::Search search) {
  const std::int64_t bytes = std::min(at_least_bytes, segment_.peak_bytes);
  if (bytes <= segment_.bound.bytes) return;
  for (const auto& [name, rule] : kSearchRules) {
    if (rules_.*rule) search.rules.emplace_back(name);
  }
  segment_.bound = memory::Certificate();
  segment_.bound.kind = memory::Certificate::Kind::kSearch;
  segment_.bound.bytes = bytes;
  segment_.bound.search = std::move(search);
}

}  // namespace opass::schedulers
