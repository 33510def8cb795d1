#include "opass/support/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace opass {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kQuietTime = std::chrono::seconds(1);  // shorter work shows nothing
constexpr auto kPeriod = std::chrono::milliseconds(200);
constexpr const char* kClearLine = "\r\x1b[K";

// The end of the text, which says most, so that it fits into one line of the terminal: a longer one
// could not be removed.
std::string FitIntoLine(std::string text) {
  constexpr std::string_view kLeftOut = "...";
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col <= kLeftOut.size()) return text;
  if (text.size() < size.ws_col) return text;
  std::size_t begin = text.size() - (size.ws_col - 1 - kLeftOut.size());
  const auto is_inside_character = [&] { return (text[begin] & 0xC0) == 0x80; };  // UTF-8
  while (begin < text.size() && is_inside_character()) ++begin;
  return std::string(kLeftOut) + text.substr(begin);
}

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
    const double seconds = std::chrono::duration<double>(elapsed).count();
    fmt::print(stderr, "{}{}", kClearLine,
               FitIntoLine(fmt::format("{} ... {:.0f} s", what_, seconds)));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "{}", kClearLine);
}

}  // namespace opass
