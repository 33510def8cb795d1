#include "opass/allocators/disjunctive/minimise.h"

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <utility>

#include "opass/allocators/disjunctive/instance.h"
#include "opass/allocators/disjunctive/search.h"

namespace opass::allocators::disjunctive {
namespace {

constexpr std::uint64_t kShortRun = 20'000;  // work

// A part and its search.
class PartSearch {
 public:
  PartSearch(const BlockProblem& problem, std::vector<std::size_t> blocks,
             std::vector<std::int64_t>& bases, const exact_offsets::Stop* stop)
      : bases_(bases), blocks_(std::move(blocks)) {
    for (const std::size_t b : blocks_) {
      height_ = std::max(height_, bases[b] + problem.blocks[b].size_bytes);
    }
    instance_ = MakeInstance(problem, blocks_);
    if (instance_) search_.emplace(*instance_, stop);
  }
  PartSearch(const PartSearch&) = delete;
  PartSearch& operator=(const PartSearch&) = delete;

  bool can_search() const { return instance_.has_value(); }
  std::int64_t height() const { return height_; }
  std::int64_t lower_bound() const { return lower_bound_; }
  std::uint64_t work() const { return search_ ? search_->work() : 0; }

  // One run, below the height and not below `bound`.
  void Run(std::int64_t bound, const MinimiseOptions& options) {
    bound = std::max(bound, lower_bound_);
    // Low capacities are refuted early, and where they are not, most is gained.
    constexpr std::array<std::int64_t, 4> kJumps = {0, 4, 1, 2};  // quarters of the gap
    const std::uint64_t turn = num_runs_ / kJumps.size();
    const std::int64_t gap = height_ - 1 - bound;
    const std::int64_t jump = kJumps[num_runs_ % kJumps.size()];
    std::int64_t capacity = height_ - 1 - gap / 4 * jump - gap % 4 * jump / 4;
    if (options.capacity_bytes) capacity = std::clamp(*options.capacity_bytes, bound, height_ - 1);
    SearchSettings settings;
    settings.use_symmetry = options.use_symmetry;
    settings.noise = turn == 0 ? 0 : 1;
    settings.seed = options.seed + num_runs_;
    ++num_runs_;
    const std::uint64_t limit = kShortRun << std::min<std::uint64_t>(turn, 30);
    const std::uint64_t left = options.max_work - std::min(options.max_work, work());
    const Answer answer = search_->Run(capacity, settings, std::min(limit, left));
    if (answer == Answer::kDoesNotFit) lower_bound_ = std::max(lower_bound_, capacity + 1);
    if (answer == Answer::kFits) TakeOver();
  }

 private:
  void TakeOver() {
    height_ = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      bases_[blocks_[i]] = search_->bases()[i];
      height_ = std::max(height_, search_->bases()[i] + instance_->size_bytes[i]);
    }
  }

  std::vector<std::int64_t>& bases_;
  const std::vector<std::size_t> blocks_;
  std::optional<Instance> instance_;
  std::optional<Search> search_;
  std::int64_t height_ = 0;
  std::int64_t lower_bound_ = 0;
  std::uint64_t num_runs_ = 0;
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
      parts_.emplace_back(problem_, std::move(part), result_.bases, stop_);
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
