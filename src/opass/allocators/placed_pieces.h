#pragma once

#include <cstdint>
#include <vector>

namespace opass::allocators {

// The pieces placed so far, found by the steps they live in: a segment tree over the steps. Adding
// costs O(log steps); asking O(log steps + answers), where an answer may be met O(log steps) times.
class PlacedPieces {
 public:
  struct Span {
    std::int64_t begin = 0;  // bytes, half-open
    std::int64_t end = 0;
  };

  explicit PlacedPieces(std::int64_t num_steps);

  void Add(Span bytes, std::int64_t first, std::int64_t last);

  // Calls `visit(Span)` once for every piece that lives in a step of [first, last).
  template <typename Visit>
  void ForEachLiveIn(std::int64_t first, std::int64_t last, Visit visit) {
    ++stamp_;
    std::size_t low = leaves_ + static_cast<std::size_t>(first);
    std::size_t high = leaves_ + static_cast<std::size_t>(last) - 1;
    // Those that span a whole node above the interval, then those anywhere below its own nodes.
    for (std::size_t node = low; node > 0; node /= 2) VisitAll(spanning_[node], visit);
    for (std::size_t node = high; node > 0; node /= 2) VisitAll(spanning_[node], visit);
    for (; low <= high; low /= 2, high /= 2) {
      if (low % 2 == 1) VisitNode(low++, visit);
      if (high % 2 == 0) VisitNode(high--, visit);
      if (low > high) break;
    }
  }

 private:
  template <typename Visit>
  void VisitNode(std::size_t node, Visit& visit) {
    VisitAll(spanning_[node], visit);
    VisitAll(below_[node], visit);
  }

  template <typename Visit>
  void VisitAll(const std::vector<std::uint32_t>& pieces, Visit& visit) {
    for (const std::uint32_t piece : pieces) {
      if (met_[piece] == stamp_) continue;
      met_[piece] = stamp_;
      visit(spans_[piece]);
    }
  }

  std::size_t leaves_ = 1;                            // a power of two; node 1 is the root
  std::vector<std::vector<std::uint32_t>> spanning_;  // per node: pieces that live in all of it
  std::vector<std::vector<std::uint32_t>> below_;     // per node: pieces spanning a node below it
  std::vector<Span> spans_;
  std::vector<std::uint64_t> met_;  // per piece: the question that met it last
  std::uint64_t stamp_ = 0;
};

}  // namespace opass::allocators
