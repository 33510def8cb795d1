#include "opass/schedulers/search/split.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "opass/bounds/cheapest_state.h"
#include "opass/schedulers/search/part.h"
#include "opass/schedulers/search/step_state.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using bounds::CheapestState;
using memory::OpId;

constexpr std::size_t kMaxCandidates = 16;
constexpr int kMaxMoves = 12;  // from a candidate to a cheaper state

class Certifier {
 public:
  Certifier(const memory::StorageGraph& graph, std::span<const OpId> executed)
      : graph_(graph), state_(graph), inside_(graph.num_ops(), false) {
    for (const OpId op : executed) inside_[op.index()] = true;
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      const OpId op(i);
      const memory::StorageOp& facts = graph.op(op);
      const auto inside = [&](OpId other) { return bool{inside_[other.index()]}; };
      if (inside_[i]) {
        if (std::none_of(facts.successors.begin(), facts.successors.end(), inside)) {
          last_.push_back(op);
        }
      } else if (std::all_of(facts.predecessors.begin(), facts.predecessors.end(), inside)) {
        first_.push_back(op);
      }
    }
  }

  bool Run(std::vector<OpId>& cheaper, std::uint64_t& work) {
    Execute(last_);
    Postpone(first_);
    const auto live = state_.Minimize(OpId(), work);
    if (!live) return false;
    for (const OpId op : last_) {
      state_.Reset();
      Execute(last_);
      Postpone(graph_.op(op).successors);
      if (!IsLeast(*live, cheaper, work)) return false;
    }
    for (const OpId op : first_) {
      state_.Reset();
      Postpone(first_);
      Execute(graph_.op(op).predecessors);
      if (!IsLeast(*live, cheaper, work)) return false;
    }
    return true;
  }

 private:
  void Execute(const std::vector<OpId>& ops) {
    for (const OpId op : ops) state_.Execute(op);
  }
  void Postpone(const std::vector<OpId>& ops) {
    for (const OpId op : ops) state_.Postpone(op);
  }

  bool IsLeast(std::int64_t live, std::vector<OpId>& cheaper, std::uint64_t& work) {
    if (Interrupted()) work = 0;
    const std::optional<std::int64_t> least = state_.Minimize(OpId(), work);
    if (!least) return false;
    if (*least < live) cheaper = state_.Executed();
    return *least >= live;
  }

  const memory::StorageGraph& graph_;
  CheapestState state_;
  std::vector<bool> inside_;
  std::vector<OpId> last_;   // in the set, none of it needs them
  std::vector<OpId> first_;  // not in the set, all they need is in it
};

class Splitter {
 public:
  Splitter(const memory::StorageGraph& graph, std::span<const OpId> order, std::uint64_t max_work)
      : graph_(graph), work_(max_work) {
    found_.order.assign(order.begin(), order.end());
  }

  SplitOrder Run() {
    std::vector<std::pair<std::size_t, std::size_t>> intervals{{0, found_.order.size()}};
    while (!intervals.empty()) {
      const auto [first, last] = intervals.back();
      intervals.pop_back();
      if (last - first < 2 || work_ == 0 || Interrupted()) continue;
      const std::optional<std::size_t> at = SplitInterval(first, last);
      if (!at) continue;
      found_.splits.push_back(*at);
      intervals.emplace_back(*at, last);
      intervals.emplace_back(first, *at);
    }
    return std::move(found_);
  }

 private:
  // Rearranges the interval so that a split is a prefix of it; returns where it ends.
  std::optional<std::size_t> SplitInterval(std::size_t first, std::size_t last) {
    work_ -= std::min<std::uint64_t>(work_, graph_.num_ops() + graph_.num_storages());
    const std::span<const OpId> all(found_.order);
    const Part part(graph_, all.first(first), all.subspan(first, last - first));
    const std::vector<OpId> order = part.GivenOrder();
    std::set<std::vector<OpId>> refused;
    for (const std::size_t length : Candidates(part)) {
      std::vector<OpId> executed(order.begin(),
                                 order.begin() + static_cast<std::ptrdiff_t>(length));
      if (!Move(part, executed, refused)) continue;
      const std::vector<OpId> inside = part.InWhole(executed);
      if (inside.empty() || inside.size() == last - first) continue;
      std::vector<bool> is_inside(graph_.num_ops(), false);
      for (const OpId op : inside) is_inside[op.index()] = true;
      const auto begin = found_.order.begin() + static_cast<std::ptrdiff_t>(first);
      std::stable_partition(begin, begin + static_cast<std::ptrdiff_t>(last - first),
                            [&](OpId op) { return bool{is_inside[op.index()]}; });
      return first + inside.size();
    }
    return std::nullopt;
  }

  // The lengths of prefixes of the given order with fewer live bytes than their neighbours, the
  // fewest first.
  static std::vector<std::size_t> Candidates(const Part& part) {
    StepState state(part.steps(), Direction::kForward);
    std::vector<std::int64_t> live{state.live_bytes()};
    for (const OpId op : part.GivenOrder()) {
      state.Take(op);
      live.push_back(state.live_bytes());
    }
    std::vector<std::size_t> lengths;
    for (std::size_t i = 1; i + 1 < live.size(); ++i) {
      if (live[i] <= live[i - 1] && live[i] <= live[i + 1]) lengths.push_back(i);
    }
    std::stable_sort(lengths.begin(), lengths.end(),
                     [&](std::size_t a, std::size_t b) { return live[a] < live[b]; });
    lengths.resize(std::min(lengths.size(), kMaxCandidates));
    return lengths;
  }

  // From state to cheaper state until one is a split.
  bool Move(const Part& part, std::vector<OpId>& executed, std::set<std::vector<OpId>>& refused) {
    for (int i = 0; i < kMaxMoves; ++i) {
      std::sort(executed.begin(), executed.end());
      if (executed.empty() || executed.size() == part.graph().num_ops()) return false;
      if (!refused.insert(executed).second) return false;
      std::vector<OpId> cheaper;
      if (IsSplit(part.graph(), executed, cheaper, work_)) return true;
      if (work_ == 0) return false;
      executed = std::move(cheaper);
    }
    return false;
  }

  const memory::StorageGraph& graph_;
  std::uint64_t work_;
  SplitOrder found_;
};

}  // namespace

bool IsSplit(const memory::StorageGraph& graph, std::span<const OpId> executed,
             std::vector<OpId>& cheaper, std::uint64_t& work) {
  cheaper.clear();
  return Certifier(graph, executed).Run(cheaper, work);
}

SplitOrder SplitAlong(const memory::StorageGraph& graph, std::span<const OpId> order,
                      std::uint64_t max_work) {
  return Splitter(graph, order, max_work).Run();
}

}  // namespace opass::schedulers
