#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "opass/allocators/exact/answer.h"
#include "opass/allocators/exact/fit_state.h"
#include "opass/allocators/exact/instance.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::exact_offsets {

enum class OrderKey { kSteps, kArea, kLoad, kSize };

// The order in which buffers of equal heads are tried: by these keys, the largest first; never the
// answer.
struct CanonicalSettings {
  std::array<OrderKey, 3> keys = {OrderKey::kSteps, OrderKey::kArea, OrderKey::kLoad};
  std::vector<double> factors;  // per buffer: of its first key; none: all 1
  bool use_symmetry = true;
};

// Does everything fit below a capacity? Depth-first over canonical layouts: buffers are placed by
// ascending offset, each on what is placed already (Moffitt, MiniMalloc, ASPLOS 2023), and the
// order is drawn up anew, by the loads that are left, wherever what is left falls into parts.
// Unlike there, every node decides one buffer, the first by head and order: it comes next, or it
// rests on one that is not placed yet, which raises its head, and that is propagated as in
// FitSearch.
//
// Why nothing is lost: of all layouts take the one with the least sum of offsets and, among those,
// the least offsets compared from buffer 0 on. In it every buffer rests on the bottom or on another
// one, none could be put below a place that is filled before it, and of identical buffers the first
// one lies lowest. Wherever the search has followed it so far, the next buffer by offset and order
// is at its head and rests on what is placed; the buffers before that one rest on others, whose
// tops are above the current offset.
class CanonicalSearch {
 public:
  // `stop`, when given, ends a run early as if its budget were spent.
  explicit CanonicalSearch(const Instance& instance, const Stop* stop = nullptr);

  Answer Run(std::int32_t capacity, const CanonicalSettings& settings, std::uint64_t max_nodes);

  // Per buffer, in units, after kFits.
  const std::vector<std::int32_t>& offsets() const { return offsets_; }
  std::uint64_t nodes() const { return nodes_; }  // of all runs

 private:
  // The work space of one depth, kept for the next visit.
  struct Frame {
    FitState state;
    std::vector<std::int32_t> support;  // per buffer: the highest top below it of those placed
    std::vector<Part> parts;
    std::vector<std::int32_t> ranks;  // of the state's buffers, while its parts have their own
  };

  Frame& FrameAt(std::size_t depth);
  void Start(const CanonicalSettings& settings);
  void DrawUpOrder(const FitState& state);
  double KeyOf(const FitState& state, std::int32_t buffer, OrderKey key) const;
  bool Solve(std::size_t depth, const Part& part, std::int32_t capacity);
  bool SolveParts(std::size_t depth, std::int32_t capacity);
  bool Branch(std::size_t depth, const Part& part, std::int32_t capacity);
  std::int32_t ChooseBuffer(const Frame& frame) const;
  bool HasRoomAbove(const FitState& state, const Part& part, std::int32_t capacity,
                    std::int32_t offset) const;
  bool Place(std::size_t depth, const Part& part, std::int32_t capacity, std::int32_t buffer);
  bool Postpone(FitState& state, const Part& part, std::int32_t capacity,
                std::int32_t buffer) const;

  const Instance& instance_;
  const Stop* stop_;
  const CanonicalSettings* settings_ = nullptr;
  std::deque<Frame> frames_;  // references stay valid when it grows
  std::vector<std::int32_t> offsets_;
  std::vector<std::int32_t> ranks_;  // per buffer, within its part
  std::vector<std::int32_t> twins_;  // per buffer: the last identical one before it, or -1
  std::vector<bool> is_placed_;      // per buffer
  std::vector<std::int32_t> reach_;  // per section: work space
  bool aborted_ = false;
  std::uint64_t nodes_ = 0;
  std::uint64_t max_nodes_ = 0;
};

}  // namespace opass::allocators::exact_offsets
