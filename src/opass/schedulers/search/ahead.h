#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <memory>

#include "opass/schedulers/search/decide.h"

namespace opass::schedulers {

// Runs decision searches ahead of being asked, on other threads: those that come next if the ones
// before them end without an answer, as hard ones do. What is asked for in the end, and the answer
// to it, do not depend on how many ran ahead.
class Ahead {
 public:
  Ahead(const StepGraph& graph, int threads) : graph_(graph), threads_(threads) {}
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;
  ~Ahead() { StopAll(); }

  // The answer to `first`. `then(i)` is what is asked i searches later if all before it end without
  // an answer; nothing: nobody knows.
  Decision Ask(const DecideOptions& first,
               const std::function<std::optional<DecideOptions>(int)>& then);

 private:
  struct Running {
    DecideOptions options;
    std::atomic<bool> stop = false;
    std::future<Decision> decision;
  };

  void Start(const DecideOptions& options);
  void StopAll();

  const StepGraph& graph_;
  int threads_;
  std::deque<std::unique_ptr<Running>> running_;
};

}  // namespace opass::schedulers
