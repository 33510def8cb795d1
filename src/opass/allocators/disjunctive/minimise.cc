#include "opass/allocators/disjunctive/minimise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <random>
#include <span>
#include <utility>

#include "opass/allocators/disjunctive/instance.h"
#include "opass/allocators/disjunctive/place_search.h"
#include "opass/allocators/disjunctive/search.h"

namespace opass::allocators::disjunctive {
namespace {

constexpr std::uint64_t kShortRun = 20'000;  // work
constexpr std::uint64_t kShortDives = 2;
constexpr std::size_t kFewBlocks = 64;
constexpr std::array kNoise = {0.03, 0.1, 0.3, 0.8};

// A part and its search.
class PartSearch {
 public:
  PartSearch(const BlockProblem& problem, std::vector<std::size_t> blocks,
             std::vector<std::int64_t>& bases, std::uint64_t seed, const exact_offsets::Stop* stop)
      : bases_(bases), blocks_(std::move(blocks)), random_(seed) {
    for (const std::size_t b : blocks_) {
      height_ = std::max(height_, bases[b] + problem.blocks[b].size_bytes);
    }
    instance_ = MakeInstance(problem, blocks_);
    if (!instance_) return;
    // Some ways down to the last block.
    std::uint64_t pieces = instance_->blocks.size();
    for (const Section& section : instance_->sections) pieces += section.jobs.size();
    short_run_ = kShortRun + kShortDives * pieces * instance_->blocks.size();
    sides_.emplace(*instance_, stop);
    places_.emplace(*instance_, stop);
  }
  PartSearch(const PartSearch&) = delete;
  PartSearch& operator=(const PartSearch&) = delete;

  bool can_search() const { return instance_.has_value(); }
  std::int64_t height() const { return height_; }
  std::int64_t lower_bound() const { return lower_bound_; }
  std::uint64_t work() const { return instance_ ? sides_->work() + places_->work() : 0; }

  // One run, below the height and not below `bound`.
  void Run(std::int64_t bound, const MinimiseOptions& options) {
    const std::int64_t capacity = NextCapacity(std::max(bound, lower_bound_), options);
    const std::uint64_t left = options.max_work - std::min(options.max_work, work());
    const std::uint64_t every = blocks_.size() <= kFewBlocks ? 2 : 64;
    const bool by_sides = options.by_sides && (!options.by_places || num_runs_ % every == 0);
    // Of all runs, half are short, a quarter twice as long, and so on.
    const int doubled = std::countr_zero(num_runs_ / 2 + 1);
    const std::uint64_t limit = std::min(short_run_ << std::min(doubled, 30), left);
    const PlaceSettings settings = DrawSettings(options);
    ++num_runs_;
    Answer answer = Answer::kUnknown;
    if (by_sides) {
      answer = sides_->Run(capacity, {settings.use_symmetry, settings.noise, settings.seed}, limit);
      if (answer == Answer::kFits) TakeOver(sides_->bases());
    } else {
      answer = places_->Run(capacity, settings, limit);
      if (answer == Answer::kFits) {
        TakeOver(places_->bases());
        winners_.push_back(settings);
      }
    }
    if (answer == Answer::kDoesNotFit) lower_bound_ = std::max(lower_bound_, capacity + 1);
  }

 private:
  // Now and then those that found something.
  PlaceSettings DrawSettings(const MinimiseOptions& options) {
    if (!winners_.empty() && random_() % 8 == 0) return winners_[random_() % winners_.size()];
    PlaceSettings settings;
    settings.noise = num_runs_ < 2 ? 0 : kNoise[random_() % kNoise.size()];
    settings.seed = random_();
    settings.key = static_cast<int>(random_() % PlaceSearch::kNumKeys);
    settings.use_symmetry = options.use_symmetry;
    return settings;
  }

  std::int64_t NextCapacity(std::int64_t bound, const MinimiseOptions& options) {
    if (options.capacity_bytes) return std::clamp(*options.capacity_bytes, bound, height_ - 1);
    // Low capacities are refuted early, and where they are not, most is gained.
    constexpr std::array<std::int64_t, 8> kJumpPercent = {0, 0, 10, 10, 25, 25, 50, 100};
    const std::int64_t gap = height_ - 1 - bound;
    const std::int64_t percent = kJumpPercent[random_() % kJumpPercent.size()];
    return height_ - 1 - gap / 100 * percent - gap % 100 * percent / 100;
  }

  void TakeOver(const std::vector<std::int64_t>& found) {
    height_ = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      bases_[blocks_[i]] = found[i];
      height_ = std::max(height_, found[i] + instance_->size_bytes[i]);
    }
  }

  std::vector<std::int64_t>& bases_;
  const std::vector<std::size_t> blocks_;
  std::optional<Instance> instance_;
  std::optional<Search> sides_;
  std::optional<PlaceSearch> places_;
  std::int64_t height_ = 0;
  std::int64_t lower_bound_ = 0;
  std::mt19937_64 random_;
  std::vector<PlaceSettings> winners_;
  std::uint64_t num_runs_ = 0;
  std::uint64_t short_run_ = 0;  // work
};

class Minimiser {
 public:
  Minimiser(const BlockProblem& problem, std::vector<std::int64_t> bases,
            const MinimiseOptions& options, const exact_offsets::Stop* stop)
      : problem_(problem), options_(options), stop_(stop) {
    result_.bases = std::move(bases);
    result_.lower_bound_bytes = problem.peak_bytes;
  }

  Minimised Run() {
    for (std::vector<std::size_t>& part : PartsOf(problem_)) {
      parts_.emplace_back(problem_, std::move(part), result_.bases, options_.seed, stop_);
    }
    result_.arena_bytes = ArenaBytes(problem_, result_.bases);
    while (!IsDone()) {
      PartSearch* const part = Choose();
      if (part == nullptr) break;
      part->Run(result_.lower_bound_bytes, options_);
      result_.lower_bound_bytes = std::max(result_.lower_bound_bytes, part->lower_bound());
      result_.arena_bytes = ArenaBytes(problem_, result_.bases);
    }
    return std::move(result_);
  }

 private:
  std::int64_t Goal() const {
    return std::max(result_.lower_bound_bytes, options_.capacity_bytes.value_or(0));
  }

  bool IsDone() const {
    if (result_.arena_bytes <= Goal()) return true;
    if (options_.capacity_bytes && result_.lower_bound_bytes > *options_.capacity_bytes)
      return true;
    std::uint64_t work = 0;
    for (const PartSearch& part : parts_) work += part.work();
    return work >= options_.max_work || (stop_ != nullptr && stop_->Asked());
  }

  // Of the parts that are too high, with a capacity the one that was searched least, because each
  // could refute it; else the highest.
  PartSearch* Choose() {
    PartSearch* chosen = nullptr;
    for (PartSearch& part : parts_) {
      if (part.height() <= Goal() || !part.can_search()) continue;
      const bool is_better =
          chosen == nullptr || (options_.capacity_bytes ? part.work() < chosen->work()
                                                        : part.height() > chosen->height());
      if (is_better) chosen = &part;
    }
    return chosen;
  }

  const BlockProblem& problem_;
  const MinimiseOptions& options_;
  const exact_offsets::Stop* stop_;
  std::deque<PartSearch> parts_;
  Minimised result_;
};

}  // namespace

Minimised Minimise(const BlockProblem& problem, std::vector<std::int64_t> bases,
                   const MinimiseOptions& options, const exact_offsets::Stop* stop) {
  return Minimiser(problem, std::move(bases), options, stop).Run();
}

}  // namespace opass::allocators::disjunctive
