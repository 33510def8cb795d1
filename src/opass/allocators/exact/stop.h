#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "opass/support/interrupt.h"

namespace opass::allocators::exact_offsets {

// Asks a search to end early: another one has the answer, the time that the user gave is over, or
// the program is interrupted.
class Stop {
 public:
  using Clock = std::chrono::steady_clock;

  void Ask() { asked_.store(true, std::memory_order_relaxed); }
  void SetDeadline(std::optional<Clock::time_point> deadline) { deadline_ = deadline; }
  bool Asked() const {
    return asked_.load(std::memory_order_relaxed) || Interrupted() ||
           (deadline_ && Clock::now() > *deadline_);
  }

 private:
  std::atomic<bool> asked_ = false;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace opass::allocators::exact_offsets
