#pragma once

namespace opass {

// Makes Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program. Long work asks
// `Interrupted()` between steps; a second signal ends the program at once.
void InstallInterruptHandler();
bool Interrupted();

// While it lives, work that asks Interrupted() is told to stop once the time is over: the best so
// far is good enough. One at a time.
class Deadline {
 public:
  explicit Deadline(double seconds);  // 0: none
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  bool passed() const;
};

}  // namespace opass
