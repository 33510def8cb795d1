// Depth first from the results: before an operator come its operands, each with all that it needs,
// the operand with the largest (peak - residual) first. For trees whose operators are evaluated one
// subtree after another this is the best order (Sethi and Ullman 1970; Liu 1986); where operands
// are shared, peaks are estimated as if they were not. Also from the other end, with readers for
// operands. O((operators + links) log).

#include <algorithm>
#include <limits>

#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// No sum of sizes overflows when estimates stop here.
constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max() / 4;

class DepthFirst {
 public:
  DepthFirst(const StepGraph& graph, Direction direction)
      : graph_(graph),
        forward_(direction == Direction::kForward),
        peak_bytes_(graph.num_ops(), 0),
        taken_(graph.num_ops(), false) {
    EstimatePeaks();
  }

  std::vector<OpId> Run() {
    std::vector<OpId> roots;
    for (std::size_t i = 0; i < graph_.num_ops(); ++i) {
      const auto after = forward_ ? graph_.successors[i] : graph_.predecessors[i];
      if (after.empty()) roots.push_back(OpId(i));
    }
    for (const OpId root : Sorted(roots)) Visit(root);
    return std::move(order_);
  }

 private:
  struct Frame {
    OpId op;
    std::vector<OpId> operands;  // the next to visit is the last
  };

  std::span<const OpId> Operands(OpId op) const {
    return forward_ ? graph_.predecessors[op.index()] : graph_.successors[op.index()];
  }

  // What the operator leaves live for the operators after it (in the direction of building).
  std::int64_t ResidualBytes(OpId op) const {
    return forward_ ? graph_.ops[op.index()].lasting_bytes : InputBytes(op);
  }

  std::int64_t InputBytes(OpId op) const {
    std::int64_t bytes = 0;
    for (const memory::StorageId input : graph_.inputs[op.index()]) {
      bytes += graph_.storages[input.index()].size_bytes;
    }
    return bytes;
  }

  std::vector<OpId> Sorted(std::span<const OpId> ops) const {
    std::vector<std::pair<std::int64_t, OpId>> keyed;
    for (const OpId op : ops) {
      keyed.emplace_back(ResidualBytes(op) - peak_bytes_[op.index()], op);
    }
    std::sort(keyed.begin(), keyed.end());
    std::vector<OpId> sorted;
    sorted.reserve(keyed.size());
    for (const auto& [key, op] : keyed) sorted.push_back(op);
    return sorted;
  }

  void EstimatePeaks() {
    const std::size_t n = graph_.num_ops();
    for (std::size_t k = 0; k < n; ++k) {
      const OpId op(forward_ ? k : n - 1 - k);  // the file order is topological
      std::int64_t held = 0;
      std::int64_t peak = InputBytes(op) + graph_.ops[op.index()].step_bytes;
      for (const OpId operand : Sorted(Operands(op))) {
        peak = std::max(peak, held + peak_bytes_[operand.index()]);
        held = std::min(held + ResidualBytes(operand), kMostBytes);
      }
      peak_bytes_[op.index()] = std::min(peak, kMostBytes);
    }
  }

  void Push(OpId op, std::vector<Frame>& stack) {
    taken_[op.index()] = true;
    std::vector<OpId> operands = Sorted(Operands(op));
    std::reverse(operands.begin(), operands.end());
    stack.push_back({op, std::move(operands)});
  }

  void Visit(OpId root) {
    std::vector<Frame> stack;
    Push(root, stack);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.operands.empty()) {
        order_.push_back(top.op);
        stack.pop_back();
        continue;
      }
      const OpId operand = top.operands.back();
      top.operands.pop_back();
      if (!taken_[operand.index()]) Push(operand, stack);
    }
  }

  const StepGraph& graph_;
  const bool forward_;
  std::vector<std::int64_t> peak_bytes_;  // per operator: with all that it needs
  std::vector<bool> taken_;
  std::vector<OpId> order_;
};

std::vector<OpId> Directed(const StepGraph& graph, Direction direction) {
  return DepthFirst(graph, direction).Run();
}

Result<std::vector<OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions&) {
  return BetterOfBothWays(StepGraph(graph), Directed);
}

}  // namespace

extern const Scheduler depth_first;
const Scheduler depth_first = {
    "depth_first", "operands before operators, the one with the largest peak - residual first",
    Run};

}  // namespace opass::schedulers
