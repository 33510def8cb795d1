#include "opass/support/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace opass {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void OnSignal(int signal) {
  if (interrupted != 0) _exit(128 + signal);
  interrupted = 1;
}

}  // namespace

void InstallInterruptHandler() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace opass
