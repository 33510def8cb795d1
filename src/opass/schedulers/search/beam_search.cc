#include "opass/schedulers/search/beam_search.h"

#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "opass/schedulers/search/free_steps.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// Free steps that a try follows; the rest are taken when its state is continued.
constexpr std::size_t kMaxOpenedSteps = 64;
constexpr std::size_t kFreeStepsLooked = 512;
// Ready operators that a state tries at least, whatever work is left.
constexpr std::uint64_t kMinLooked = 16;
// Copying a state costs about as much as trying this fraction of its operators.
constexpr std::size_t kOpsCopiedPerWork = 64;

// A state that was seen but is not kept in full: the way from its parent is short.
struct Entry {
  std::int64_t peak_bytes = 0;
  std::int64_t live_bytes = 0;
  Fingerprint fingerprint;
  std::shared_ptr<const StepState> parent;
  OpId op;  // taken in `parent`, then the steps that it opens; invalid: `parent` itself
};

bool Better(const Entry& a, const Entry& b) {
  return std::tie(a.peak_bytes, a.live_bytes) < std::tie(b.peak_bytes, b.live_bytes);
}

// The states of one number of taken operators.
class Bucket {
 public:
  void Offer(Entry entry, std::size_t max_width) {
    for (Entry& other : entries_) {
      if (other.fingerprint != entry.fingerprint) continue;
      if (entry.peak_bytes < other.peak_bytes) other = std::move(entry);
      return;
    }
    if (entries_.size() < max_width) {
      entries_.push_back(std::move(entry));
      return;
    }
    const auto worst = std::max_element(entries_.begin(), entries_.end(), Better);
    if (Better(entry, *worst)) *worst = std::move(entry);
  }

  std::vector<Entry> TakeSorted() {
    std::stable_sort(entries_.begin(), entries_.end(), Better);
    return std::exchange(entries_, {});
  }

 private:
  std::vector<Entry> entries_;
};

class Beam {
 public:
  Beam(const StepGraph& graph, const BeamOptions& options)
      : options_(options), work_left_(options.max_work), buckets_(graph.num_ops() + 1) {}

  std::optional<std::vector<OpId>> Run(StepState start) {
    Entry root;
    root.peak_bytes = std::max(start.live_bytes(), options_.floor_bytes);
    root.parent = std::make_shared<const StepState>(std::move(start));
    Offer(std::move(root), 0);
    for (std::size_t taken = 0; taken < buckets_.size(); ++taken) {
      work_share_ = work_left_ / (buckets_.size() - taken);
      const std::uint64_t stop_at = work_left_ - work_share_;
      bool first = true;
      for (const Entry& entry : buckets_[taken].TakeSorted()) {
        if (Interrupted()) return std::nullopt;
        if (!first && work_left_ <= stop_at) break;
        first = false;
        StepState state = Restore(entry);
        // A state that closes early waits: another one may still complete with a lower peak.
        if (taken == state.graph().num_ops()) return {{state.path().begin(), state.path().end()}};
        Expand(std::move(state), taken, entry);
      }
    }
    return std::nullopt;
  }

 private:
  void Offer(Entry entry, std::size_t taken) {
    if (entry.peak_bytes >= options_.ceiling_bytes) return;
    buckets_[taken].Offer(std::move(entry), static_cast<std::size_t>(options_.max_width));
  }

  void Spend(std::uint64_t work) { work_left_ -= std::min(work, work_left_); }

  StepState Restore(const Entry& entry) {
    StepState state = *entry.parent;
    if (entry.op.valid()) {
      state.Take(entry.op);
      TakeOpenedSteps(state, entry.peak_bytes, kMaxOpenedSteps);
    }
    TakeFreeSteps(state, entry.peak_bytes, kFreeStepsLooked);
    Spend(1 + state.graph().num_ops() / kOpsCopiedPerWork);
    return state;
  }

  void Expand(StepState state, std::size_t bucket, const Entry& entry) {
    if (state.num_taken() > bucket) {  // more was free: let it compete where it belongs
      Entry closed{entry.peak_bytes, state.live_bytes(), state.fingerprint(), nullptr, OpId()};
      const std::size_t taken = state.num_taken();
      closed.parent = std::make_shared<const StepState>(std::move(state));
      Offer(std::move(closed), taken);
      return;
    }
    // Steps are tried on the parent itself: Undo leaves it as it was.
    const auto parent = std::make_shared<StepState>(std::move(state));
    const std::size_t looked =
        std::min<std::uint64_t>(parent->ready().size(), std::max(work_share_, kMinLooked));
    const std::span<const OpId> latest = parent->ready().last(looked);
    for (const OpId op : std::vector<OpId>(latest.begin(), latest.end())) {
      const std::int64_t peak = std::max(entry.peak_bytes, parent->Cost(op).step_bytes);
      if (peak >= options_.ceiling_bytes) continue;
      parent->Take(op);
      TakeOpenedSteps(*parent, peak, kMaxOpenedSteps);
      Spend(parent->num_taken() - bucket);
      Offer({peak, parent->live_bytes(), parent->fingerprint(), parent, op}, parent->num_taken());
      parent->UndoTo(bucket);
    }
  }

  const BeamOptions options_;
  std::uint64_t work_left_;
  std::uint64_t work_share_ = 0;  // of one number of taken operators
  std::vector<Bucket> buckets_;
};

}  // namespace

std::optional<std::vector<OpId>> BeamSearch(const StepGraph& graph, Direction direction,
                                            const BeamOptions& options) {
  return Beam(graph, options).Run(StepState(graph, direction));
}

}  // namespace opass::schedulers
