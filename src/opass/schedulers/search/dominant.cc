#include "opass/schedulers/search/dominant.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "opass/schedulers/search/components.h"
#include "opass/schedulers/search/memory_profile.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using Ops = std::vector<OpId>;

// One level of recursion for each step.
constexpr std::size_t kMaxOps = 3000;
constexpr std::uint64_t kNodesPerInterrupt = 64;

class Search {
 public:
  Search(const StepGraph& graph, const DominantOptions& options)
      : options_(options),
        state_(graph, options.direction),
        components_(graph),
        in_group_(graph.num_ops(), 0) {}

  Dominant Run() {
    if (state_.graph().num_ops() > kMaxOps) return {};
    Ops all;
    for (std::size_t i = 0; i < state_.graph().num_ops(); ++i) all.emplace_back(i);
    const MemoryProfile profile = SolveGroups(all);
    Dominant found;
    found.nodes = nodes_;
    found.looks = looks();
    if (stopped_) return found;
    OpChains::Chain chain = OpChains::kEmpty;
    for (const ProfileSegment& segment : profile.segments) chain = chains_.Join(chain, segment.ops);
    found.order = chains_.Flat(chain);
    if (options_.direction == Direction::kReverse) {
      std::reverse(found.order->begin(), found.order->end());
    }
    return found;
  }

 private:
  struct Choice {
    std::int64_t step_bytes;
    std::int64_t live_bytes;
    OpId op;
    friend bool operator<(const Choice& a, const Choice& b) {
      return std::tie(a.step_bytes, a.live_bytes, a.op) <
             std::tie(b.step_bytes, b.live_bytes, b.op);
    }
  };

  // The best order of all operators not taken among `ops`: the steps of its segments.
  std::vector<ProfileSegment> StepsOf(const Ops& ops) {
    std::vector<const MemoryProfile*> profiles;
    for (Ops& group : components_.Split(state_, ops)) {
      profiles.push_back(&Solve(std::move(group)));
      if (stopped_) return {};
    }
    return MergeProfiles(profiles);
  }

  MemoryProfile SolveGroups(const Ops& ops) { return ProfileOf(StepsOf(ops), chains_); }

  // The profile of a group, which depends on nothing else: all that it waits for is taken.
  const MemoryProfile& Solve(Ops group) {
    if (const auto known = known_.find(group); known != known_.end()) return known->second;
    MemoryProfile best;
    if (!OutOfWork(group.size())) best = Best(group);
    memo_bytes_ += group.size() * sizeof(OpId) + best.segments.size() * sizeof(ProfileSegment);
    return known_.emplace(std::move(group), std::move(best)).first->second;
  }

  // The profile that dominates those of all first steps. There is one (Jin et al.); were there not,
  // nothing would be proved.
  MemoryProfile Best(const Ops& group) {
    if (const OpId last = OnlyLast(group); last.valid()) return EndingWith(last, group);
    const std::vector<Choice> choices = Choices(group);
    std::vector<MemoryProfile> best;  // none dominates another
    for (std::size_t i = 0; i < choices.size() && !stopped_; ++i) {
      Offer(best, StartingWith(choices[i], group));
      if (i + 1 < choices.size() && Commits(choices[i], choices[i + 1], best)) break;
    }
    stopped_ |= best.size() != 1;
    return std::move(best.front());
  }

  static void Offer(std::vector<MemoryProfile>& best, MemoryProfile profile) {
    for (const MemoryProfile& other : best) {
      if (Dominates(other, profile)) return;
    }
    std::erase_if(best, [&](const MemoryProfile& other) { return Dominates(profile, other); });
    best.push_back(std::move(profile));
  }

  std::vector<Choice> Choices(const Ops& group) const {
    std::vector<Choice> choices;
    for (const OpId op : group) {
      if (!state_.is_ready(op)) continue;
      const StepCost cost = state_.Cost(op);
      choices.push_back({cost.step_bytes, cost.live_bytes, op});
    }
    std::sort(choices.begin(), choices.end());
    return choices;
  }

