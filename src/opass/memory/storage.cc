#include "opass/memory/storage.h"

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::memory {
namespace {

template <typename T>
void SortUnique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

StorageGraph::StorageGraph(const Problem& problem)
    : problem_(&problem),
      ops_(problem.ops.size()),
      storage_of_(problem.values.size()),
      offset_in_storage_(problem.values.size(), 0) {
  MakeStorages();
  for (std::size_t i = 0; i < ops_.size(); ++i) ReadOp(OpId(i));
  // Takeovers ask whether the input is kept, which the last view of it may decide.
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    AddPredecessors(OpId(i));
    AddTakeovers(OpId(i));
  }
}

void StorageGraph::MakeStorages() {
  for (std::size_t i = 0; i < problem_->values.size(); ++i) {
    const Value& value = problem_->values[i];
    if (!value.in_arena || value.size_bytes == 0 || value.view) continue;
    storage_of_[i] = StorageId(storages_.size());
    Storage storage;
    storage.root = ValueId(i);
    storage.size_bytes = RoundUp(value.size_bytes, problem_->alignment);
    storage.producer = value.producer;
    storage.kept = value.is_output || value.is_preserved;
    storages_.push_back(std::move(storage));
  }
}

void StorageGraph::ReadOp(OpId id) {
  const Op& op = problem_->op(id);
  StorageOp& made = ops_[id.index()];
  made.workspace_bytes = RoundUp(op.workspace_bytes, problem_->alignment);
  for (const ValueId input : op.inputs) {
    if (storage_of(input).valid()) made.inputs.push_back(storage_of(input));
  }
  SortUnique(made.inputs);
  for (const StorageId input : made.inputs) storages_[input.index()].readers.push_back(id);
  for (const ValueId output : op.outputs) {
    const Value& value = problem_->value(output);
    if (!value.view) {
      if (storage_of(output).valid()) made.outputs.push_back(storage_of(output));
    } else if (value.size_bytes > 0) {  // an empty view shares nothing
      const StorageId shared = storage_of(value.view->source);
      storage_of_[output.index()] = shared;
      offset_in_storage_[output.index()] =
          offset_in_storage(value.view->source) + value.view->offset_bytes;
      if (value.is_output) storages_[shared.index()].kept = true;
    }
  }
}

void StorageGraph::AddPredecessors(OpId id) {
  std::vector<OpId>& predecessors = ops_[id.index()].predecessors;
  for (const ValueId input : problem_->op(id).inputs) {
    const OpId producer = problem_->value(input).producer;
    if (producer.valid()) predecessors.push_back(producer);
  }
  SortUnique(predecessors);
  for (const OpId before : predecessors) ops_[before.index()].successors.push_back(id);
}

void StorageGraph::AddTakeovers(OpId id) {
  const Op& op = problem_->op(id);
  if (op.in_place.empty()) return;
  // A view that the operator makes needs the bytes of its source during this very step.
  std::vector<StorageId> viewed;
  for (const ValueId output : op.outputs) {
    if (problem_->value(output).view) viewed.push_back(storage_of(output));
  }
  std::sort(viewed.begin(), viewed.end());
  std::vector<std::pair<StorageId, StorageId>> seen;
  std::vector<Takeover>& takeovers = ops_[id.index()].takeovers;
  for (const InPlace& pair : op.in_place) {
    const Takeover takeover{storage_of(pair.output), storage_of(pair.input), pair};
    if (!takeover.output.valid() || !takeover.input.valid()) continue;
    if (storage(takeover.input).kept) continue;
    if (std::binary_search(viewed.begin(), viewed.end(), takeover.input)) continue;
    takeovers.push_back(takeover);
    seen.emplace_back(takeover.output, takeover.input);
  }
  if (takeovers.size() < 2) return;
  // Two aliases of one storage: the earlier pair stays.
  std::vector<std::size_t> first(takeovers.size());
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = i;
  std::stable_sort(first.begin(), first.end(),
                   [&](std::size_t a, std::size_t b) { return seen[a] < seen[b]; });
  std::vector<bool> drop(takeovers.size(), false);
  for (std::size_t i = 1; i < first.size(); ++i) {
    drop[first[i]] = seen[first[i]] == seen[first[i - 1]];
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < takeovers.size(); ++i) {
    if (!drop[i]) takeovers[kept++] = takeovers[i];
  }
  takeovers.resize(kept);
}

}  // namespace opass::memory
