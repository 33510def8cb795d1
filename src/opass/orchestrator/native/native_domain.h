#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opass/analysis/pose_problem.h"
#include "opass/ir/graph.h"
#include "opass/ir/structural_hash.h"
#include "opass/orchestrator/native/native_action.h"
#include "opass/orchestrator/native/shared_weights.h"
#include "opass/orchestrator/native/state_plan.h"
#include "opass/orchestrator/pass_domain.h"
#include "opass/planner/planner.h"

namespace opass::orchestrator {

struct NativeOptions {
  ActionOptions actions;
  analysis::PoseOptions pose;  // what is counted
  planner::PlanOptions plan;   // of Effort::kFull
  // What is kept in memory beside the start: nodes of all graphs (about a kilobyte each), bytes of
  // their own weights.
  std::int64_t max_kept_nodes = 150'000;
  std::int64_t max_kept_bytes = std::int64_t{512} << 20;
};

// One action on the way to a state.
struct NativeStep {
  StateId from;
  StateId to;
  std::size_t action = 0;  // in Propose(from)
  NativeAction what;
};

// Our own passes on our own graph.
//
// A state is a graph under its structural hash: what it is called and how it is listed does not
// count, and of equal graphs the one that was reached first stands for all. So a state's graph is
// always one that the actions of its first path made; should two graphs have one hash by chance,
// one of them is never looked at, and no result is wrong.
//
// Graphs share their weights. The graphs used last are kept in memory, others are made again from
// their first path when they are needed.
class NativeDomain final : public PassDomain {
 public:
  // `model` has passed the clean-up passes and is verified. Errors: the problem cannot be posed.
  static Result<std::unique_ptr<NativeDomain>> Make(ir::Model model, NativeOptions options);

  Result<std::vector<Action>> Propose(StateId state) override;
  Result<std::optional<StateId>> Apply(StateId state, std::size_t action) override;
  Result<Bound> LowerBound(StateId state) override;
  Result<Cost> Evaluate(StateId state, Effort effort) override;
  std::vector<std::string> DefaultOrder() const override { return NormalizingPasses(); }

  // The graph of a state.
  Result<std::shared_ptr<const ir::Model>> ModelOf(StateId state);
  // The same with its nodes in the order of Evaluate(kFull).
  Result<ir::Model> Scheduled(StateId state);
  // The first path from the start to the state.
  std::vector<NativeStep> PathTo(StateId state) const;
  // An action as a step: it must change something.
  Result<NativeStep> StepOf(StateId from, std::size_t action);
  std::size_t num_states() const { return states_.size(); }
  std::int64_t start_macs() const {
    return start_macs_;
  }  // what a bound on extra MACs is a part of
  // What went wrong in passes: such an action is "no change".
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  using Listed = std::vector<NativeAction>;
  struct State {
    StateId parent;  // invalid: the start
    std::size_t action_index = 0;
    NativeAction action;  // of the parent
    std::int64_t macs = 0;
    std::int64_t num_nodes = 0;
    std::optional<Bound> bound;
    std::optional<Cost> quick;
    std::optional<Cost> full;
    // What can be made again.
    std::shared_ptr<const ir::Model> model;
    std::optional<Listed> actions;
    std::int64_t own_bytes = 0;   // of the model's weights that the start does not have
    std::uint64_t last_used = 0;  // of the model
  };
  // The problem that was posed last.
  struct Posed {
    StateId state;
    std::unique_ptr<const StateProblem> problem;
    std::optional<memory::Schedule> near_linear;
    std::optional<memory::Schedule> quick;
  };

  explicit NativeDomain(NativeOptions options) : options_(std::move(options)) {}

  State& at(StateId id) { return states_[id.index()]; }
  StateId Add(const ir::Hash128& hash, ir::Model model, State state);
  void Keep(StateId id, std::shared_ptr<const ir::Model> model);
  void Evict(StateId except);
  Result<const Listed*> ListedOf(StateId id);
  Result<const StateProblem*> ProblemOf(StateId id);
  Result<const memory::Schedule*> NearLinearOf(StateId id);
  Result<const memory::Schedule*> QuickOf(StateId id);
  Cost CostOf(StateId id, const memory::Schedule& schedule);

  NativeOptions options_;
  ir::StructuralHasher hasher_;
  SharedWeights weights_;
  std::vector<State> states_;
  std::map<ir::Hash128, StateId> by_hash_;
  std::map<std::pair<StateId, std::size_t>, std::optional<StateId>> applied_;
  Posed posed_;
  std::int64_t start_macs_ = 0;
  std::uint64_t clock_ = 0;  // counts uses of models
  std::int64_t kept_nodes_ = 0;
  std::int64_t kept_bytes_ = 0;
  std::vector<std::string> failures_;
};

}  // namespace opass::orchestrator
