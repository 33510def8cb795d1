#include "opass/orchestrator/native/native_domain.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/ops/macs.h"
#include "opass/orchestrator/native/power_mean.h"

namespace opass::orchestrator {
namespace {

// Passes that make copies could go on for long.
constexpr std::int64_t kMaxGrowth = 2;
constexpr std::int64_t kFreeGrowth = 64;

std::int64_t NumNodes(const ir::Model& model) {
  return static_cast<std::int64_t>(model.graph.order.size());
}

}  // namespace

Result<std::unique_ptr<NativeDomain>> NativeDomain::Make(ir::Model model, NativeOptions options) {
  std::unique_ptr<NativeDomain> domain(new NativeDomain(std::move(options)));
  domain->weights_.AddStart(model);
  domain->start_macs_ = ops::Macs(model.graph);
  const ir::Hash128 hash = domain->hasher_.Hash(model);
  domain->Add(hash, std::move(model), {});
  OPASS_RETURN_IF_ERROR(domain->ProblemOf(kStart));
  return domain;
}

StateId NativeDomain::Add(const ir::Hash128& hash, ir::Model model, State state) {
  const StateId id(states_.size());
  by_hash_.emplace(hash, id);
  state.macs = ops::Macs(model.graph);
  state.num_nodes = NumNodes(model);
  states_.push_back(std::move(state));
  Keep(id, std::make_shared<const ir::Model>(std::move(model)));
  return id;
}

void NativeDomain::Keep(StateId id, std::shared_ptr<const ir::Model> model) {
  State& state = at(id);
  state.model = std::move(model);
  state.last_used = ++clock_;
  if (id == kStart) return;
  kept_nodes_ += state.num_nodes;
  kept_bytes_ += state.own_bytes;
  Evict(id);
}

void NativeDomain::Evict(StateId except) {
  while (kept_nodes_ > options_.max_kept_nodes || kept_bytes_ > options_.max_kept_bytes) {
    State* oldest = nullptr;
    for (std::size_t i = 1; i < states_.size(); ++i) {
      State& state = states_[i];
      if (state.model == nullptr || StateId(i) == except) continue;
      if (oldest == nullptr || state.last_used < oldest->last_used) oldest = &state;
    }
    if (oldest == nullptr) return;
    oldest->model = nullptr;
    oldest->actions = std::nullopt;
    kept_nodes_ -= oldest->num_nodes;
    kept_bytes_ -= oldest->own_bytes;
  }
}

Result<std::shared_ptr<const ir::Model>> NativeDomain::ModelOf(StateId id) {
  std::vector<StateId> to_make;
  while (at(id).model == nullptr) {
    to_make.push_back(id);
    id = at(id).parent;
  }
  at(id).last_used = ++clock_;
  std::shared_ptr<const ir::Model> model = at(id).model;
  for (auto next = to_make.rbegin(); next != to_make.rend(); ++next) {
    ir::Model made = *model;
    OPASS_RETURN_IF_ERROR(ApplyAction(made, at(*next).action));
    weights_.Share(made, hasher_);
    model = std::make_shared<const ir::Model>(std::move(made));
    Keep(*next, model);
  }
  return model;
}

Result<const NativeDomain::Listed*> NativeDomain::ListedOf(StateId id) {
  if (!at(id).actions) {
    // Always of the cheapest schedule: lists must not depend on what else is known of the state,
    // and many states are listed that are never scheduled.
    OPASS_ASSIGN_OR_RETURN(const memory::Schedule* order, NearLinearOf(id));
    const std::vector<bool> at_peak = ValuesAtPeak(*posed_.problem, *order);
    OPASS_ASSIGN_OR_RETURN(const auto model, ModelOf(id));
    at(id).actions = ProposeActions(*model, at_peak, options_.actions);
  }
  return &*at(id).actions;
}

Result<std::vector<Action>> NativeDomain::Propose(StateId state) {
  OPASS_ASSIGN_OR_RETURN(const Listed* listed, ListedOf(state));
  std::vector<Action> actions;
  for (const NativeAction& action : *listed) actions.push_back(action.shown);
  return actions;
}

Result<std::optional<StateId>> NativeDomain::Apply(StateId state, std::size_t action) {
  const auto [entry, is_new] = applied_.try_emplace({state, action});
  if (!is_new) return entry->second;
  OPASS_ASSIGN_OR_RETURN(const Listed* listed, ListedOf(state));
  const NativeAction what = (*listed)[action];
  OPASS_ASSIGN_OR_RETURN(const auto before, ModelOf(state));
  ir::Model model = *before;
  const Result<bool> applied = ApplyAction(model, what);
  if (!applied.ok()) {
    if (applied.error().code == ErrorCode::kInterrupted) return applied.error();
    failures_.push_back(fmt::format("{}: {}", what.shown.name, applied.error().ToString()));
    return std::optional<StateId>();
  }
  if (!*applied || NumNodes(model) > kMaxGrowth * states_[0].num_nodes + kFreeGrowth) {
    return std::optional<StateId>();
  }
  const ir::Hash128 hash = hasher_.Hash(model);
  const auto known = by_hash_.find(hash);
  if (known != by_hash_.end()) {
    if (known->second != state) entry->second = known->second;
    return entry->second;
  }
  State reached;
  reached.parent = state;
  reached.action_index = action;
  reached.action = what;
  reached.own_bytes = weights_.Share(model, hasher_);
  entry->second = Add(hash, std::move(model), std::move(reached));
  return entry->second;
}

Result<const StateProblem*> NativeDomain::ProblemOf(StateId id) {
  if (posed_.state != id) {
    OPASS_ASSIGN_OR_RETURN(const auto model, ModelOf(id));
    OPASS_ASSIGN_OR_RETURN(auto problem, StateProblem::Make(*model, options_.pose));
    posed_ = {id, std::move(problem), std::nullopt, std::nullopt};
  }
  return posed_.problem.get();
}

Result<Bound> NativeDomain::LowerBound(StateId id) {
  if (!at(id).bound) {
    OPASS_ASSIGN_OR_RETURN(const StateProblem* problem, ProblemOf(id));
    at(id).bound = Bound{QuickBound(problem->graph()), at(id).macs - start_macs_};
  }
  return *at(id).bound;
}

Result<const memory::Schedule*> NativeDomain::NearLinearOf(StateId id) {
  OPASS_ASSIGN_OR_RETURN(const StateProblem* problem, ProblemOf(id));
  if (!posed_.near_linear) {
    OPASS_ASSIGN_OR_RETURN(posed_.near_linear, NearLinearSchedule(problem->graph()));
  }
  return &*posed_.near_linear;
}

Result<const memory::Schedule*> NativeDomain::QuickOf(StateId id) {
  OPASS_ASSIGN_OR_RETURN(const Bound bound, LowerBound(id));
  OPASS_ASSIGN_OR_RETURN(const memory::Schedule* near_linear, NearLinearOf(id));
  if (!posed_.quick) {
    OPASS_ASSIGN_OR_RETURN(posed_.quick,
                           QuickSchedule(posed_.problem->graph(), *near_linear, bound.peak_bytes));
  }
  return &*posed_.quick;
}

Cost NativeDomain::CostOf(StateId id, const memory::Schedule& schedule) {
  Cost cost;
  cost.peak_bytes = schedule.peak_bytes;
  const auto num_steps = static_cast<std::size_t>(states_[0].num_nodes);
  cost.norm_bytes = PowerMean(schedule.step_bytes, num_steps);
  cost.extra_macs = at(id).macs - start_macs_;
  cost.num_nodes = at(id).num_nodes;
  return cost;
}

Result<Cost> NativeDomain::Evaluate(StateId id, Effort effort) {
  std::optional<Cost> State::*const known = effort == Effort::kQuick ? &State::quick : &State::full;
  if (at(id).*known) return *(at(id).*known);
  OPASS_ASSIGN_OR_RETURN(const memory::Schedule* quick, QuickOf(id));
  at(id).quick = CostOf(id, *quick);
  if (effort == Effort::kQuick) return *at(id).quick;
  if (quick->peak_bytes <= at(id).bound->peak_bytes) {
    at(id).full = at(id).quick;
  } else {
    OPASS_ASSIGN_OR_RETURN(const memory::Schedule full,
                           FullSchedule(posed_.problem->graph(), *quick, options_.plan));
    at(id).full = CostOf(id, full);
  }
  return *at(id).full;
}

Result<ir::Model> NativeDomain::Scheduled(StateId id) {
  OPASS_ASSIGN_OR_RETURN(const memory::Schedule* quick, QuickOf(id));
  memory::Schedule schedule = *quick;
  if (quick->peak_bytes > at(id).bound->peak_bytes) {
    OPASS_ASSIGN_OR_RETURN(schedule, FullSchedule(posed_.problem->graph(), *quick, options_.plan));
  }
  OPASS_ASSIGN_OR_RETURN(const auto model, ModelOf(id));
  ir::Model ordered = *model;
  ordered.graph.order.clear();
  for (const memory::OpId op : schedule.order) {
    ordered.graph.order.push_back(posed_.problem->posed().node_of_op[op.index()]);
  }
  return ordered;
}

Result<NativeStep> NativeDomain::StepOf(StateId from, std::size_t action) {
  OPASS_ASSIGN_OR_RETURN(const std::optional<StateId> to, Apply(from, action));
  if (!to) return InternalError("a step that changes nothing");
  OPASS_ASSIGN_OR_RETURN(const Listed* listed, ListedOf(from));
  return NativeStep{from, *to, action, (*listed)[action]};
}

std::vector<NativeStep> NativeDomain::PathTo(StateId id) const {
  std::vector<NativeStep> steps;
  while (id != kStart) {
    const State& state = states_[id.index()];
    steps.push_back({state.parent, id, state.action_index, state.action});
    id = state.parent;
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace opass::orchestrator
