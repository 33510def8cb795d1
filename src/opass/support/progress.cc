#include "opass/support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace opass {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kQuietTime = std::chrono::seconds(1);  // shorter work shows nothing
constexpr auto kPeriod = std::chrono::milliseconds(200);
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO) != 0) {
  if (enabled_) thread_ = std::thread([this] { Loop(); });
}

Progress::~Progress() {
  if (!enabled_) return;
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Progress::Stage(std::string what) {
  std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::Loop() {
  const auto start = Clock::now();
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kPeriod, [this] { return done_; })) {
    const auto elapsed = Clock::now() - start;
    if (elapsed < kQuietTime || what_.empty()) continue;
    fmt::print(stderr, "{}{} ... {:.0f} s", kClearLine, what_,
               std::chrono::duration<double>(elapsed).count());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "{}", kClearLine);
}

}  // namespace opass
