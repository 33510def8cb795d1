#include "opass/allocators/exact/minimise.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "opass/allocators/exact/lane.h"
#include "opass/support/interrupt.h"

namespace opass::allocators::exact_offsets {
namespace {

constexpr std::array kLanes = {LaneKind::kPlain, LaneKind::kFit, LaneKind::kCanonical,
                               LaneKind::kFit};

// Of the fixed orders: where the bound can be reached, it mostly is within these.
constexpr std::uint64_t kBoundNodes = 100'000;

std::int32_t HeightOf(const Instance& instance, const std::vector<std::int32_t>& offsets) {
  std::int32_t height = 0;
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    height = std::max(height, offsets[b] + instance.size[b]);
  }
  return height;
}

class Minimiser {
 public:
  Minimiser(const Instance& instance, Layout start, const MinimiseOptions& options)
      : instance_(instance), options_(options) {
    result_.best = std::move(start);
    result_.lower_bound = instance.max_load;
    std::optional<Stop::Clock::time_point> deadline;
    if (options.max_seconds) {
      const std::chrono::duration<double> seconds(*options.max_seconds);
      deadline = Stop::Clock::now() + std::chrono::duration_cast<Stop::Clock::duration>(seconds);
    }
    for (std::size_t i = 0; i < kLanes.size(); ++i) {
      Member& member = members_.emplace_back(instance, kLanes[i], options.seed * kLanes.size() + i,
                                             options.use_symmetry);
      member.lane.stop().SetDeadline(deadline);
      // Of all orders, the fixed ones decide most instances first.
      if (options.capacity && kLanes[i] == LaneKind::kPlain) member.share = kLanes.size() - 1;
    }
  }

  Minimised Run() {
    if (options_.max_seconds) {
      RunThreads([this] { WorkFreely(); });
    } else {
      for (std::uint64_t round = 0; !Done() && !members_[0].lane.stop().Asked(); ++round) {
        RunRound(round);
      }
    }
    result_.nodes = Nodes();
    return std::move(result_);
  }

 private:
  struct Member {
    template <typename... Args>
    explicit Member(Args&&... args) : lane(std::forward<Args>(args)...) {}
    std::uint64_t NodesPerShare() const { return lane.nodes() / share; }
    Lane lane;
    bool is_busy = false;
    std::uint64_t share = 1;  // of the nodes
    std::int64_t credit = 0;  // nodes it may still take, less those it took too many
  };

  std::uint64_t Nodes() const {
    std::uint64_t nodes = 0;
    for (const Member& member : members_) nodes += member.lane.nodes();
    return nodes;
  }

  bool IsDecided() const {
    const std::int32_t wanted = options_.capacity.value_or(0);
    return result_.best.height <= std::max(result_.lower_bound, wanted) ||
           (options_.capacity && result_.lower_bound > wanted);
  }
  bool Done() const { return IsDecided() || Nodes() >= options_.max_nodes; }

