#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "opass/orchestrator/pass_domain.h"
#include "opass/support/id.h"

// The states reached, the actions that lead from one to another, and where which kinds of actions
// are opportunities: can change something. An opportunity is known from the list of a state's
// actions, or, in a domain of black boxes that lists all its passes always, only by trial. What a
// trial tells is passed on to successors and predecessors as a chance (docs/orchestration.md).
namespace opass::orchestrator {

using KindId = Id<struct KindTag>;
using PassId = Id<struct PassTag>;

// An action of a state.
struct Choice {
  KindId kind;
  bool tried = false;
  StateId to;  // where it leads; not valid: no change, when tried
};

// A kind of actions in a state.
struct Opportunity {
  KindId kind;
  bool tried = false;
  bool works = false;  // when tried: some action of this kind changed something
  double chance = 1;   // that an untried action of this kind changes something
};

// How often what happened to a kind over actions of another kind.
struct Transitions {
  // By the lists alone.
  std::int64_t appeared = 0;
  std::int64_t vanished = 0;
  // Listed before and after, and tried before and after.
  std::int64_t enabled = 0;    // did not work before, works after
  std::int64_t destroyed = 0;  // worked before, not after
  std::int64_t kept = 0;       // worked before and after
  std::int64_t absent = 0;     // worked neither before nor after

  void AddTrials(bool before, bool after);
};

class TransferGraph {
 public:
  struct Edge {
    StateId from;
    StateId to;
    KindId kind;
  };

  bool Has(StateId state) const;
  // A state must be added before an action of it is tried; before that, or when nobody looks at
  // it, an action may lead there.
  void AddState(StateId state, std::span<const Action> actions);
  // The result of a trial; `to` is not valid for "no change". Each action is tried once.
  void AddTrial(StateId from, std::size_t action, StateId to);

  std::span<const Choice> Choices(StateId state) const;
  // By kind.
  std::span<const Opportunity> Opportunities(StateId state) const;
  const Opportunity* Find(StateId state, KindId kind) const;
  std::span<const Edge> edges() const { return edges_; }

  std::size_t num_kinds() const { return pass_of_.size(); }
  std::size_t num_passes() const { return num_passes_; }
  PassId PassOf(KindId kind) const { return pass_of_[kind.index()]; }
  std::int64_t NumTried(KindId kind) const { return tried_[kind.index()]; }
  std::int64_t NumWorked(KindId kind) const { return worked_[kind.index()]; }
  // What happened to other kinds after this one, by kind.
  const std::map<KindId, Transitions>& After(KindId kind) const { return after_[kind.index()]; }
  // Kinds that `to` lists and `from` does not.
  std::vector<KindId> Appeared(StateId from, StateId to) const;

 private:
  struct State {
    bool is_known = false;
    std::vector<Choice> choices;
    std::vector<Opportunity> opportunities;
    std::vector<std::size_t> out_edges;
    std::vector<std::size_t> in_edges;
  };

  KindId Intern(const Action& action);
  Opportunity* FindIn(StateId state, KindId kind);
  void AddEdge(const Edge& edge);
  State& At(StateId state);
  // What the two lists of an edge tell, once both are there.
  void Compare(std::size_t edge);
  void Learn(StateId state, Opportunity& opportunity, bool works);
  void Record(const Edge& edge, KindId kind, bool before, bool after);
  // Chances after an edge given those before it, and the other way round.
  double Forward(const Edge& edge, KindId kind) const;
  void PassOn(StateId state, KindId kind, int depth);
  void PassBack(StateId state, KindId kind, int depth);
  double EnableRate(KindId cause, KindId kind) const;
  double KeepRate(KindId cause, KindId kind) const;
  double WorkRate(KindId kind) const;

  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::map<std::uint64_t, KindId> kinds_;
  std::map<std::string, PassId> passes_;
  std::size_t num_passes_ = 0;
  std::vector<PassId> pass_of_;
  std::vector<std::int64_t> tried_;
  std::vector<std::int64_t> worked_;
  std::int64_t num_tried_ = 0;
  std::int64_t num_worked_ = 0;
  std::vector<std::map<KindId, Transitions>> after_;
  Transitions all_by_trial_;
};

}  // namespace opass::orchestrator
