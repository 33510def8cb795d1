#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace opass {

// Makes Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program; a second signal ends
// it at once.
void InstallInterruptHandler();
// The user wants the program to end: what is not done is an error.
bool InterruptedByUser();
// The same once: from now on the program goes on, until another signal. For work whose best so far
// is what the user then gets.
bool TakeInterrupt();
// InterruptedByUser(), or a Deadline has passed. Searches ask it between steps: the best so far is
// the answer.
bool Interrupted();

// While it lives, work of this thread that asks Interrupted() is told to stop once the time is
// over. One inside another ends no later than that one. Threads that do a part of the work adopt
// it.
class Deadline {
 public:
  explicit Deadline(double seconds);  // 0: none of its own
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  static Deadline* Current();  // the innermost of this thread; null: none

  // Work was told to stop, so that another run may find something else.
  bool passed() const { return passed_.load(std::memory_order_relaxed); }
  // At least 0; none: there is no end.
  std::optional<double> SecondsLeft() const;
  // Is the time over? For Interrupted(), from any thread that has adopted it.
  bool Ask();

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
  std::atomic<bool> passed_ = false;
  Deadline* outer_;
};

// The deadline of another thread, which waits for this one, holds here too; null: none.
class AdoptDeadline {
 public:
  explicit AdoptDeadline(Deadline* deadline);
  ~AdoptDeadline();
  AdoptDeadline(const AdoptDeadline&) = delete;
  AdoptDeadline& operator=(const AdoptDeadline&) = delete;

 private:
  Deadline* before_;
};

}  // namespace opass
