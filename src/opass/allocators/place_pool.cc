#include "opass/allocators/place_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "opass/allocators/allocator.h"
#include "opass/allocators/best_order.h"
#include "opass/allocators/disjunctive/minimise.h"
#include "opass/support/bytes.h"

namespace opass::allocators {
namespace {

constexpr std::uint64_t kWork = 300'000'000;

// Could all blocks be plain buffers of one alignment, if each kept all its bytes for its whole
// life?
bool AreAlignedAlike(const BlockProblem& problem) {
  const auto is_like_first = [&](const Block& block) {
    return !block.fixed_base && block.residue_bytes == 0 &&
           block.modulus_bytes == problem.blocks[0].modulus_bytes;
  };
  return problem.forbidden.empty() &&
         std::all_of(problem.blocks.begin(), problem.blocks.end(), is_like_first);
}

bool AreRectangles(const BlockProblem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& block) {
    return block.pieces.size() == 1 && block.pieces[0].delta_bytes == 0;
  });
}

// As plain buffers, with sizes rounded up to the alignment. The highest block of a layout may then
// be lower than it seems, by what was added to it; where the blocks are rectangles, nothing else is
// lost.
Result<PlacedPool> PlaceRounded(const BlockProblem& problem, AllocateOptions options) {
  const std::int64_t alignment = problem.blocks[0].modulus_bytes;
  std::int64_t most_added = 0;
  std::vector<ListedBuffer> rounded;
  for (const Block& block : problem.blocks) {
    const std::int64_t bytes = RoundUp(block.size_bytes, alignment);
    most_added = std::max(most_added, bytes - block.size_bytes);
    rounded.push_back({"", block.first, block.last, bytes});
  }
  if (options.capacity_bytes) {
    options.capacity_bytes = *options.capacity_bytes / alignment * alignment;
  }
  OPASS_ASSIGN_OR_RETURN(Allocation found, AllocateList(rounded, options));
  const std::int64_t arena = ArenaBytes(problem, found.offsets);
  std::int64_t bound = problem.peak_bytes;
  if (AreRectangles(problem)) bound = std::max(bound, found.lower_bound_bytes - most_added);
  return PlacedPool{std::move(found.offsets), arena, bound};
}

Result<PlacedPool> PlaceByOrder(const BlockProblem& problem, std::uint64_t seed) {
  const char* name = problem.blocks.size() <= kManyBlocks ? "hill_climb" : "best_fit";
  OPASS_ASSIGN_OR_RETURN(auto bases, FindAllocator(name)->run(problem, {seed}));
  const std::int64_t arena = ArenaBytes(problem, bases);
  return PlacedPool{std::move(bases), arena, problem.peak_bytes};
}

// By the complete search of blocks of all kinds.
void Improve(const BlockProblem& problem, const AllocateOptions& options,
             std::chrono::steady_clock::time_point start, PlacedPool& placed) {
  disjunctive::MinimiseOptions search;
  search.seed = options.seed;
  search.max_work = options.max_seconds ? ~std::uint64_t{0} : kWork;
  search.capacity_bytes = options.capacity_bytes;
  exact_offsets::Stop stop;
  if (options.max_seconds) {
    const std::chrono::duration<double> seconds(*options.max_seconds);
    stop.SetDeadline(start +
                     std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds));
  }
  auto found = disjunctive::Minimise(problem, std::move(placed.bases), search, &stop);
  placed.bases = std::move(found.bases);
  placed.arena_bytes = found.arena_bytes;
  placed.lower_bound_bytes = std::max(placed.lower_bound_bytes, found.lower_bound_bytes);
}

}  // namespace

Result<PlacedPool> PlacePool(const PoolBlocks& pool, const AllocateOptions& options) {
  const BlockProblem& problem = pool.problem;
  if (problem.blocks.empty()) return PlacedPool{};
  const auto start = std::chrono::steady_clock::now();
  const bool are_alike = AreAlignedAlike(problem);
  const bool are_rectangles = are_alike && AreRectangles(problem);
  const bool are_plain = are_rectangles && problem.blocks[0].modulus_bytes == 1;
  PlacedPool placed;
  if (!are_rectangles) {
    OPASS_ASSIGN_OR_RETURN(placed, PlaceByOrder(problem, options.seed));
  }
  const auto is_enough = [&] {
    return placed.arena_bytes <=
           std::max(placed.lower_bound_bytes, options.capacity_bytes.value_or(0));
  };
  if (are_alike && (are_rectangles || !is_enough())) {
    AllocateOptions first = options;
    if (first.max_seconds && !are_plain) *first.max_seconds /= 2;
    OPASS_ASSIGN_OR_RETURN(PlacedPool rounded, PlaceRounded(problem, first));
    if (are_rectangles || rounded.arena_bytes < placed.arena_bytes) placed = std::move(rounded);
  }
  if (!are_plain && !is_enough()) Improve(problem, options, start, placed);
  return placed;
}

}  // namespace opass::allocators
