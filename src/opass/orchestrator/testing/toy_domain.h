#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opass/orchestrator/pass_domain.h"

namespace opass::orchestrator {

// A pass of the toy: `before` becomes `after`, anywhere in the word. An empty `before`: a pass that
// always fails.
struct ToyRule {
  std::string pass;
  std::string before;
  std::string after;
};

struct ToyProblem {
  std::string start;
  std::vector<ToyRule> rules;
  std::map<char, std::int64_t> weights;  // of letters; 1 of those that are not named
  std::map<char, std::int64_t> macs;     // 0 of those that are not named
  std::vector<std::string> default_order;
  bool is_black_box = false;      // each pass is one action, always listed: at all sites at once
  bool has_macros = true;         // otherwise sites alone
  std::int64_t bound_gap = 0;     // by which the bound lies under the peak
  std::int64_t quick_excess = 0;  // by which the quick peak lies above it
};

// Words under rewriting rules. The peak of a word is its heaviest letter, so that letters of equal
// weight are a plateau.
class ToyDomain : public PassDomain {
 public:
  explicit ToyDomain(ToyProblem problem);

  Result<std::vector<Action>> Propose(StateId state) override;
  Result<std::optional<StateId>> Apply(StateId state, std::size_t action) override;
  Result<Bound> LowerBound(StateId state) override;
  Result<Cost> Evaluate(StateId state, Effort effort) override;
  std::vector<std::string> DefaultOrder() const override { return problem_.default_order; }

  const std::string& Word(StateId state) const { return words_[state.index()]; }
  std::int64_t num_quick() const { return num_quick_; }
  std::int64_t num_full() const { return num_full_; }

 private:
  struct Rewrite {
    Action action;
    const ToyRule* rule;
    std::vector<std::size_t> places;
  };
  std::vector<Rewrite> Rewrites(StateId state) const;
  std::int64_t Peak(const std::string& word) const;
  std::int64_t Macs(const std::string& word) const;

  ToyProblem problem_;
  std::vector<std::string> words_;  // by state
  std::map<std::string, StateId> states_;
  std::int64_t num_quick_ = 0;
  std::int64_t num_full_ = 0;
};

// Heavy letters Q that can be split at once (a gain, and a dead end) or, after two actions that
// gain nothing, cut to a third; toggles that lead nowhere, a cycle, a pass that fails. The best
// word has the peak kLocksBestPeak; a steepest descent ends at kLocksGreedyPeak.
ToyProblem Locks(int num_locks);
inline constexpr std::int64_t kLocksStartPeak = 1000;
inline constexpr std::int64_t kLocksGreedyPeak = 700;
inline constexpr std::int64_t kLocksBestPeak = 300;

}  // namespace opass::orchestrator
