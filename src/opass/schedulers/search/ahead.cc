#include "opass/schedulers/search/ahead.h"

#include <utility>

#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

bool SameQuestion(const DecideOptions& a, const DecideOptions& b) {
  return a.budget_bytes == b.budget_bytes && a.direction == b.direction &&
         a.max_nodes == b.max_nodes && a.max_looks == b.max_looks &&
         a.max_memo_bytes == b.max_memo_bytes;
}

}  // namespace

Decision Ahead::Ask(const DecideOptions& first,
                    const std::function<std::optional<DecideOptions>(int)>& then) {
  if (threads_ <= 1) return Decide(graph_, first);
  if (!running_.empty() && !SameQuestion(running_.front()->options, first)) StopAll();
  if (running_.empty()) Start(first);
  while (static_cast<int>(running_.size()) < threads_) {
    const auto next = then(static_cast<int>(running_.size()));
    if (!next) break;
    Start(*next);
  }
  Decision decision = running_.front()->decision.get();
  running_.pop_front();
  if (decision.answer != Decision::Answer::kUnknown) StopAll();
  return decision;
}

void Ahead::Start(const DecideOptions& options) {
  Running& running = *running_.emplace_back(std::make_unique<Running>());
  running.options = options;
  running.options.stop = &running.stop;
  running.decision =
      std::async(std::launch::async, [this, &running, deadline = Deadline::Current()] {
        const AdoptDeadline adopted(deadline);
        return Decide(graph_, running.options);
      });
}

void Ahead::StopAll() {
  for (const auto& running : running_) running->stop = true;
  running_.clear();  // waits for them
}

}  // namespace opass::schedulers
