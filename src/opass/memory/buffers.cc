#include "opass/memory/buffers.h"

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::memory {
namespace {

// Outputs of a problem without operators are live for one step all the same.
std::int64_t NumSteps(const Schedule& schedule) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(schedule.order.size()));
}

// The lifetime of every value by itself.
std::vector<Lifetime> ValueLifetimes(const Problem& problem, const Schedule& schedule) {
  std::vector<Lifetime> lifetimes(problem.values.size());
  const bool first_use = problem.inputs == InputArrival::kFirstUse;
  for (std::size_t k = 0; k < schedule.order.size(); ++k) {
    const std::int64_t step = static_cast<std::int64_t>(k);
    const Op& op = problem.op(schedule.order[k]);
    for (const ValueId output : op.outputs) lifetimes[output.index()] = {step, step + 1};
    for (const ValueId input : op.inputs) {
      Lifetime& lifetime = lifetimes[input.index()];
      if (lifetime.last == 0 && first_use) lifetime.first = step;
      lifetime.last = step + 1;
    }
  }
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const Value& value = problem.values[i];
    if (value.is_output || value.is_preserved) lifetimes[i].last = NumSteps(schedule);
  }
  return lifetimes;
}

// What the value shares with whom, and where it lies.
void SetPlace(const StorageGraph& graph, const Schedule& schedule, const Placement& placement,
              Buffer& buffer) {
  const StorageId storage = graph.storage_of(buffer.value);
  if (!storage.valid()) return;
  buffer.offset_bytes =
      placement.storage_offsets[storage.index()] + graph.offset_in_storage(buffer.value);
  const Value& value = graph.problem().value(buffer.value);
  const ValueId taken = schedule.takes_over[buffer.value.index()];
  if (value.view) {
    buffer.alias_of = value.view->source;
    buffer.alias_kind = AliasKind::kView;
  } else if (taken.valid()) {
    buffer.alias_of = taken;
    buffer.alias_kind = AliasKind::kInPlace;
  }
}

}  // namespace

std::vector<Lifetime> StorageLifetimes(const StorageGraph& graph, const Schedule& schedule) {
  const std::vector<Lifetime> values = ValueLifetimes(graph.problem(), schedule);
  std::vector<Lifetime> lifetimes(graph.num_storages());
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    lifetimes[i] = values[graph.storage(StorageId(i)).root.index()];
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const StorageId storage = graph.storage_of(ValueId(i));
    if (!storage.valid()) continue;
    Lifetime& lifetime = lifetimes[storage.index()];
    lifetime.last = std::max(lifetime.last, values[i].last);
  }
  return lifetimes;
}

std::vector<Buffer> MakeBuffers(const StorageGraph& graph, const Schedule& schedule,
                                const Placement& placement) {
  const Problem& problem = graph.problem();
  const std::vector<Lifetime> lifetimes = ValueLifetimes(problem, schedule);
  std::vector<Buffer> buffers;
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (!problem.values[i].in_arena) continue;
    Buffer buffer;
    buffer.value = ValueId(i);
    buffer.first = lifetimes[i].first;
    buffer.last = lifetimes[i].last;
    if (buffer.last > 0) {
      buffer.size_bytes = RoundUp(problem.values[i].size_bytes, problem.alignment);
      SetPlace(graph, schedule, placement, buffer);
    }
    buffers.push_back(buffer);
  }
  for (std::size_t k = 0; k < schedule.order.size(); ++k) {
    const OpId id = schedule.order[k];
    if (graph.op(id).workspace_bytes == 0) continue;
    Buffer buffer;
    buffer.workspace_of = id;
    buffer.offset_bytes = placement.workspace_offsets[id.index()];
    buffer.size_bytes = graph.op(id).workspace_bytes;
    buffer.first = static_cast<std::int64_t>(k);
    buffer.last = buffer.first + 1;
    buffers.push_back(buffer);
  }
  std::stable_sort(buffers.begin(), buffers.end(), [](const Buffer& a, const Buffer& b) {
    return a.first < b.first;  // the ids ascend already; workspaces come after
  });
  return buffers;
}

std::int64_t ArenaBytes(const std::vector<Buffer>& buffers) {
  std::int64_t arena = 0;
  for (const Buffer& buffer : buffers) {
    arena = std::max(arena, buffer.offset_bytes + buffer.size_bytes);
  }
  return arena;
}

std::int64_t SumBytes(const Problem& problem) {
  std::int64_t sum = 0;
  for (const Value& value : problem.values) sum += value.size_bytes;
  return sum;
}

}  // namespace opass::memory
