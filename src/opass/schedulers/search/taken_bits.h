#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// The taken operators as a bit set, brought up to date when asked for.
class TakenBits {
 public:
  explicit TakenBits(std::size_t num_ops) : words_((num_ops + 63) / 64, 0) {}

  std::span<const std::uint64_t> Of(const StepState& state) {
    const std::span<const memory::OpId> path = state.path();
    for (; known_ < path.size(); ++known_) Flip(path[known_]);
    return words_;
  }
  // Must be told before the state takes operators back.
  void BeforeUndoTo(const StepState& state, std::size_t num_taken) {
    while (known_ > num_taken) Flip(state.path()[--known_]);
  }

 private:
  void Flip(memory::OpId op) { words_[op.index() / 64] ^= std::uint64_t{1} << (op.index() % 64); }

  std::vector<std::uint64_t> words_;
  std::size_t known_ = 0;  // the part of the path that the words show
};

}  // namespace opass::schedulers
