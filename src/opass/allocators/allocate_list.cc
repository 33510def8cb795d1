#include "opass/allocators/allocate_list.h"

#include <algorithm>
#include <utility>

#include "opass/allocators/allocator.h"
#include "opass/allocators/best_order.h"
#include "opass/allocators/check_layout.h"
#include "opass/allocators/exact/minimise.h"

namespace opass::allocators {
namespace {

// Beyond these a state of the exact search costs too much.
constexpr std::size_t kMostBuffers = 4000;
constexpr std::int64_t kMostSteps = 1'000'000;  // of all buffers together
// Up to here the exact search soon finds what the climb would.
constexpr std::size_t kFewBuffers = 1000;
constexpr std::uint64_t kWork = 2'000'000'000;

// The steps where something is born or dies, numbered.
std::vector<Piece> PiecesOf(std::span<const ListedBuffer> buffers,
                            std::span<const std::size_t> used) {
  std::vector<std::int64_t> steps;
  for (const std::size_t i : used) steps.insert(steps.end(), {buffers[i].first, buffers[i].last});
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const auto number = [&](std::int64_t step) {
    return std::lower_bound(steps.begin(), steps.end(), step) - steps.begin();
  };
  std::vector<Piece> pieces;
  for (const std::size_t i : used) {
    pieces.push_back({0, buffers[i].size_bytes, number(buffers[i].first), number(buffers[i].last)});
  }
  return pieces;
}

// Lowers `bases`, and raises the bound, as far as the exact search can.
void Improve(std::span<const ListedBuffer> buffers, std::span<const std::size_t> used,
             const std::vector<Piece>& pieces, const AllocateOptions& options,
             std::vector<std::int64_t>& bases, Allocation& result) {
  std::vector<exact_offsets::Rectangle> rectangles;
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    // The steps as given: orders by lifetime are better on them than on numbered ones.
    const ListedBuffer& buffer = buffers[used[i]];
    rectangles.push_back({buffer.size_bytes, buffer.first, buffer.last});
    steps += pieces[i].last - pieces[i].first;
  }
  if (pieces.size() > kMostBuffers || steps > kMostSteps) return;
  const auto instance = exact_offsets::MakeInstance(rectangles);
  if (!instance) return;
  const std::int64_t unit = instance->unit_bytes;
  exact_offsets::Layout start;
  for (const std::int64_t base : bases) {
    start.offsets.push_back(static_cast<std::int32_t>(base / unit));
  }
  start.height = static_cast<std::int32_t>(result.arena_bytes / unit);
  exact_offsets::MinimiseOptions search;
  search.seed = options.seed;
  search.threads = options.threads;
  search.max_seconds = options.max_seconds;
  search.max_nodes = ~std::uint64_t{0};
  if (!options.max_seconds) {
    search.max_nodes = kWork / (10 * pieces.size() + static_cast<std::uint64_t>(steps) + 100);
  }
  if (options.capacity_bytes) {
    const std::int64_t most = std::int64_t{1} << 30;  // units of all buffers together
    search.capacity = static_cast<std::int32_t>(std::min(most, *options.capacity_bytes / unit));
  }
  const auto found = exact_offsets::Minimise(*instance, std::move(start), search);
  for (std::size_t i = 0; i < bases.size(); ++i) bases[i] = found.best.offsets[i] * unit;
  result.arena_bytes = found.best.height * unit;
  result.lower_bound_bytes = std::max(result.lower_bound_bytes, found.lower_bound * unit);
}

}  // namespace

Result<Allocation> AllocateList(std::span<const ListedBuffer> buffers,
                                const AllocateOptions& options) {
  std::vector<std::size_t> used;  // what takes no bytes can lie anywhere
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].size_bytes > 0) used.push_back(i);
  }
  Allocation result;
  result.offsets.assign(buffers.size(), 0);
  const std::vector<Piece> pieces = PiecesOf(buffers, used);
  const BlockProblem problem = MakePlainBlocks(pieces);
  result.max_live_bytes = result.lower_bound_bytes = problem.peak_bytes;
  const bool climbs = pieces.size() > kFewBuffers && pieces.size() <= kManyBlocks;
  const char* first = climbs ? "hill_climb" : "best_fit";
  OPASS_ASSIGN_OR_RETURN(auto bases, FindAllocator(first)->run(problem, {options.seed}));
  result.arena_bytes = ArenaBytes(problem, bases);
  Improve(buffers, used, pieces, options, bases, result);
  for (std::size_t i = 0; i < used.size(); ++i) result.offsets[used[i]] = bases[i];
  if (const Status status = CheckOffsets(buffers, result.offsets); !status.ok()) {
    return InternalError("the check refuses the offsets: " + status.error().message);
  }
  return result;
}

}  // namespace opass::allocators
