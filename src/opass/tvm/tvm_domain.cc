#include "opass/tvm/tvm_domain.h"

#include <algorithm>
#include <string_view>

#include "opass/orchestrator/native/power_mean.h"
#include "opass/orchestrator/native/state_plan.h"

namespace opass::tvm {
namespace {

using orchestrator::Action;
using orchestrator::Bound;
using orchestrator::Cost;
using orchestrator::Effort;
using orchestrator::StateId;

constexpr std::string_view kImprecise[] = {"FastMathTransform", "ToMixedPrecision"};
// Compilers run these for reasons other than memory, or not at all.
constexpr std::string_view kNotByDefault[] = {"ConvertLayout", "DataflowUseInplaceCalls", "FuseOps",
                                              "TopologicalSort"};

bool IsImprecise(std::string_view pass) {
  return std::ranges::find(kImprecise, pass) != std::end(kImprecise);
}

// FNV-1a: the same on every machine.
std::uint64_t KindOf(std::string_view pass) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : pass) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return hash;
}

}  // namespace

Result<std::unique_ptr<TvmDomain>> TvmDomain::Make(Session& session, ModuleId start, StepMemo& memo,
                                                   DomainOptions options) {
  std::unique_ptr<TvmDomain> domain(new TvmDomain(session, memo, std::move(options)));
  for (std::string& pass : session.Passes()) {
    if (domain->options_.allow_imprecise || !IsImprecise(pass)) {
      domain->passes_.push_back(std::move(pass));
    }
  }
  OPASS_ASSIGN_OR_RETURN(const StateId id, domain->Reach(start));
  static_cast<void>(id);  // kStart
  return domain;
}

// The state of a module; of equal modules the one that was reached first.
Result<StateId> TvmDomain::Reach(ModuleId module) {
  const std::uint64_t hash = session_.Hash(module);
  if (const auto known = by_hash_.find(hash); known != by_hash_.end()) return known->second;
  State state;
  state.module = module;
  state.hash = hash;
  OPASS_ASSIGN_OR_RETURN(memory::Problem problem, session_.Pose(module));
  OPASS_RETURN_IF_ERROR(memory::Validate(problem));
  state.problem = std::make_unique<const memory::Problem>(std::move(problem));
  state.graph = std::make_unique<const memory::StorageGraph>(*state.problem);
  const StateId id(states_.size());
  states_.push_back(std::move(state));
  by_hash_.emplace(hash, id);
  return id;
}

Result<std::vector<Action>> TvmDomain::Propose(StateId) {
  std::vector<Action> actions;
  for (const std::string& pass : passes_) actions.push_back({pass, pass, KindOf(pass), 0});
  return actions;
}

const PassResult& TvmDomain::Step(const State& from, const std::string& pass) {
  const std::pair<std::uint64_t, std::string> key{from.hash, pass};
  if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
  Result<PassResult> result = session_.RunPass(from.module, pass);
  if (!result.ok()) return memo_[key] = {ModuleId(), result.error().message};
  return memo_[key] = *std::move(result);
}

Result<std::optional<StateId>> TvmDomain::Apply(StateId state, std::size_t action) {
  const std::string& pass = passes_[action];
  const PassResult& result = Step(at(state), pass);
  if (!result.failure.empty()) Fail(pass + ": " + result.failure);
  if (!result.module.valid()) return std::optional<StateId>();
  const Result<StateId> reached = Reach(result.module);
  if (!reached.ok()) {
    // A module that cannot be planned is of no use.
    Fail(pass + ": " + reached.error().message);
    return std::optional<StateId>();
  }
  if (*reached == state) return std::optional<StateId>();
  return std::optional<StateId>(*reached);
}

void TvmDomain::Fail(std::string message) {
  if (std::ranges::find(failures_, message) == failures_.end()) {
    failures_.push_back(std::move(message));
  }
}

Result<Bound> TvmDomain::LowerBound(StateId id) {
  State& state = at(id);
  if (!state.bound_bytes) state.bound_bytes = orchestrator::QuickBound(*state.graph);
  return Bound{*state.bound_bytes, 0};
}

Result<const memory::Schedule*> TvmDomain::QuickOf(State& state) {
  if (!state.quick) {
    if (!state.bound_bytes) state.bound_bytes = orchestrator::QuickBound(*state.graph);
    OPASS_ASSIGN_OR_RETURN(const memory::Schedule near,
                           orchestrator::NearLinearSchedule(*state.graph));
    OPASS_ASSIGN_OR_RETURN(state.quick,
                           orchestrator::QuickSchedule(*state.graph, near, *state.bound_bytes));
  }
  return &*state.quick;
}

Cost TvmDomain::CostOf(const State& state, const memory::Schedule& schedule) const {
  const std::size_t num_steps = at(orchestrator::kStart).problem->ops.size();
  Cost cost;
  cost.peak_bytes = schedule.peak_bytes;
  cost.norm_bytes =
      orchestrator::PowerMean(schedule.step_bytes, std::max<std::size_t>(num_steps, 1));
  cost.num_nodes = static_cast<std::int64_t>(state.problem->ops.size());
  return cost;
}

Result<Cost> TvmDomain::Evaluate(StateId id, Effort effort) {
  State& state = at(id);
  OPASS_ASSIGN_OR_RETURN(const memory::Schedule* quick, QuickOf(state));
  if (effort == Effort::kQuick) return CostOf(state, *quick);
  if (!state.full) {
    OPASS_ASSIGN_OR_RETURN(const memory::Schedule full,
                           orchestrator::FullSchedule(*state.graph, *quick, options_.plan));
    state.full = CostOf(state, full);
  }
  return *state.full;
}

std::vector<std::string> TvmDomain::DefaultOrder() const {
  std::vector<std::string> order;
  for (const std::string& pass : passes_) {
    const bool is_default = std::ranges::none_of(
        kNotByDefault, [&](std::string_view other) { return pass.starts_with(other); });
    if (is_default && !IsImprecise(pass)) order.push_back(pass);
  }
  return order;
}

}  // namespace opass::tvm
