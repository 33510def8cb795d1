#pragma once

#include <algorithm>
#include <chrono>

#include "opass/support/interrupt.h"
#include "opass/support/result.h"

namespace opass {

// The seconds that the user allows for planning. Its parts share them: what else happens between
// two parts is not counted.
class PlanTime {
 public:
  explicit PlanTime(double limit_seconds) : limit_seconds_(limit_seconds) {}  // 0: no limit

  bool IsOver() const { return limit_seconds_ > 0 && used_seconds_ >= limit_seconds_; }

  // Work that is counted but never told to stop: an error is all that it could end with.
  template <typename Work>
  Status Count(Work work) {
    const auto start = Clock::now();
    Status status = work();
    used_seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
    return status;
  }

  // Work that is told to stop when its share of the seconds that are left is over.
  template <typename Work>
  Status Limit(double share, Work work) {
    if (limit_seconds_ <= 0) return work();
    // Too late is a limit, too: the first order that comes.
    const Deadline deadline(share * std::max(kLeastSeconds, limit_seconds_ - used_seconds_));
    return Count(std::move(work));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kLeastSeconds = 1e-6;

  double limit_seconds_;
  double used_seconds_ = 0;
};

}  // namespace opass
