#include "opass/allocators/disjunctive/search.h"

#include <algorithm>

namespace opass::allocators::disjunctive {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

Answer Search::Run(std::int64_t capacity, const SearchSettings& settings, std::uint64_t max_work) {
  random_.seed(settings.seed);
  decisions_.clear();
  state_.LimitWork(max_work > ~state_.work() ? ~std::uint64_t{0} : state_.work() + max_work);
  bool goes_on = state_.Start(capacity, settings.use_symmetry);
  while (!state_.IsSpent() && !(nodes_ % 64 == 63 && stop_ != nullptr && stop_->Asked())) {
    if (!goes_on) {
      if (decisions_.empty()) return Answer::kDoesNotFit;
      goes_on = Backtrack();
      continue;
    }
    const std::size_t conflict = Choose(settings);
    if (conflict == kNone) return Answer::kFits;
    const bool above = state_.Room(conflict, Side::kAbove) >= state_.Room(conflict, Side::kBelow);
    decisions_.push_back({conflict, above ? Side::kBelow : Side::kAbove, state_.Mark()});
    ++nodes_;
    goes_on = state_.Decide(conflict, above ? Side::kAbove : Side::kBelow);
  }
  ++nodes_;
  return Answer::kUnknown;
}

// Of the conflicts that are broken, the one with the least room on a side, rather one of blocks
// that failed often.
std::size_t Search::Choose(const SearchSettings& settings) {
  std::size_t chosen = kNone;
  double best = 0;
  for (std::size_t c = 0; c < instance_.conflicts.size(); ++c) {
    if (state_.IsKept(c)) continue;
    const auto below = static_cast<double>(state_.Room(c, Side::kBelow));
    const auto above = static_cast<double>(state_.Room(c, Side::kAbove));
    const Conflict& which = instance_.conflicts[c];
    double score = (std::min(below, above) + 1) / (failures_[which.a] + failures_[which.b]);
    if (settings.noise > 0) {
      score *= 1 + settings.noise * static_cast<double>(random_() % 1024) / 1024;
    }
    if (chosen != kNone && score >= best) continue;
    chosen = c;
    best = score;
  }
  return chosen;
}

// The other side of the last decision that has one left; false when that is refuted too.
bool Search::Backtrack() {
  Decision& last = decisions_.back();
  state_.UndoTo(last.mark);
  const Conflict& which = instance_.conflicts[last.conflict];
  failures_[which.a] += 1;
  failures_[which.b] += 1;
  if (last.other == Side::kOpen) {
    decisions_.pop_back();
    return false;
  }
  const Side side = last.other;
  last.other = Side::kOpen;
  ++nodes_;
  return state_.Decide(last.conflict, side);
}

}  // namespace opass::allocators::disjunctive
