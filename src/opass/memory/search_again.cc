#include "opass/memory/search_again.h"

#include <algorithm>

#include "opass/memory/visited_states.h"
#include "opass/support/interrupt.h"

namespace opass::memory::check {
namespace {

constexpr std::uint64_t kStatesPerInterrupt = 4096;

class Search {
 public:
  Search(const Recount& recount, const Between& part, std::int64_t budget_bytes,
         const SearchLimits& limits)
      : recount_(recount), budget_bytes_(budget_bytes), limits_(limits), visited_(1) {
    const Problem& problem = recount.state().problem;
    local_.assign(problem.ops.size(), kOutside);
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
      if (part.executed[i] || !part.allowed[i]) continue;
      local_[i] = ops_.size();
      ops_.push_back(ReadOp(OpId(i)));
    }
    for (Op& op : ops_) Link(op);
    Begin(part);
  }

  SearchedAgain Run() {
    SearchedAgain found;
    found.answer = Walk();
    found.states = visited_.size();
    return found;
  }

 private:
  static constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

  struct Op {
    OpId id;
    std::int64_t own_bytes = 0;
    std::int64_t most_gain = 0;
    bool one_taker = false;
    std::vector<std::size_t> reads;       // families
    std::vector<std::size_t> candidates;  // those of them that its outputs may take over
    std::int64_t stays_bytes = 0;         // of its outputs that somebody needs
    std::vector<std::size_t> next;        // operators of the part that wait for it
    std::size_t waits = 0;                // for so many of the part that did not run
  };
  struct Frame {
    std::size_t op;     // that led here
    std::size_t first;  // of `ready_`: what can run next here; to its end for the last frame
    std::size_t next;   // the first of them not tried
  };

  Op ReadOp(OpId id) const {
    Op op;
    op.id = id;
    op.own_bytes = recount_.OwnBytes(id);
    op.reads = recount_.ReadBy(id);
    op.candidates = recount_.Candidates(id);
    op.one_taker = recount_.NumTakers(id) == 1;
    op.most_gain = recount_.Gain(id, [](std::size_t) { return true; });
    return op;
  }

