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
// Beyond it there are too many pairs of operators for implied precedences.
constexpr std::size_t kMaxOpsForImplied = 2500;
constexpr std::uint64_t kCutWorkPerNode = 300;
// Of the nodes that are left, what the cuts for one budget may cost; budgets they are kept for.
constexpr std::uint64_t kPartForImplied = 8;
constexpr std::size_t kMaxNarrowed = 4;
// Of the nodes for the end that answers more often, what the other one gets.
constexpr std::uint64_t kSecondShare = 4;
constexpr std::size_t kMaxEdgesToCheck = 2000;
// Ready operators looked at per state on ordinary graphs.
constexpr std::uint64_t kLooksPerNode = 500;
// A state of so many more operators costs as much again, for its bits alone.
constexpr std::uint64_t kOpsPerNode = 2000;

}  // namespace

void Tightener::RaiseBound(std::int64_t target_bytes) {
  const ByteGrid& grid = segment_.part->steps().grid;
  std::int64_t low = grid.Cell(std::max(segment_.bound.bytes, target_bytes));
  std::int64_t high = grid.Cell(segment_.peak_bytes);
  while (low < high && nodes_left_ > 0 && !Interrupted()) {
    const std::int64_t cell = low + (high - 1 - low) / 2;
    Answer answer = Answer::kUnknown;
    for (const bool reverse : {true, false}) {
      if (answer != Answer::kUnknown || (reverse && !rules_.reverse)) continue;
      answer = TryOnce(segment_.searched(), reverse, grid.LastOf(cell), kDestructiveNodes, 0);
    }
    if (answer == Answer::kRefuted) {
      low = std::max(low, grid.Cell(segment_.bound.bytes));
    } else {
      high = cell;
    }
    high = std::min(high, grid.Cell(segment_.peak_bytes));
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
  NarrowPlan::Options options;
  options.max_nodes = max_nodes;
  options.grid = segment_.part->steps().grid;
  options.from_both_ends = rules_.reverse;
  options.reverse_first = rules_.reverse && segment_.reverse_first;
  options.at_bound_first = !segment_.tried;
  if (rules_.implied_edges && segment_.part->graph().num_ops() <= kMaxOpsForImplied &&
      rules_.nodes_before_implied < max_nodes) {
    options.nodes_before_implied = rules_.nodes_before_implied;
  }
  segment_.tried = true;
  NarrowPlan plan(options);
  Ahead ahead(segment_.searched().steps(), threads_);
  while (nodes_left_ > 0 && !Interrupted()) {
    const std::int64_t low = std::max(segment_.bound.bytes, target_bytes);
    const auto question = plan.Next(low, segment_.peak_bytes - 1);
    if (!question) break;
    if (!question->with_implied_edges && IsNarrowed(question->budget_bytes)) {
      plan.Record(Answer::kUnknown);  // it was the answer before, too
      continue;
    }
    plan.Record(question->with_implied_edges ? TryImplied(question->budget_bytes, max_nodes)
                                             : Ask(ahead, plan, *question, low));
  }
  segment_.reverse_first = plan.reverse_first();
}

Tightener::Answer Tightener::Ask(Ahead& ahead, const NarrowPlan& plan,
                                 const NarrowPlan::Question& question, std::int64_t low) {
  const DecideOptions first = OptionsFor(segment_.searched(), question.reverse,
                                         question.budget_bytes, question.max_nodes, nodes_left_);
  const auto then = [&](int later) -> std::optional<DecideOptions> {
    NarrowPlan copy = plan;
    std::uint64_t nodes_left = nodes_left_;
    std::optional<DecideOptions> options = first;
    for (int i = 0; i < later; ++i) {
      nodes_left -= std::min(nodes_left, NodeCost(segment_.searched()) * (options->max_nodes + 1));
      copy.Record(Answer::kUnknown);
      const auto next = copy.Next(low, segment_.peak_bytes - 1);
      if (!next || next->with_implied_edges || nodes_left == 0) return std::nullopt;
      options = OptionsFor(segment_.searched(), next->reverse, next->budget_bytes, next->max_nodes,
                           nodes_left);
    }
    return options;
  };
  return Settle(segment_.searched(), first, ahead.Ask(first, then), 0);
}

std::uint64_t Tightener::NodeCost(const Part& part) {
  return 1 + part.graph().num_ops() / kOpsPerNode;
}

DecideOptions Tightener::OptionsFor(const Part& part, bool reverse, std::int64_t budget_bytes,
                                    std::uint64_t max_nodes, std::uint64_t nodes_left) const {
  DecideOptions options;
  options.budget_bytes = budget_bytes;
  options.direction = reverse ? Direction::kReverse : Direction::kForward;
  options.rules = rules_;
  options.max_nodes = std::min(max_nodes, nodes_left / NodeCost(part) + 1);
  options.max_looks = kLooksPerNode * options.max_nodes;
  return options;
}

Tightener::Answer Tightener::TryOnce(const Part& part, bool reverse, std::int64_t budget_bytes,
                                     std::uint64_t max_nodes, std::int64_t implied_edges) {
  const DecideOptions options = OptionsFor(part, reverse, budget_bytes, max_nodes, nodes_left_);
  return Settle(part, options, Decide(part.steps(), options), implied_edges);
}

// Pays for a search and learns from it.
Tightener::Answer Tightener::Settle(const Part& part, const DecideOptions& options,
                                    const Decision& decision, std::int64_t implied_edges) {
  nodes_left_ -= std::min(
      nodes_left_, std::max(NodeCost(part) * decision.nodes, decision.looks / kLooksPerNode));
  switch (decision.answer) {
    case Decision::Answer::kFound: {
      // A part with more precedences has the operators of the segment, in another order.
      segment_.order.clear();
      for (const memory::OpId op : decision.order) {
        segment_.order.push_back(&part == segment_.part.get() ? op : part.origin(op));
      }
      segment_.peak_bytes = PeakBytes(segment_.part->steps(), segment_.order);
      return Answer::kFound;
    }
    case Decision::Answer::kRefuted: {
      memory::Bound::Search search;
      search.budget_bytes = options.budget_bytes;
      search.reverse = options.direction == Direction::kReverse;
      search.nodes = static_cast<std::int64_t>(decision.nodes);
      search.implied_edges = implied_edges;
      // The precedences hold for this budget only, so nothing follows for higher ones.
      Refuted(implied_edges == 0 ? decision.at_least_bytes : options.budget_bytes + 1,
              std::move(search));
      return Answer::kRefuted;
    }
    case Decision::Answer::kUnknown:
      break;
  }
  return Answer::kUnknown;
}

Tightener::Answer Tightener::TryImplied(std::int64_t budget_bytes, std::uint64_t max_nodes) {
  const NarrowedPart& narrowed = Narrowed(budget_bytes);
  if (narrowed.implied.refuted) {
    Contradicted(budget_bytes, narrowed.implied);
    return Answer::kRefuted;
  }
  // Without precedences to add, the search is that with more nodes which was not made.
  const Part& part = narrowed.part ? *narrowed.part : segment_.searched();
  const bool first = segment_.reverse_first && rules_.reverse;
  for (const bool reverse : {first, !first}) {
    if (reverse && !rules_.reverse) continue;
    const std::uint64_t nodes = reverse == first ? max_nodes : max_nodes / kSecondShare;
    const Answer answer = TryOnce(part, reverse, budget_bytes, nodes,
                                  static_cast<std::int64_t>(narrowed.implied.edges.size()));
    if (answer != Answer::kUnknown) return answer;
  }
  return Answer::kUnknown;
}

bool Tightener::IsNarrowed(std::int64_t budget_bytes) const {
  return std::any_of(segment_.narrowed.begin(), segment_.narrowed.end(),
                     [&](const NarrowedPart& part) { return part.budget_bytes == budget_bytes; });
}

const NarrowedPart& Tightener::Narrowed(std::int64_t budget_bytes) {
  std::vector<NarrowedPart>& known = segment_.narrowed;
  for (const NarrowedPart& narrowed : known) {
    if (narrowed.budget_bytes == budget_bytes) return narrowed;
  }
  if (known.size() == kMaxNarrowed) known.erase(known.begin());
  NarrowedPart& narrowed = known.emplace_back();
  narrowed.budget_bytes = budget_bytes;
  narrowed.implied = ImpliedEdges(segment_.part->graph(), budget_bytes,
                                  kCutWorkPerNode * nodes_left_ / kPartForImplied);
  nodes_left_ -= std::min(nodes_left_, narrowed.implied.work / kCutWorkPerNode);
  const Implied& implied = narrowed.implied;
  if (!implied.refuted && !implied.edges.empty()) {
    std::vector<Precedence> precedences = segment_.twins;
    precedences.insert(precedences.end(), implied.edges.begin(), implied.edges.end());
    const memory::StorageGraph& graph = segment_.part->graph();
    narrowed.part = std::make_unique<const Part>(graph, std::span<const memory::OpId>(),
                                                 OrderWith(graph, precedences), precedences);
  }
  return narrowed;
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
