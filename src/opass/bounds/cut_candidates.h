#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace opass::bounds {

// Which operators to compute cuts for, one after another: there is time for a few of many. By turns
//  - the step that needs most in a good order: the peak is often where it must be;
//  - a step in the middle of the widest gap between those spread over the order so far: where the
//    steps of the order all look alike, or none of its high ones is needed;
//  - a step near the one with the best bound so far, nearer and nearer: bounds rise towards a hill.
// Deterministic.
class CutCandidates {
 public:
  // What each step of the order needs: at least what its operator needs at least.
  explicit CutCandidates(std::span<const std::int64_t> step_bytes);

  // A step that was not handed out before and needs more than `bound_bytes`; nothing when there are
  // no more.
  std::optional<std::size_t> Next(std::int64_t bound_bytes);
  // The step handed out last has raised the bound.
  void Raised();

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool Usable(std::size_t step, std::int64_t bound_bytes) const {
    return !used_[step] && step_bytes_[step] > bound_bytes;
  }
  std::size_t NextHighest(std::int64_t bound_bytes);
  std::size_t NextSpread(std::int64_t bound_bytes);
  std::size_t NextNear(std::int64_t bound_bytes);

  std::span<const std::int64_t> step_bytes_;
  std::vector<bool> used_;
  std::vector<std::size_t> by_bytes_;  // steps, those that need most first
  std::size_t next_highest_ = 0;
  std::size_t num_spread_ = 0;  // of the sequence of halves, quarters, eighths
  std::size_t best_ = kNone;    // the step with the best bound
  std::size_t distance_ = 0;    // from it
  bool after_ = true;           // or before it
  std::size_t last_ = kNone;
  unsigned turn_ = 0;
};

}  // namespace opass::bounds
