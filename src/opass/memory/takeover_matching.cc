#include "opass/memory/takeover_matching.h"

#include <algorithm>
#include <deque>

namespace opass::memory {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

std::int64_t TakeoverMatching::SolveUsable() {
  if (usable_.empty()) return 0;
  const bool one_output = std::all_of(usable_.begin(), usable_.end(), [&](const Takeover* t) {
    return t->output == usable_.front()->output;
  });
  if (one_output) {
    chosen_.push_back(usable_.front());
    return SizeOf(*usable_.front());
  }
  return Match();
}

std::int64_t TakeoverMatching::Match() {
  // Dense numbers for the outputs and inputs of this operator, in order of first appearance.
  std::vector<StorageId> outputs;
  std::vector<StorageId> inputs;
  for (const Takeover* takeover : usable_) {
    outputs.push_back(takeover->output);
    inputs.push_back(takeover->input);
  }
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  edges_.assign(outputs.size(), {});
  owner_.assign(inputs.size(), kNone);
  served_by_.assign(inputs.size(), nullptr);
  std::vector<std::size_t> serve;
  for (const Takeover* takeover : usable_) {
    const auto index = [](const std::vector<StorageId>& ids, StorageId id) {
      return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    };
    const std::size_t output = index(outputs, takeover->output);
    if (edges_[output].empty()) serve.push_back(output);
    edges_[output].push_back({index(inputs, takeover->input), takeover});
  }
  std::stable_sort(serve.begin(), serve.end(), [&](std::size_t a, std::size_t b) {
    return SizeOf(*edges_[a].front().takeover) > SizeOf(*edges_[b].front().takeover);
  });
  std::int64_t saved = 0;
  for (const std::size_t output : serve) {
    if (Augment(output)) saved += SizeOf(*edges_[output].front().takeover);
  }
  for (const Takeover* takeover : served_by_) {
    if (takeover != nullptr) chosen_.push_back(takeover);
  }
  return saved;
}

// Breadth first, so that a free preferred input is taken before anybody is moved, and the depth
// needs no stack.
bool TakeoverMatching::Augment(std::size_t output) {
  struct Step {
    std::size_t from_output = kNone;
    const Takeover* takeover = nullptr;
  };
  std::vector<Step> reached(owner_.size());
  std::vector<std::size_t> came_by(edges_.size(), kNone);  // per output: the input it would give up
  std::deque<std::size_t> queue{output};
  while (!queue.empty()) {
    const std::size_t current = queue.front();
    queue.pop_front();
    for (const Edge& edge : edges_[current]) {
      if (reached[edge.input].takeover != nullptr) continue;
      reached[edge.input] = {current, edge.takeover};
      if (owner_[edge.input] != kNone) {
        came_by[owner_[edge.input]] = edge.input;
        queue.push_back(owner_[edge.input]);
        continue;
      }
      for (std::size_t input = edge.input; input != kNone;) {
        const Step step = reached[input];
        owner_[input] = step.from_output;
        served_by_[input] = step.takeover;
        input = came_by[step.from_output];
      }
      return true;
    }
  }
  return false;
}

}  // namespace opass::memory
