#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/storage.h"
#include "opass/memory/takeover_matching.h"

namespace opass::memory {
namespace {

Status CheckOrder(const StorageGraph& graph, const std::vector<OpId>& order) {
  constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
  if (order.size() != graph.num_ops()) {
    return InvalidInput(
        fmt::format("the order has {} operators, the problem {}", order.size(), graph.num_ops()));
  }
  std::vector<std::size_t> position(graph.num_ops(), kAbsent);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k].index() >= graph.num_ops()) {
      return InvalidInput("the order names an operator that does not exist");
    }
    const std::string& name = graph.problem().op(order[k]).name;
    if (position[order[k].index()] != kAbsent) {
      return InvalidInput("the order has this operator twice", name);
    }
    position[order[k].index()] = k;
    for (const OpId before : graph.op(order[k]).predecessors) {
      if (position[before.index()] == kAbsent) {
        return InvalidInput(
            fmt::format("the order has it before '{}'", graph.problem().op(before).name), name);
      }
    }
  }
  return {};
}

// The bytes live between steps, as operators are executed one by one.
class LiveBytes {
 public:
  explicit LiveBytes(const StorageGraph& graph)
      : graph_(graph), unread_(graph.num_storages()), waiting_(graph.num_storages(), false) {
    const bool first_use = graph.problem().inputs == InputArrival::kFirstUse;
    for (std::size_t i = 0; i < graph.num_storages(); ++i) {
      const Storage& storage = graph.storage(StorageId(i));
      unread_[i] = storage.readers.size();
      if (storage.producer.valid() || !IsUsed(storage)) continue;
      if (first_use && !storage.readers.empty()) {
        waiting_[i] = true;
      } else {
        bytes_ += storage.size_bytes;
      }
    }
  }

  std::int64_t bytes() const { return bytes_; }
  bool Dies(StorageId id) const { return unread_[id.index()] == 0 && !graph_.storage(id).kept; }

  // Inputs arrive and are read; they stay live until Finish.
  void Read(OpId id) {
    for (const StorageId input : graph_.op(id).inputs) {
      if (waiting_[input.index()]) bytes_ += graph_.storage(input).size_bytes;
      waiting_[input.index()] = false;
      --unread_[input.index()];
    }
  }

  void Finish(OpId id) {
    for (const StorageId input : graph_.op(id).inputs) {
      if (Dies(input)) bytes_ -= graph_.storage(input).size_bytes;
    }
    for (const StorageId output : graph_.op(id).outputs) {
      if (!Dies(output)) bytes_ += graph_.storage(output).size_bytes;
    }
  }

 private:
  const StorageGraph& graph_;
  std::vector<std::size_t> unread_;  // per storage: readers that did not run yet
  std::vector<bool> waiting_;        // per storage: an input that arrives at its first reader
  std::int64_t bytes_ = 0;
};

}  // namespace

Result<Schedule> Evaluate(const StorageGraph& graph, std::vector<OpId> order) {
  OPASS_RETURN_IF_ERROR(CheckOrder(graph, order));
  Schedule schedule;
  schedule.order = std::move(order);
  schedule.takes_over.resize(graph.problem().values.size());
  schedule.step_bytes.reserve(schedule.order.size());
  LiveBytes live(graph);
  TakeoverMatching matching(graph);
  schedule.peak_bytes = live.bytes();
  for (const OpId id : schedule.order) {
    live.Read(id);
    std::int64_t bytes = live.bytes() + graph.op(id).workspace_bytes;
    for (const StorageId output : graph.op(id).outputs) {
      bytes += graph.storage(output).size_bytes;
    }
    bytes -= matching.Solve(id, [&](StorageId input) { return live.Dies(input); });
    for (const Takeover* takeover : matching.chosen()) {
      schedule.takes_over[takeover->pair.output.index()] = takeover->pair.input;
    }
    live.Finish(id);
    schedule.step_bytes.push_back(bytes);
    schedule.peak_bytes = std::max(schedule.peak_bytes, bytes);
  }
  return schedule;
}

}  // namespace opass::memory