  MemoryProfile StartingWith(const Choice& choice, const Ops& group) {
    const std::int64_t live_before = state_.live_bytes();
    const std::int64_t change = choice.live_bytes - live_before;
    state_.Take(choice.op);
    std::vector<ProfileSegment> steps = StepsOf(Without(choice.op, group));
    state_.Undo();
    for (ProfileSegment& step : steps) {
      step.hill_bytes += change;
      step.end_bytes += change;
    }
    steps.insert(steps.begin(), {choice.step_bytes - live_before, change, chains_.Of(choice.op)});
    return ProfileOf(steps, chains_);
  }

  // The operator that waits for all others of the group, if there is one.
  OpId OnlyLast(const Ops& group) {
    if (group.size() == 1) return OpId();
    ++round_;
    for (const OpId op : group) in_group_[op.index()] = round_;
    OpId last;
    for (const OpId op : group) {
      const auto waiting = state_.waiting_for(op);
      looks_ += waiting.size();
      const bool is_last = std::none_of(waiting.begin(), waiting.end(), [&](OpId other) {
        return in_group_[other.index()] == round_;
      });
      if (!is_last) continue;
      if (last.valid()) return OpId();
      last = op;
    }
    return last;
  }

  // The others may then be independent.
  MemoryProfile EndingWith(OpId last, const Ops& group) {
    const std::int64_t live_before = state_.live_bytes();
    const std::size_t num_taken = state_.num_taken();
    std::vector<ProfileSegment> steps = StepsOf(Without(last, group));
    if (stopped_) return {};
    for (const ProfileSegment& step : steps) {
      for (const OpId op : chains_.Flat(step.ops)) state_.Take(op);
    }
    const StepCost cost = state_.Cost(last);
    state_.UndoTo(num_taken);
    looks_ += group.size();
    steps.push_back(
        {cost.step_bytes - live_before, cost.live_bytes - live_before, chains_.Of(last)});
    return ProfileOf(steps, chains_);
  }

  static Ops Without(OpId without, const Ops& group) {
    Ops rest;
    for (const OpId op : group) {
      if (op != without) rest.push_back(op);
    }
    return rest;
  }

  // No first step after `tried` can be better (design "scheduling", R1 and R2): whatever an order
  // starts with needs as much as this one does to come to a lower point.
  bool Commits(const Choice& tried, const Choice& next,
               const std::vector<MemoryProfile>& best) const {
    if (tried.live_bytes <= state_.live_bytes()) return true;
    const std::int64_t next_hill = next.step_bytes - state_.live_bytes();
    return std::any_of(best.begin(), best.end(), [&](const MemoryProfile& profile) {
      if (profile.num_falling == 0) return false;
      const ProfileSegment& first = profile.segments.front();
      return first.hill_bytes < next_hill &&
             std::all_of(best.begin(), best.end(), [&](const MemoryProfile& other) {
               return LowestFromStart(other, first.hill_bytes) >= first.end_bytes;
             });
    });
  }

  std::uint64_t looks() const { return looks_ + components_.work(); }

  bool OutOfWork(std::size_t group_size) {
    ++nodes_;
    looks_ += group_size;
    stopped_ |= nodes_ > options_.max_nodes || looks() > options_.max_looks ||
                memo_bytes_ > options_.max_memo_bytes ||
                (nodes_ % kNodesPerInterrupt == 0 && Interrupted());
    return stopped_;
  }

  const DominantOptions& options_;
  StepState state_;
  Components components_;
  OpChains chains_;
  std::map<Ops, MemoryProfile> known_;
  std::vector<std::uint32_t> in_group_;  // per operator: the last round it was in the group of
  std::uint32_t round_ = 0;
  bool stopped_ = false;
  std::uint64_t nodes_ = 0;
  std::uint64_t looks_ = 0;
  std::size_t memo_bytes_ = 0;
};

}  // namespace

Dominant FindDominant(const StepGraph& graph, const DominantOptions& options) {
  return Search(graph, options).Run();
}

}  // namespace opass::schedulers
