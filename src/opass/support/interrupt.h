#pragma once

namespace opass {

// Makes Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program; a second signal ends
// it at once.
void InstallInterruptHandler();
// The user wants the program to end: what is not done is an error.
bool InterruptedByUser();
// The same, or a Deadline has passed. Searches ask it between steps: the best so far is the answer.
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
