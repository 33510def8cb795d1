#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"
#include "opass/orchestrator/pass_domain.h"
#include "opass/planner/planner.h"
#include "opass/tvm/session.h"
#include "opass/tvm/step_memo.h"

namespace opass::tvm {

struct DomainOptions {
  planner::PlanOptions plan;  // of Effort::kFull
  // Also passes that compute in fewer bits or by other formulas: ToMixedPrecision,
  // FastMathTransform.
  bool allow_imprecise = false;
};

// TVM's passes on TVM's modules: black boxes. All are listed in every state, a pass is a kind of
// action, and what one does is known only after it ran. A pass that fails changes nothing, and its
// message is kept. A state's cost is our own plan of the Relax graph, not lowered: hundreds of
// times faster, and what a search finds is lowered and run in the end (compare.h).
class TvmDomain final : public orchestrator::PassDomain {
 public:
  // `session` and `memo` must outlive the domain. Errors: the module cannot be posed.
  static Result<std::unique_ptr<TvmDomain>> Make(Session& session, ModuleId start, StepMemo& memo,
                                                 DomainOptions options);

  Result<std::vector<orchestrator::Action>> Propose(orchestrator::StateId state) override;
  Result<std::optional<orchestrator::StateId>> Apply(orchestrator::StateId state,
                                                     std::size_t action) override;
  Result<orchestrator::Bound> LowerBound(orchestrator::StateId state) override;
  Result<orchestrator::Cost> Evaluate(orchestrator::StateId state,
                                      orchestrator::Effort effort) override;
  std::vector<std::string> DefaultOrder() const override;

  ModuleId ModuleOf(orchestrator::StateId state) const { return at(state).module; }
  // What passes said when they failed, "pass: message", each once.
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  struct State {
    ModuleId module;
    std::uint64_t hash = 0;
    std::unique_ptr<const memory::Problem> problem;
    std::unique_ptr<const memory::StorageGraph> graph;  // of the problem
    std::optional<std::int64_t> bound_bytes;
    std::optional<memory::Schedule> quick;
    std::optional<orchestrator::Cost> full;
  };

  TvmDomain(Session& session, StepMemo& memo, DomainOptions options)
      : session_(session), memo_(memo), options_(std::move(options)) {}

  const State& at(orchestrator::StateId id) const { return states_[id.index()]; }
  State& at(orchestrator::StateId id) { return states_[id.index()]; }
  Result<orchestrator::StateId> Reach(ModuleId module);
  const PassResult& Step(const State& from, const std::string& pass);
  Result<const memory::Schedule*> QuickOf(State& state);
  orchestrator::Cost CostOf(const State& state, const memory::Schedule& schedule) const;
  void Fail(std::string message);

  Session& session_;
  StepMemo& memo_;
  DomainOptions options_;
  std::vector<std::string> passes_;  // by action
  std::vector<State> states_;
  std::map<std::uint64_t, orchestrator::StateId> by_hash_;
  std::vector<std::string> failures_;
};

}  // namespace opass::tvm
