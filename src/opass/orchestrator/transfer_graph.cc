#include "opass/orchestrator/transfer_graph.h"

#include <algorithm>

namespace opass::orchestrator {
namespace {

// So far what a trial tells is passed on.
constexpr int kMaxDepth = 8;
// Weight of the rate over all kinds against what was seen of two given kinds.
constexpr double kPriorWeight = 2;
// Nothing that was not tried is certain.
constexpr double kMinChance = 0.01;

}  // namespace

void Transitions::AddTrials(bool before, bool after) {
  if (before) {
    ++(after ? kept : destroyed);
  } else {
    ++(after ? enabled : absent);
  }
}

bool TransferGraph::Has(StateId state) const {
  return state.index() < states_.size() && states_[state.index()].is_known;
}

std::span<const Choice> TransferGraph::Choices(StateId state) const {
  return states_[state.index()].choices;
}

std::span<const Opportunity> TransferGraph::Opportunities(StateId state) const {
  return states_[state.index()].opportunities;
}

Opportunity* TransferGraph::FindIn(StateId state, KindId kind) {
  std::vector<Opportunity>& all = states_[state.index()].opportunities;
  const auto found = std::ranges::lower_bound(all, kind, {}, &Opportunity::kind);
  return found == all.end() || found->kind != kind ? nullptr : &*found;
}

const Opportunity* TransferGraph::Find(StateId state, KindId kind) const {
  return const_cast<TransferGraph*>(this)->FindIn(state, kind);
}

KindId TransferGraph::Intern(const Action& action) {
  const auto [entry, is_new] = kinds_.emplace(action.kind, KindId(pass_of_.size()));
  if (is_new) {
    const auto [pass, is_new_pass] = passes_.emplace(action.pass, PassId(num_passes_));
    num_passes_ += is_new_pass ? 1 : 0;
    pass_of_.push_back(pass->second);
    tried_.push_back(0);
    worked_.push_back(0);
    after_.emplace_back();
  }
  return entry->second;
}

void TransferGraph::AddState(StateId state, std::span<const Action> actions) {
  if (Has(state)) return;
  State& added = At(state);
  added.is_known = true;
  std::vector<KindId> kinds;
  for (const Action& action : actions) {
    added.choices.push_back({Intern(action), false, StateId()});
    kinds.push_back(added.choices.back().kind);
  }
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  for (const KindId kind : kinds) {
    added.opportunities.push_back({kind, false, false, WorkRate(kind)});
  }
  for (const std::size_t edge : added.in_edges) Compare(edge);
}

void TransferGraph::AddTrial(StateId from, std::size_t action, StateId to) {
  Choice& choice = states_[from.index()].choices[action];
  choice.tried = true;
  choice.to = to;
  const KindId kind = choice.kind;
  ++tried_[kind.index()];
  worked_[kind.index()] += to.valid() ? 1 : 0;
  ++num_tried_;
  num_worked_ += to.valid() ? 1 : 0;
  Learn(from, *FindIn(from, kind), to.valid());
  if (to.valid()) AddEdge({from, to, kind});
}

TransferGraph::State& TransferGraph::At(StateId state) {
  if (states_.size() <= state.index()) states_.resize(state.index() + 1);
  return states_[state.index()];
}

void TransferGraph::AddEdge(const Edge& edge) {
  At(edge.from).out_edges.push_back(edges_.size());
  At(edge.to).in_edges.push_back(edges_.size());
  edges_.push_back(edge);
  if (Has(edge.to)) Compare(edges_.size() - 1);
}

void TransferGraph::Compare(std::size_t index) {
  const Edge edge = edges_[index];
  // There or not: the lists alone tell it.
  for (const KindId kind : Appeared(edge.from, edge.to)) {
    ++after_[edge.kind.index()][kind].appeared;
  }
  for (const KindId kind : Appeared(edge.to, edge.from)) {
    ++after_[edge.kind.index()][kind].vanished;
  }
  const bool is_first = At(edge.to).in_edges.front() == index && edge.to != kStart;
  for (Opportunity& after : At(edge.to).opportunities) {
    const Opportunity* before = Find(edge.from, after.kind);
    if (before == nullptr) continue;
    if (before->tried && after.tried) Record(edge, after.kind, before->works, after.works);
    if (is_first && !after.tried) after.chance = Forward(edge, after.kind);
  }
}

std::vector<KindId> TransferGraph::Appeared(StateId from, StateId to) const {
  std::vector<KindId> appeared;
  for (const Opportunity& opportunity : Opportunities(to)) {
    if (Find(from, opportunity.kind) == nullptr) appeared.push_back(opportunity.kind);
  }
  return appeared;
}

void TransferGraph::Learn(StateId state, Opportunity& opportunity, bool works) {
  const bool is_news = !opportunity.tried || (works && !opportunity.works);
  const bool is_first = !opportunity.tried;
  opportunity.tried = true;
  opportunity.works = opportunity.works || works;
  opportunity.chance = opportunity.works ? 1 : WorkRate(opportunity.kind) / 2;
  if (!is_news) return;
  const KindId kind = opportunity.kind;
  for (const std::size_t edge : states_[state.index()].out_edges) {
    const Opportunity* after = Find(edges_[edge].to, kind);
    if (is_first && after != nullptr && after->tried) {
      Record(edges_[edge], kind, works, after->works);
    }
  }
  for (const std::size_t edge : states_[state.index()].in_edges) {
    const Opportunity* before = Find(edges_[edge].from, kind);
    if (is_first && before != nullptr && before->tried) {
      Record(edges_[edge], kind, before->works, works);
    }
  }
  PassOn(state, kind, 0);
  PassBack(state, kind, 0);
}

void TransferGraph::Record(const Edge& edge, KindId kind, bool before, bool after) {
  if (edge.kind == kind) return;  // an action uses itself up
  after_[edge.kind.index()][kind].AddTrials(before, after);
  all_by_trial_.AddTrials(before, after);
}

double TransferGraph::WorkRate(KindId kind) const {
  // Hope, until trials say otherwise: of any kind at first, then of this one.
  const double overall = static_cast<double>(num_worked_ + 1) / static_cast<double>(num_tried_ + 1);
  return (static_cast<double>(worked_[kind.index()]) + overall) /
         static_cast<double>(tried_[kind.index()] + 1);
}

double TransferGraph::EnableRate(KindId cause, KindId kind) const {
  const auto found = after_[cause.index()].find(kind);
  const Transitions seen = found == after_[cause.index()].end() ? Transitions() : found->second;
  const double overall = (static_cast<double>(all_by_trial_.enabled) + 0.1) /
                         (static_cast<double>(all_by_trial_.enabled + all_by_trial_.absent) + 1);
  return (static_cast<double>(seen.enabled) + kPriorWeight * overall) /
         (static_cast<double>(seen.enabled + seen.absent) + kPriorWeight);
}

double TransferGraph::KeepRate(KindId cause, KindId kind) const {
  const auto found = after_[cause.index()].find(kind);
  const Transitions seen = found == after_[cause.index()].end() ? Transitions() : found->second;
  const double overall = (static_cast<double>(all_by_trial_.kept) + 1) /
                         (static_cast<double>(all_by_trial_.kept + all_by_trial_.destroyed) + 1);
  return (static_cast<double>(seen.kept) + kPriorWeight * overall) /
         (static_cast<double>(seen.kept + seen.destroyed) + kPriorWeight);
}

double TransferGraph::Forward(const Edge& edge, KindId kind) const {
  const Opportunity* before = Find(edge.from, kind);
  const double chance = before->tried ? (before->works ? 1.0 : 0.0) : before->chance;
  // An action uses itself up, or does not: only trials tell.
  if (edge.kind == kind) return WorkRate(kind) / 2;
  return chance * KeepRate(edge.kind, kind) + (1 - chance) * EnableRate(edge.kind, kind);
}

// To successors where the kind was not tried.
void TransferGraph::PassOn(StateId state, KindId kind, int depth) {
  if (depth == kMaxDepth) return;
  for (const std::size_t index : states_[state.index()].out_edges) {
    const Edge edge = edges_[index];
    Opportunity* after = FindIn(edge.to, kind);
    // A state learns from the path by which it was reached first.
    if (after == nullptr || after->tried || edge.to == kStart) continue;
    if (states_[edge.to.index()].in_edges.front() != index) continue;
    after->chance = Forward(edge, kind);
    PassOn(edge.to, kind, depth + 1);
  }
}

// To predecessors where the kind was not tried: Bayes' rule, from what actions keep and enable.
void TransferGraph::PassBack(StateId state, KindId kind, int depth) {
  if (depth == kMaxDepth) return;
  const Opportunity after = *Find(state, kind);
  const double works = after.tried ? (after.works ? 1.0 : 0.0) : after.chance;
  for (const std::size_t index : states_[state.index()].in_edges) {
    // Beyond the direct predecessors along one path only: there can be very many.
    if (depth > 0 && index != states_[state.index()].in_edges.front()) continue;
    const Edge edge = edges_[index];
    Opportunity* before = FindIn(edge.from, kind);
    if (before == nullptr || before->tried || edge.kind == kind) continue;
    const double keep = KeepRate(edge.kind, kind);
    const double enable = EnableRate(edge.kind, kind);
    const double chance = std::clamp(before->chance, kMinChance, 1 - kMinChance);
    const double there = chance * (works * keep + (1 - works) * (1 - keep));
    const double absent = (1 - chance) * (works * enable + (1 - works) * (1 - enable));
    if (there + absent <= 0) continue;
    before->chance = std::clamp(there / (there + absent), kMinChance, 1 - kMinChance);
    PassBack(edge.from, kind, depth + 1);
  }
}

}  // namespace opass::orchestrator
