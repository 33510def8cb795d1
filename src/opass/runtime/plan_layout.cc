#include "opass/runtime/plan_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "opass/runtime/value_store.h"
#include "opass/support/bytes.h"

namespace opass::runtime {
namespace {

// Below, vector kernels take another path for the first elements and round differently.
constexpr std::int64_t kLeastAlignment = 16;

Error Wrong(std::string message, std::string where) {
  return InvalidInput("the plan does not fit the model: " + std::move(message), std::move(where));
}

ByteRange RangeOf(const memory::Buffer& buffer) {
  return {buffer.offset_bytes, buffer.offset_bytes + buffer.size_bytes};
}

}  // namespace

std::vector<ByteRange> Subtract(ByteRange range, std::vector<ByteRange>& holes) {
  std::ranges::sort(holes, {}, &ByteRange::begin);
  std::vector<ByteRange> rest;
  for (const ByteRange& hole : holes) {
    if (hole.begin >= range.end) break;
    if (hole.end <= range.begin) continue;
    if (hole.begin > range.begin) rest.push_back({range.begin, hole.begin});
    range.begin = std::max(range.begin, hole.end);
  }
  if (range.begin < range.end) rest.push_back(range);
  return rest;
}

Result<PlanLayout> PlanLayout::Make(const PlannedModel& planned) {
  PlanLayout layout(planned);
  OPASS_RETURN_IF_ERROR(layout.ReadOrder());
  OPASS_RETURN_IF_ERROR(layout.ReadBuffers());
  layout.FindViews();
  layout.FindFreedBytes();
  return layout;
}

Status PlanLayout::ReadOrder() {
  const auto& [model, problem, plan, node_of_op, value_of] = planned_;
  if (node_of_op.size() != problem.ops.size() || value_of.size() != problem.values.size()) {
    return InternalError("the maps from the problem to the model have other sizes");
  }
  if (plan.order.size() != problem.ops.size()) {
    return Wrong(
        fmt::format("its order has {} of {} operators", plan.order.size(), problem.ops.size()), "");
  }
  step_of_op_.assign(problem.ops.size(), SIZE_MAX);
  for (const memory::OpId id : plan.order) {
    if (id.index() >= problem.ops.size() || step_of_op_[id.index()] != SIZE_MAX) {
      return Wrong("its order is not a permutation", "");
    }
    step_of_op_[id.index()] = ops_.size();
    const ir::NodeId node = node_of_op[id.index()];
    if (!node.valid() || node.index() >= model.graph.num_nodes()) {
      return InternalError("an operator of the plan is no node of the model", problem.op(id).name);
    }
    ops_.push_back(&problem.op(id));
    order_.push_back(node);
  }
  return {};
}

Status PlanLayout::CheckBuffer(const memory::Buffer& buffer, ir::ValueId id) const {
  const std::string name = NameOf(buffer);
  if (buffer.offset_bytes < 0 || buffer.size_bytes < 0 ||
      buffer.size_bytes > planned_.plan.arena_bytes ||
      buffer.offset_bytes > planned_.plan.arena_bytes - buffer.size_bytes) {
    return Wrong("a buffer leaves the arena", name);
  }
  if (buffer.offset_bytes % kLeastAlignment != 0) {
    return Wrong(fmt::format("offset {} is not a multiple of {}, which execution needs",
                             buffer.offset_bytes, kLeastAlignment),
                 name);
  }
  const auto steps = static_cast<std::int64_t>(ops_.size());
  if (buffer.first < 0 || buffer.last < buffer.first || buffer.last > steps) {
    return Wrong("a lifetime leaves the run", name);
  }
  if (!id.valid()) return {};
  const auto size = PlannableBytes(planned_.model.graph.value(id));
  if (!size) return Wrong("a value of unknown size has a buffer", name);
  if (*size > buffer.size_bytes) {
    return Wrong(fmt::format("the value has {} bytes, its buffer {}", *size, buffer.size_bytes),
                 name);
  }
  return {};
}

Status PlanLayout::ReadBuffers() {
  const ir::Graph& graph = planned_.model.graph;
  if (planned_.plan.arena_bytes < 0 || planned_.plan.arena_bytes > kMaxBytes) {
    return Wrong("its arena has an impossible size", "");
  }
  buffer_of_.resize(graph.num_values());
  workspace_of_.resize(ops_.size());
  arrivals_.resize(ops_.size());
  if (ops_.empty()) return {};  // nothing runs: outputs are inputs or constants
  for (const memory::Buffer& buffer : planned_.plan.buffers) {
    ir::ValueId id;
    if (buffer.value.valid()) {
      if (buffer.value.index() >= planned_.value_of.size()) return Wrong("unknown value", "");
      id = planned_.value_of[buffer.value.index()];
      if (id.valid() && id.index() >= graph.num_values()) return Wrong("unknown value", "");
    } else if (buffer.workspace_of.index() >= step_of_op_.size()) {
      return Wrong("a workspace of no operator", "");
    }
    if (buffer.first == buffer.last) continue;  // an input that nobody reads
    OPASS_RETURN_IF_ERROR(CheckBuffer(buffer, id));
    if (!buffer.value.valid()) {
      workspace_of_[step_of_op_[buffer.workspace_of.index()]] = &buffer;
    }
    if (!id.valid()) continue;
    buffer_of_[id.index()] = &buffer;
    const bool is_input = !graph.value(id).producer.valid();
    if (is_input) {
      arrivals_[static_cast<std::size_t>(buffer.first)].push_back(id);
    }
  }
  return {};
}

void PlanLayout::FindViews() {
  const ir::Graph& graph = planned_.model.graph;
  for (const ir::NodeId node : order_) {
    is_view_.push_back(std::ranges::all_of(graph.node(node).outputs, [&](ir::ValueId id) {
      if (!id.valid()) return true;
      const memory::Buffer* buffer = this->buffer(id);
      return buffer != nullptr && buffer->alias_kind == memory::AliasKind::kView;
    }));
  }
}

void PlanLayout::FindFreedBytes() {
  if (ops_.empty()) return;  // inputs that are outputs live on: nothing is freed
  std::vector<std::vector<const memory::Buffer*>> born(ops_.size());
  for (const memory::Buffer& buffer : planned_.plan.buffers) {
    if (buffer.size_bytes > 0 && buffer.first < buffer.last) {
      born[static_cast<std::size_t>(buffer.first)].push_back(&buffer);
    }
  }
  std::vector<const memory::Buffer*> live;
  for (std::size_t step = 0; step < ops_.size(); ++step) {
    live.insert(live.end(), born[step].begin(), born[step].end());
    const auto end = std::partition(live.begin(), live.end(), [&](const memory::Buffer* buffer) {
      const bool is_last_step = step + 1 == ops_.size();  // the outputs are still to be read
      return is_last_step || buffer->last > static_cast<std::int64_t>(step) + 1;
    });
    std::vector<ByteRange> kept;
    if (end != live.end()) {
      std::transform(live.begin(), end, std::back_inserter(kept),
                     [](const memory::Buffer* buffer) { return RangeOf(*buffer); });
    }
    std::vector<ByteRange>& freed = freed_.emplace_back();
    for (auto dead = end; dead != live.end(); ++dead) {
      const std::vector<ByteRange> rest = Subtract(RangeOf(**dead), kept);
      freed.insert(freed.end(), rest.begin(), rest.end());
    }
    live.erase(end, live.end());
  }
}

std::string PlanLayout::NameOf(const memory::Buffer& buffer) const {
  const memory::Problem& problem = planned_.problem;
  if (buffer.value.valid()) return problem.value(buffer.value).name;
  return problem.op(buffer.workspace_of).name + "#workspace";
}

std::vector<std::string> PlanLayout::Neighbours(const memory::Buffer& buffer) const {
  std::vector<std::string> names;
  const ByteRange range = RangeOf(buffer);
  for (const memory::Buffer& other : planned_.plan.buffers) {
    const ByteRange theirs = RangeOf(other);
    const bool bytes_meet = theirs.begin < range.end && range.begin < theirs.end;
    const bool times_meet = other.first < buffer.last && buffer.first < other.last;
    if (&other != &buffer && bytes_meet && times_meet) {
      names.push_back(fmt::format("{} (bytes {}..{}, steps {}..{})", NameOf(other), theirs.begin,
                                  theirs.end, other.first, other.last));
    }
  }
  return names;
}

}  // namespace opass::runtime
