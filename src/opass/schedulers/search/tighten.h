#pragma once

#include <cstdint>

#include "opass/schedulers/search/ahead.h"
#include "opass/schedulers/search/decide.h"
#include "opass/schedulers/search/implied_edges.h"
#include "opass/schedulers/search/narrow_plan.h"
#include "opass/schedulers/search/search_rules.h"
#include "opass/schedulers/search/segment.h"

namespace opass::schedulers {

// Narrows what is known of a segment, from both sides, by searches within budgets between its bound
// and its best order. Only orders that beat `target_bytes` or more are of use: the whole problem
// needs as much for another reason.
class Tightener {
 public:
  // Takes what it searches from `nodes_left`; in large and wide problems a state counts as
  // several. The number of threads changes nothing but the time.
  Tightener(Segment& segment, const SearchRules& rules, std::uint64_t& nodes_left, int threads = 1)
      : segment_(segment), rules_(rules), nodes_left_(nodes_left), threads_(threads) {}

  // The destructive bound (design "scheduling", 1.8): small searches all over the range. What is
  // far below the optimum is refuted in a few nodes.
  void RaiseBound(std::int64_t target_bytes);
  // A best order by independent parts, if `max_nodes` from each end are enough.
  void MergeComponents(std::uint64_t max_nodes);
  // Searches of up to `max_nodes` from each end (1.6): by
  // bisection, between budgets that are refuted and budgets that are kept.
  void Narrow(std::int64_t target_bytes, std::uint64_t max_nodes);

 private:
  using Answer = NarrowPlan::Answer;

  static std::uint64_t NodeCost(const Part& part);
  DecideOptions OptionsFor(const Part& part, bool reverse, std::int64_t budget_bytes,
                           std::uint64_t max_nodes, std::uint64_t nodes_left) const;
  Answer Ask(Ahead& ahead, const NarrowPlan& plan, const NarrowPlan::Question& question,
             std::int64_t low);
  Answer Settle(const Part& part, const DecideOptions& options, const Decision& decision,
                std::int64_t implied_edges);
  Answer TryOnce(const Part& part, bool reverse, std::int64_t budget_bytes, std::uint64_t max_nodes,
                 std::int64_t implied_edges);
  Answer TryImplied(std::int64_t budget_bytes, std::uint64_t max_nodes);
  bool IsNarrowed(std::int64_t budget_bytes) const;
  const NarrowedPart& Narrowed(std::int64_t budget_bytes);
  void Contradicted(std::int64_t budget_bytes, const Implied& implied);
  void Refuted(std::int64_t at_least_bytes, memory::Certificate::Search search);

  Segment& segment_;
  const SearchRules& rules_;
  std::uint64_t& nodes_left_;
  int threads_;
};

}  // namespace opass::schedulers
