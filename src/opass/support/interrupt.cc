#include "opass/support/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>

namespace opass {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;
// Of the clock; 0: there is no deadline.
std::atomic<Clock::rep> deadline = 0;

bool DeadlinePassed() {
  const Clock::rep at = deadline.load(std::memory_order_relaxed);
  return at != 0 && Clock::now().time_since_epoch().count() >= at;
}

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

bool Interrupted() { return InterruptedByUser() || DeadlinePassed(); }

Deadline::Deadline(double seconds) {
  if (seconds <= 0) return;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(seconds, 1e9)));
  deadline = end.time_since_epoch().count();
}

Deadline::~Deadline() { deadline = 0; }

bool Deadline::passed() const { return DeadlinePassed(); }

}  // namespace opass
