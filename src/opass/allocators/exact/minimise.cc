#include "opass/allocators/exact/minimise.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include "opass/allocators/exact/fit_search.h"
#include "opass/allocators/exact/portfolio.h"
#include "opass/allocators/exact/stop.h"
#include "opass/support/interrupt.h"

namespace opass::allocators::exact_offsets {
namespace {

constexpr std::size_t kNumLanes = 4;
constexpr std::size_t kPlainLane = 3;
constexpr std::uint64_t kRunNodes = 500;
constexpr std::size_t kNumWinners = 8;

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
    for (std::size_t i = 0; i < kNumLanes; ++i) {
      Lane& lane = lanes_.emplace_back(instance, options.seed * kNumLanes + i);
      lane.stop.SetDeadline(deadline);
    }
  }

  Minimised Run() {
    for (std::uint64_t round = 0; !Done(); ++round) {
      for (std::size_t i = 0; i < kNumLanes; ++i) Prepare(round, i);
      RunLanes();
      for (Lane& lane : lanes_) TakeOver(lane);
      if (lanes_[0].stop.Asked()) break;
    }
    return std::move(result_);
  }

 private:
  // A search of its own, with what it remembers, and its run of this round.
  struct Lane {
    Lane(const Instance& instance, std::uint64_t seed)
        : random(seed), search(std::make_unique<FitSearch>(instance, &stop)) {}
    Stop stop;
    std::mt19937_64 random;
    std::unique_ptr<FitSearch> search;
    Draw draw;
    FitSettings settings;
    std::int32_t capacity = 0;
    std::uint64_t max_nodes = 0;
    Answer answer = Answer::kUnknown;
  };

  bool Done() const {
    const std::int32_t wanted = options_.capacity.value_or(0);
    return result_.best.height <= std::max(result_.lower_bound, wanted) ||
           (options_.capacity && result_.lower_bound > wanted) ||
           result_.nodes >= options_.max_nodes;
  }

  void Prepare(std::uint64_t round, std::size_t number) {
    Lane& lane = lanes_[number];
    const bool is_plain = number == kPlainLane;
    if (is_plain) {
      lane.draw = PlainSettings(round);
    } else if (!winners_.empty() && lane.random() % 2 == 0) {
      lane.draw = winners_[lane.random() % winners_.size()];
    } else {
      lane.draw = DrawSettings(lane.random);
    }
    lane.settings = MakeSettings(instance_, lane.draw, lane.random);
    lane.settings.use_symmetry = options_.use_symmetry;
    lane.capacity = options_.capacity.value_or(0);
    if (!options_.capacity) {
      // Low capacities prune early: most of what is gained comes from jumps.
      constexpr std::array<std::int64_t, 8> kJumpPercent = {0, 0, 10, 10, 25, 25, 50, 100};
      const std::int64_t gap = result_.best.height - 1 - result_.lower_bound;
      const std::int64_t jump = gap * kJumpPercent[lane.random() % kJumpPercent.size()] / 100;
      lane.capacity = result_.best.height - 1 - static_cast<std::int32_t>(jump);
    }
    const std::uint64_t left = options_.max_nodes - result_.nodes;
    const std::uint64_t nodes = is_plain ? kRunNodes << std::min<std::uint64_t>(round / 6, 6)
                                         : kRunNodes * LubyNumber(round + 1);
    lane.max_nodes = std::min(nodes, left / kNumLanes + 1);
  }

  void RunLanes() {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < kNumLanes; i = next++) {
        Lane& lane = lanes_[i];
        lane.answer = lane.stop.Asked()
                          ? Answer::kUnknown
                          : lane.search->Run(lane.capacity, lane.settings, lane.max_nodes);
        if (lane.answer == Answer::kUnknown || !options_.capacity) continue;
        // The lowest number wins: those above need not end.
        for (std::size_t other = i + 1; other < kNumLanes; ++other) lanes_[other].stop.Ask();
      }
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < std::min<int>(options_.threads, kNumLanes); ++i) {
      threads.emplace_back([&work, deadline = Deadline::Current()] {
        const AdoptDeadline adopted(deadline);
        work();
      });
    }
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void TakeOver(Lane& lane) {
    result_.nodes = 0;
    for (const Lane& each : lanes_) result_.nodes += each.search->nodes();
    if (lane.answer == Answer::kDoesNotFit) {
      result_.lower_bound = std::max(result_.lower_bound, lane.capacity + 1);
    }
    if (lane.answer != Answer::kFits) return;
    const std::vector<std::int32_t>& offsets = lane.search->offsets();
    Layout found{offsets, HeightOf(instance_, offsets)};
    if (found.height >= result_.best.height || !IsValid(instance_, found)) return;
    result_.best = std::move(found);
    if (winners_.size() == kNumWinners) winners_.erase(winners_.begin());
    winners_.push_back(lane.draw);
  }

  const Instance& instance_;
  const MinimiseOptions& options_;
  std::deque<Lane> lanes_;
  std::vector<Draw> winners_;  // settings that found something, the oldest first
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
