#include "opass/orchestrator/effects.h"

#include <algorithm>

namespace opass::orchestrator {
namespace {

// What becomes possible must still be done, and may not add up.
constexpr double kDiscount = 0.7;
// A value comes back over so many actions.
constexpr int kSweeps = 4;
// No more than all can be gained.
constexpr double kMaxImplicit = 1;

double Share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Effects::AddDirect(KindId kind, double gain) {
  const PassId pass = graph_.PassOf(kind);
  if (by_kind_.size() <= kind.index()) by_kind_.resize(kind.index() + 1);
  if (by_pass_.size() <= pass.index()) by_pass_.resize(pass.index() + 1);
  for (Sum* sum : {&by_kind_[kind.index()], &by_pass_[pass.index()]}) {
    sum->gain += gain;
    ++sum->count;
  }
}

double Effects::Direct(KindId kind) const {
  const std::size_t pass = graph_.PassOf(kind).index();
  const Sum of_pass = pass < by_pass_.size() ? by_pass_[pass] : Sum();
  const Sum of_kind = kind.index() < by_kind_.size() ? by_kind_[kind.index()] : Sum();
  const double prior = of_pass.gain / static_cast<double>(of_pass.count + 1);
  return (of_kind.gain + prior) / static_cast<double>(of_kind.count + 1);
}

double Effects::Implicit(KindId kind) const {
  const std::int64_t worked = graph_.NumWorked(kind);
  if (!implicit_ || worked == 0) return 0;
  double sum = 0;
  for (const auto& [other, seen] : graph_.After(kind)) {
    // An action that does the work of another of its pass does not make it impossible.
    const bool same_pass = graph_.PassOf(other) == graph_.PassOf(kind);
    const double worth = std::max(Worth(other), 0.0);
    sum += worth *
           (Share(seen.appeared, worked) + Share(seen.enabled, seen.enabled + seen.absent + 1));
    if (same_pass) continue;
    sum -= worth *
           (Share(seen.vanished, worked) + Share(seen.destroyed, seen.destroyed + seen.kept + 1));
  }
  return std::clamp(kDiscount * sum, -kMaxImplicit, kMaxImplicit);
}

void Effects::Refresh() {
  worth_.assign(graph_.num_kinds(), 0);
  for (std::size_t i = 0; i < worth_.size(); ++i) worth_[i] = Direct(KindId(i));
  if (!implicit_) return;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::vector<double> next(worth_.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = Direct(KindId(i)) + Implicit(KindId(i));
    }
    worth_ = std::move(next);
  }
}

}  // namespace opass::orchestrator
