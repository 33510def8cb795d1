// The exact search for plain buffers (folder exact/), started from the best order. Blocks of
// several pieces are searched as if each took all its bytes in all its steps: what is found is a
// valid placement, what is refuted says nothing. Where that does not reach the peak, they are
// searched piece by piece (folder disjunctive/). Problems too large to search are left as best_fit
// has them.
#include <algorithm>
#include <optional>
#include <utility>

#include "opass/allocators/allocator.h"
#include "opass/allocators/best_order.h"
#include "opass/allocators/disjunctive/minimise.h"
#include "opass/allocators/exact/minimise.h"

namespace opass::allocators {
namespace {

// Each state of the search holds all buffers and touches all their sections.
constexpr std::size_t kMostBuffers = 4000;
constexpr std::uint64_t kMostSections = 1'000'000;
constexpr std::uint64_t kMostNodes = 20'000;
constexpr std::uint64_t kPartForPieces = 16;  // of the work

std::optional<exact_offsets::Instance> InstanceOf(const BlockProblem& problem) {
  std::vector<exact_offsets::Rectangle> rectangles;
  for (const Block& block : problem.blocks) {
    rectangles.push_back({block.size_bytes, block.first, block.last});
  }
  return exact_offsets::MakeInstance(rectangles);
}

// One unit of work for every section that a node may touch.
std::uint64_t WorkPerNode(const exact_offsets::Instance& instance) {
  std::uint64_t work = 10 * instance.num_buffers() + 100;
  for (std::size_t b = 0; b < instance.num_buffers(); ++b) {
    work += static_cast<std::uint64_t>(instance.last[b] - instance.first[b]);
  }
  return work;
}

// Hulls may overlap where pieces do not: only lower layouts, which have none that do, are used.
exact_offsets::Layout StartOf(const exact_offsets::Instance& instance, const Attempt& attempt) {
  exact_offsets::Layout start;
  for (const std::int64_t base : attempt.bases) {
    start.offsets.push_back(static_cast<std::int32_t>(base / instance.unit_bytes));
  }
  const std::int64_t unit = instance.unit_bytes;
  start.height = static_cast<std::int32_t>((attempt.arena_bytes + unit - 1) / unit);
  return start;
}

// Lower than `attempt`, or the same.
std::vector<std::int64_t> SearchHulls(const BlockProblem& problem, const AllocatorOptions& options,
                                      Attempt attempt) {
  const std::optional<exact_offsets::Instance> instance = InstanceOf(problem);
  if (!instance) return std::move(attempt.bases);
  const std::uint64_t work_per_node = WorkPerNode(*instance);
  if (work_per_node > kMostSections) return std::move(attempt.bases);
  exact_offsets::MinimiseOptions search;
  search.seed = options.seed;
  search.max_nodes = std::min(kMostNodes, options.max_work / work_per_node);
  exact_offsets::Layout start = StartOf(*instance, attempt);
  const std::int32_t height = start.height;
  const exact_offsets::Minimised found =
      exact_offsets::Minimise(*instance, std::move(start), search);
  if (found.best.height >= height) return std::move(attempt.bases);
  std::vector<std::int64_t> bases;
  for (const std::int32_t offset : found.best.offsets) {
    bases.push_back(offset * instance->unit_bytes);
  }
  return bases;
}

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  std::uint64_t work = 0;
  Attempt attempt = BestOrder(problem, options.max_work / 4, work);
  if (attempt.arena_bytes == problem.peak_bytes || problem.blocks.size() > kMostBuffers) {
    return std::move(attempt.bases);
  }
  std::vector<std::int64_t> bases = SearchHulls(problem, options, std::move(attempt));
  const bool has_pieces = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                      [](const Block& block) { return block.pieces.size() > 1; });
  if (!has_pieces || ArenaBytes(problem, bases) == problem.peak_bytes) return bases;
  disjunctive::MinimiseOptions search;
  search.seed = options.seed;
  search.max_work = options.max_work / kPartForPieces;
  return disjunctive::Minimise(problem, std::move(bases), search).bases;
}

}  // namespace

extern const Allocator exact;
constexpr Allocator exact = {"exact", "best_fit, then restarts of complete searches", Run};

}  // namespace opass::allocators
