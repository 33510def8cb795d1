#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "opass/allocators/exact/answer.h"
#include "opass/allocators/exact/fit_state.h"
#include "opass/allocators/exact/instance.h"
#include "opass/allocators/exact/refuted_states.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::exact_offsets {

// Which section is decided next. All but the last may take any valley of the floors.
enum class SectionRule { kFewestOptions, kLeastSlack, kMostFailures, kLowestFloor };

// What may change from run to run: the order of the search, never its answer.
struct FitSettings {
  std::vector<std::int32_t> rank;  // per buffer: lower ones are tried first
  SectionRule section_rule = SectionRule::kFewestOptions;
  std::int64_t loss_weight = 0;  // how much the slack that a placement wastes counts, in tenths
  bool waste_last = true;        // leaving a place empty is tried after all buffers
  bool use_symmetry = true;
};

// Does everything fit below a capacity? Depth-first: take a valley of the floors and a section in
// it; the point just above its floor is covered by a buffer that starts there, or by none, and then
// the floor rises to where the lowest buffer above can rest. These cases exclude each other, so no
// layout is met twice, and some layout in which every buffer rests on the bottom or on another one
// exists whenever any layout does (design "allocation" 3).
class FitSearch {
 public:
  // `stop`, when given, ends a run early as if its budget were spent.
  explicit FitSearch(const Instance& instance, const Stop* stop = nullptr);

  // Remembers the states it refuted: they stay refuted at other settings and capacities.
  Answer Run(std::int32_t capacity, const FitSettings& settings, std::uint64_t max_nodes);

  // Per buffer, in units, after kFits.
  const std::vector<std::int32_t>& offsets() const { return offsets_; }
  std::uint64_t nodes() const { return nodes_; }  // of all runs

 private:
  struct Child {
    std::int64_t score = 0;
    std::int32_t buffer = -1;  // none: nothing covers the point
    std::size_t state = 0;     // among the states of its frame
  };
  // The work space of one depth, kept for the next visit.
  struct Frame {
    FitState state;
    std::vector<FitState> states;
    std::vector<Child> children;
    std::vector<Part> parts;
    RefutedStates::Key key;
  };

  Frame& FrameAt(std::size_t depth);
  bool Solve(std::size_t depth, Part part, std::int32_t capacity);
  bool SolveParts(std::size_t depth, std::int32_t capacity);
  bool Branch(std::size_t depth, const Part& part, std::int32_t capacity);
  bool OutOfBudget(std::size_t depth);

  void MakeKey(Frame& frame, const Part& part, std::int32_t capacity) const;
  std::int32_t ChooseSection(const FitState& state, const Part& part, std::int32_t capacity);
  // Each returns true when it has placed the last buffer.
  bool AddBuffers(Frame& frame, const Part& part, std::int32_t capacity, std::int32_t section);
  void AddWaste(Frame& frame, const Part& part, std::int32_t capacity, std::int32_t section);
  std::int64_t Loss(const FitState& before, const FitState& after, const Part& part,
                    std::int32_t capacity) const;
  bool IsMirrored(const FitState& state, std::int32_t buffer) const;
  void UpdateTops(const FitState& before, std::int32_t placed, FitState& state) const;
  bool Covers(std::int32_t buffer, std::int32_t section) const;

  const Instance& instance_;
  const Stop* stop_;
  RefutedStates refuted_;
  const FitSettings* settings_ = nullptr;
  std::deque<Frame> frames_;  // references stay valid when it grows
  std::vector<std::int32_t> offsets_;
  std::vector<std::int32_t> options_;   // per section, of one node
  std::vector<std::int32_t> failures_;  // per section: dead ends so far
  bool narrow_ = false;                 // the capacity fits in 16 bits
  bool aborted_ = false;
  std::uint64_t nodes_ = 0;
  std::uint64_t max_nodes_ = 0;
};

}  // namespace opass::allocators::exact_offsets
