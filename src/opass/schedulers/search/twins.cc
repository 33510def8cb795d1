#include "opass/schedulers/search/twins.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::StorageId;

// Numbers in front of what they tell apart in a description.
enum Tag : std::int64_t { kOp = -1, kInside = -2, kReaders = -3, kBefore = -4, kAfter = -5 };

using Description = std::vector<std::int64_t>;

std::int64_t Number(auto id) { return static_cast<std::int64_t>(id.index()); }

// Chains of operators, by which each belongs to one.
struct Chains {
  std::vector<OpId> next;           // per operator; invalid at the end of a chain
  std::vector<OpId> first;          // per operator: of its chain
  std::vector<std::int64_t> place;  // per operator: in its chain
};

// Everything about a chain but the names of what is inside: chains described alike are twins.
class Describer {
 public:
  Describer(const memory::StorageGraph& graph, const Chains& chains, OpId first)
      : graph_(graph), chains_(chains), first_(first) {}

  Description Run() {
    for (OpId id = first_; id.valid(); id = chains_.next[id.index()]) {
      const memory::StorageOp& op = graph_.op(id);
      text_.insert(text_.end(), {kOp, op.workspace_bytes});
      for (const StorageId input : op.inputs) AddStorage(input);
      for (const StorageId output : op.outputs) AddOutput(output);
      for (const memory::Takeover& takeover : op.takeovers) {
        AddStorage(takeover.output);
        AddStorage(takeover.input);
      }
      text_.push_back(kBefore);
      AddOutside(op.predecessors);
      text_.push_back(kAfter);
      AddOutside(op.successors);
    }
    return std::move(text_);
  }

 private:
  bool IsInside(OpId op) const { return chains_.first[op.index()] == first_; }

  // A storage of the chain by where it is made, another one by its name.
  void AddStorage(StorageId id) {
    const OpId producer = graph_.storage(id).producer;
    if (!producer.valid() || !IsInside(producer)) {
      text_.push_back(Number(id));
      return;
    }
    const std::vector<StorageId>& outputs = graph_.op(producer).outputs;
    text_.insert(text_.end(), {kInside, chains_.place[producer.index()],
                               std::find(outputs.begin(), outputs.end(), id) - outputs.begin()});
  }

  void AddOutput(StorageId id) {
    const memory::Storage& storage = graph_.storage(id);
    text_.insert(text_.end(), {kReaders, storage.size_bytes, storage.kept ? 1 : 0});
    AddOutside(storage.readers);
  }

  void AddOutside(const std::vector<OpId>& ops) {
    for (const OpId op : ops) {
      if (!IsInside(op)) text_.push_back(Number(op));
    }
  }

  const memory::StorageGraph& graph_;
  const Chains& chains_;
  OpId first_;
  Description text_;
};

// The operator that alone follows `op` and follows no other one that way; else invalid.
OpId NextInChain(const memory::StorageGraph& graph, OpId op) {
  const auto only_next = [&](OpId id) {
    const std::vector<OpId>& successors = graph.op(id).successors;
    const std::vector<StorageId>& outputs = graph.op(id).outputs;
    const bool is_chained = successors.size() == 1 &&
                            std::none_of(outputs.begin(), outputs.end(),
                                         [&](StorageId out) { return graph.storage(out).kept; });
    return is_chained ? successors.front() : OpId();
  };
  const OpId next = only_next(op);
  if (!next.valid()) return OpId();
  const std::vector<OpId>& before = graph.op(next).predecessors;
  const auto count = std::count_if(before.begin(), before.end(),
                                   [&](OpId other) { return only_next(other) == next; });
  return count == 1 ? next : OpId();
}

Chains FindChains(const memory::StorageGraph& graph) {
  Chains chains;
  chains.next.resize(graph.num_ops());
  chains.first.resize(graph.num_ops());
  chains.place.resize(graph.num_ops());
  std::vector<bool> is_first(graph.num_ops(), true);
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    chains.next[i] = NextInChain(graph, OpId(i));
    if (chains.next[i].valid()) is_first[chains.next[i].index()] = false;
  }
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    if (!is_first[i]) continue;
    std::int64_t place = 0;
    for (OpId op(i); op.valid(); op = chains.next[op.index()]) {
      chains.first[op.index()] = OpId(i);
      chains.place[op.index()] = place++;
    }
  }
  return chains;
}

}  // namespace

std::vector<Precedence> TwinPrecedences(const memory::StorageGraph& graph) {
  const Chains chains = FindChains(graph);
  std::map<Description, OpId> last_of;  // the first operator of the last chain described so
  std::vector<Precedence> precedences;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    if (chains.first[i] != OpId(i)) continue;
    const auto [known, is_new] = last_of.emplace(Describer(graph, chains, OpId(i)).Run(), OpId(i));
    if (is_new) continue;
    precedences.emplace_back(known->second, OpId(i));
    known->second = OpId(i);
  }
  return precedences;
}

}  // namespace opass::schedulers
