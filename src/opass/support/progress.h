#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace opass {

// One status line on a terminal for work that takes over a second: what is being done and for how
// long. Writes nothing when standard error is not a terminal or when `enabled` is false, and
// removes its line when it ends.
class Progress {
 public:
  explicit Progress(bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Stage(std::string what);

 private:
  void Loop();

  bool enabled_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string what_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace opass
