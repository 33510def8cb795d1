#include "opass/support/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace opass {
namespace {

constexpr double kLongestSeconds = 1e9;  // many more overflow the clock

volatile std::sig_atomic_t interrupted = 0;
thread_local Deadline* current = nullptr;

extern "C" void OnSignal(int signal) {
  if (interrupted != 0) _exit(128 + signal);
  interrupted = 1;
}

}  // namespace

void InstallInterruptHandler() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

bool InterruptedByUser() { return interrupted != 0; }

bool TakeInterrupt() {
  const bool was_interrupted = InterruptedByUser();
  interrupted = 0;
  return was_interrupted;
}

bool Interrupted() { return InterruptedByUser() || (current != nullptr && current->Ask()); }

Deadline::Deadline(double seconds) : outer_(current) {
  current = this;
  if (outer_ != nullptr) end_ = outer_->end_;
  if (!(seconds > 0)) return;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::min(seconds, kLongestSeconds)));
  end_ = std::min(end, end_.value_or(end));
}

Deadline::~Deadline() { current = outer_; }

Deadline* Deadline::Current() { return current; }

std::optional<double> Deadline::SecondsLeft() const {
  if (!end_) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*end_ - Clock::now()).count());
}

bool Deadline::Ask() {
  if (passed()) return true;
  if (!end_) return false;
  const Clock::time_point now = Clock::now();
  if (now < *end_) return false;
  for (Deadline* each = this; each != nullptr && each->end_ && now >= *each->end_;
       each = each->outer_) {
    each->passed_.store(true, std::memory_order_relaxed);
  }
  return true;
}

AdoptDeadline::AdoptDeadline(Deadline* deadline) : before_(current) { current = deadline; }
AdoptDeadline::~AdoptDeadline() { current = before_; }

}  // namespace opass
