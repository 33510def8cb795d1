#include "opass/allocators/list_bounds.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "opass/allocators/place_in_order.h"
#include "opass/support/bytes.h"

namespace opass::allocators {
namespace {

constexpr std::size_t kMostAlignments = 16;

// A piece that is born or dies.
struct Event {
  std::int64_t step;
  bool is_birth;  // deaths come first
  std::int64_t size_bytes;
};

// Every offset of the piece is a multiple of it.
std::int64_t AlignmentOf(const Block& block, const Piece& piece) {
  return std::gcd(block.modulus_bytes, block.residue_bytes + piece.delta_bytes);
}

// The least height at which some step's pieces of at least this alignment can end.
std::int64_t HeightOfAligned(const BlockProblem& problem, std::int64_t alignment) {
  std::vector<Event> events;
  for (const Block& block : problem.blocks) {
    for (const Piece& piece : block.pieces) {
      if (AlignmentOf(block, piece) % alignment != 0) continue;
      events.push_back({piece.first, true, piece.size_bytes});
      events.push_back({piece.last, false, piece.size_bytes});
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.step != b.step ? a.step < b.step : a.is_birth < b.is_birth;
  });
  std::int64_t most = 0;
  std::int64_t live = 0;
  std::multiset<std::int64_t> slacks;
  for (const Event& event : events) {
    const std::int64_t rounded = RoundUp(event.size_bytes, alignment);
    const std::int64_t slack = rounded - event.size_bytes;
    if (event.is_birth) {
      live += rounded;
      slacks.insert(slack);
      most = std::max(most, live - *slacks.rbegin());
    } else {
      live -= rounded;
      slacks.erase(slacks.find(slack));
    }
  }
  return most;
}

std::int64_t AboveForbidden(const BlockProblem& problem, std::int64_t bytes) {
  for (const ByteRange& range : problem.forbidden) {
    if (range.begin < bytes) bytes += range.end - range.begin;
  }
  return bytes;
}

}  // namespace

ListBounds BoundsOf(const BlockProblem& problem) {
  std::set<std::int64_t> alignments;
  for (const Block& block : problem.blocks) {
    for (const Piece& piece : block.pieces) {
      alignments.insert(AlignmentOf(block, piece));
      if (alignments.size() > kMostAlignments) alignments.erase(alignments.begin());
    }
  }
  ListBounds bounds;
  bounds.max_live_bytes = HeightOfAligned(problem, 1);
  bounds.lower_bound_bytes = AboveForbidden(problem, bounds.max_live_bytes);
  for (const std::int64_t alignment : alignments) {
    if (alignment == 1) continue;
    bounds.lower_bound_bytes =
        std::max(bounds.lower_bound_bytes, HeightOfAligned(problem, alignment));
  }
  const std::vector<std::int64_t> least = LeastBases(problem);
  return {bounds.max_live_bytes, std::max(bounds.lower_bound_bytes, ArenaBytes(problem, least))};
}

}  // namespace opass::allocators