  void Link(Op& op) {
    const Problem& problem = recount_.state().problem;
    std::vector<std::size_t> before;
    for (const ValueId input : problem.op(op.id).inputs) {
      const OpId producer = problem.value(input).producer;
      if (producer.valid() && local_[producer.index()] != kOutside) {
        before.push_back(local_[producer.index()]);
      }
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    op.waits = before.size();
    for (const std::size_t other : before) ops_[other].next.push_back(local_[op.id.index()]);
  }

  void Begin(const Between& part) {
    const State& state = recount_.state();
    left_.resize(state.families.size());
    for (std::size_t i = 0; i < state.families.size(); ++i) {
      size_.push_back(recount_.SizeOf(i));
      kept_.push_back(state.families[i].kept);
      waits_.push_back(recount_.Waits(i));
      const std::vector<OpId>& readers = recount_.readers(i);
      left_[i] = static_cast<std::size_t>(std::count_if(
          readers.begin(), readers.end(), [&](OpId id) { return !part.executed[id.index()]; }));
      const bool needed = kept_[i] || left_[i] > 0;
      const OpId producer = state.problem.value(state.families[i].root).producer;
      const bool is_here = producer.valid() ? bool{part.executed[producer.index()]}
                           : waits_[i]      ? left_[i] < readers.size()
                                            : true;
      if (needed && is_here) live_bytes_ += size_[i];
      if (producer.valid() && local_[producer.index()] != kOutside && needed) {
        ops_[local_[producer.index()]].stays_bytes += size_[i];
      }
    }
    words_.assign(ops_.size() / 64 + 1, 0);
    visited_ = VisitedStates(words_.size());
  }

  // Depth first, without recursion.
  SearchedAgain::Answer Walk() {
    using Answer = SearchedAgain::Answer;
    if (ops_.empty()) return live_bytes_ <= budget_bytes_ ? Answer::kOrder : Answer::kNoOrder;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (ops_[i].waits == 0) ready_.push_back(i);
    }
    frames_.push_back({kOutside, 0, 0});
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == ready_.size()) {
        Leave();
        continue;
      }
      const std::size_t op = ready_[frame.next++];
      if (StepBytes(ops_[op]) > budget_bytes_) continue;
      words_[op / 64] ^= std::uint64_t{1} << op % 64;
      if (!visited_.Insert(words_.data())) {
        words_[op / 64] ^= std::uint64_t{1} << op % 64;
        continue;
      }
      if (frames_.size() == ops_.size()) return Answer::kOrder;
      if (visited_.size() >= limits_.max_states || visited_.num_bytes() > limits_.max_bytes ||
          (visited_.size() % kStatesPerInterrupt == 0 && Interrupted())) {
        return Answer::kTooLarge;
      }
      Enter(op);
    }
    return Answer::kNoOrder;
  }

  // It waits for its first reader, and none ran.
  bool Arrives(std::size_t family) const {
    return waits_[family] && left_[family] == recount_.readers(family).size();
  }

  std::int64_t StepBytes(const Op& op) const {
    std::int64_t bytes = live_bytes_ + op.own_bytes;
    for (const std::size_t family : op.reads) {
      if (Arrives(family)) bytes += size_[family];
    }
    if (op.candidates.empty() || bytes <= budget_bytes_) return bytes;
    const auto dies = [&](std::size_t family) { return left_[family] == 1; };
    if (!op.one_taker) return bytes - recount_.Gain(op.id, dies);
    return std::any_of(op.candidates.begin(), op.candidates.end(), dies) ? bytes - op.most_gain
                                                                         : bytes;
  }

  void Enter(std::size_t index) {
    const Op& op = ops_[index];
    live_bytes_ += op.stays_bytes;
    for (const std::size_t family : op.reads) {
      if (Arrives(family)) live_bytes_ += size_[family];
      if (--left_[family] == 0 && !kept_[family]) live_bytes_ -= size_[family];
    }
    const Frame from = frames_.back();
    const std::size_t first = ready_.size();
    for (std::size_t i = from.first; i < first; ++i) {
      if (ready_[i] != index) ready_.push_back(ready_[i]);
    }
    for (const std::size_t next : op.next) {
      if (--ops_[next].waits == 0) ready_.push_back(next);
    }
    frames_.push_back({index, first, first});
  }

  void Leave() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    ready_.resize(frame.first);
    if (frame.op == kOutside) return;
    const Op& op = ops_[frame.op];
    words_[frame.op / 64] ^= std::uint64_t{1} << frame.op % 64;
    for (const std::size_t next : op.next) ++ops_[next].waits;
    for (const std::size_t family : op.reads) {
      if (left_[family]++ == 0 && !kept_[family]) live_bytes_ += size_[family];
      if (Arrives(family)) live_bytes_ -= size_[family];
    }
    live_bytes_ -= op.stays_bytes;
  }

  const Recount& recount_;
  const std::int64_t budget_bytes_;
  const SearchLimits limits_;
  std::vector<std::size_t> local_;  // per operator of the problem: of the part
  std::vector<Op> ops_;
  std::vector<std::size_t> left_;  // per family: readers that did not run
  std::vector<std::int64_t> size_;
  std::vector<char> kept_;   // to the end
  std::vector<char> waits_;  // for its first reader
  std::int64_t live_bytes_ = 0;
  std::vector<std::uint64_t> words_;  // a bit for every operator of the part that ran
  VisitedStates visited_;
  std::vector<std::size_t> ready_;
  std::vector<Frame> frames_;
};

}  // namespace

SearchedAgain SearchAgain(const Recount& recount, const Between& part, std::int64_t budget_bytes,
                          const SearchLimits& limits) {
  return Search(recount, part, budget_bytes, limits).Run();
}

}  // namespace opass::memory::check