  void RunThreads(const std::function<void()>& work) const {
    std::vector<std::thread> threads;
    const int count = std::min<int>(options_.threads, kLanes.size());
    for (int i = 1; i < count; ++i) {
      threads.emplace_back([&work, deadline = Deadline::Current()] {
        const AdoptDeadline adopted(deadline);
        work();
      });
    }
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void Prepare(Lane& lane) {
    std::int32_t capacity = options_.capacity.value_or(0);
    if (!options_.capacity) {
      // Low capacities prune early: most of what is gained comes from jumps.
      constexpr std::array<std::int64_t, 8> kJumpPercent = {0, 0, 10, 10, 25, 25, 50, 100};
      const std::int64_t gap = result_.best.height - 1 - result_.lower_bound;
      // The fixed orders, whose limits grow, first ask whether the bound is reached.
      const bool asks_bound = lane.kind() == LaneKind::kPlain && lane.nodes() < kBoundNodes;
      const std::int64_t percent =
          asks_bound ? 100 : kJumpPercent[lane.random()() % kJumpPercent.size()];
      const std::int64_t jump = gap * percent / 100;
      capacity = result_.best.height - 1 - static_cast<std::int32_t>(jump);
    }
    lane.Prepare(capacity, winners_);
  }

  // Every lane takes the same number of nodes; what they find is taken over when all have ended,
  // so that it does not matter which one was faster.
  void RunRound(std::uint64_t round) {
    const std::int64_t slice = std::int64_t{1000} << std::min<std::uint64_t>(round / 8, 5);
    const std::uint64_t left = options_.max_nodes - Nodes();
    for (Member& member : members_)
      member.credit += slice * static_cast<std::int64_t>(member.share);
    std::atomic<std::size_t> next = 0;
    RunThreads([&] {
      for (std::size_t i = next++; i < members_.size(); i = next++) {
        RunSlice(i, left / members_.size() + 1);
      }
    });
    for (Member& member : members_) TakeOver(member.lane);
  }

  void RunSlice(std::size_t number, std::uint64_t max_nodes) {
    Member& member = members_[number];
    Lane& lane = member.lane;
    lane.Forget();
    const std::uint64_t start = lane.nodes();
    while (member.credit > 0 && !lane.stop().Asked() && lane.answer() == Answer::kUnknown) {
      const std::uint64_t used = lane.nodes() - start;
      if (used >= max_nodes) break;
      Prepare(lane);
      lane.Run(max_nodes - used);
      member.credit -= static_cast<std::int64_t>(lane.nodes() - start - used) + 1;
    }
    if (lane.answer() == Answer::kUnknown || !options_.capacity) return;
    // The lowest number wins: those above need not end.
    for (std::size_t other = number + 1; other < members_.size(); ++other) {
      members_[other].lane.stop().Ask();
    }
  }

  // Without rounds: the idle lane that has searched least comes next.
  void WorkFreely() {
    std::unique_lock lock(mutex_);
    while (!Done() && !members_[0].lane.stop().Asked()) {
      Member* chosen = nullptr;
      for (Member& member : members_) {
        if (member.is_busy) continue;
        if (chosen == nullptr || member.NodesPerShare() < chosen->NodesPerShare()) chosen = &member;
      }
      chosen->is_busy = true;
      Prepare(chosen->lane);
      lock.unlock();
      chosen->lane.Run(options_.max_nodes);
      lock.lock();
      chosen->is_busy = false;
      TakeOver(chosen->lane);
    }
    for (Member& member : members_) member.lane.stop().Ask();
  }

  void TakeOver(const Lane& lane) {
    if (lane.answer() == Answer::kDoesNotFit) {
      result_.lower_bound = std::max(result_.lower_bound, lane.capacity() + 1);
    }
    if (lane.answer() != Answer::kFits) return;
    Layout found{lane.offsets(), HeightOf(instance_, lane.offsets())};
    if (found.height >= result_.best.height || !IsValid(instance_, found)) return;
    result_.best = std::move(found);
    lane.AddTo(winners_);
  }

  const Instance& instance_;
  const MinimiseOptions& options_;
  std::deque<Member> members_;
  std::mutex mutex_;  // of what follows, while threads work freely
  Winners winners_;
  Minimised result_;
};

}  // namespace

bool IsValid(const Instance& instance, const Layout& layout) {
  if (layout.offsets.size() != instance.num_buffers()) return false;
  std::vector<std::size_t> order(layout.offsets.size());
  for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return layout.offsets[a] < layout.offsets[b]; });
  std::vector<std::int32_t> top(static_cast<std::size_t>(instance.num_sections), 0);
  for (const std::size_t b : order) {
    for (std::int32_t s = instance.first[b]; s < instance.last[b]; ++s) {
      std::int32_t& end = top[static_cast<std::size_t>(s)];
      if (layout.offsets[b] < end) return false;
      end = layout.offsets[b] + instance.size[b];
    }
  }
  return HeightOf(instance, layout.offsets) == layout.height;
}

Minimised Minimise(const Instance& instance, Layout start, const MinimiseOptions& options) {
  return Minimiser(instance, std::move(start), options).Run();
}

}  // namespace opass::allocators::exact_offsets
