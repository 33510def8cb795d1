#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "opass/orchestrator/search.h"

namespace opass::orchestrator {

// Upper confidence bounds on the transfer graph: UCT (Kocsis and Szepesvari, ECML 2006) with the
// best instead of the mean of what lies below, and with what is known of kinds of actions in place
// of random playouts. docs/orchestration.md has the formula.
class Explorer {
 public:
  explicit Explorer(Search& search);

  // Tries one action after the other, until Done() or until there is nothing left to try.
  Status Run();

 private:
  struct Node {
    bool is_known = false;
    bool is_exhausted = false;
    bool is_on_way = false;
    std::int64_t num_visits = 0;
    double potential = 0;  // the gain that may be reached from here, as of the last visit
    std::vector<std::int64_t> action_visits;
  };

  Status Iterate();
  // Follows the best actions from the start to one that was not tried; remembers the way.
  // Nothing: there is none, and the last state of the way is exhausted.
  std::optional<std::size_t> Descend();
  // Goes to the state; its best action.
  std::optional<std::size_t> Step(StateId state);
  bool IsWorthGoingOn(const Trial& trial);
  std::optional<std::size_t> BestAction(StateId state);
  bool IsToTry(const Choice& choice) const;
  // The gain that may be reached by the action; nothing for one that leads nowhere new.
  std::optional<double> Value(StateId state, std::size_t action);
  double ExpectedEffect(StateId state, KindId kind) const;
  bool IsBarren(StateId from, StateId to) const;
  // How much was tried already of what the action is like.
  double Count(StateId state, std::size_t action);
  void RefreshPotentials();
  void CountTrials();
  Node& At(StateId state);

  Search& search_;
  std::vector<Node> nodes_;  // by state
  std::vector<StateId> way_;
  std::vector<std::int64_t> pass_trials_;  // by pass
  std::vector<bool> pass_works_;           // by pass: it changed something once
  std::size_t num_trials_ = 0;             // those counted
  std::size_t trials_at_best_ = 0;
  double scale_ = 0;  // what counts as much, in gains
};

}  // namespace opass::orchestrator
