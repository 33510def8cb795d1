#include "opass/tvm/plan_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opass/memory/storage.h"
#include "opass/support/bytes.h"

namespace opass::tvm {
namespace {

// TVM's operation that gives a tensor its place in the arena copies it elsewhere otherwise.
constexpr std::int64_t kAlignment = 64;

Layout LayoutOf(const memory::Problem& problem, const memory::Plan& plan) {
  Layout layout;
  layout.order = plan.order;
  layout.arena_bytes = plan.arena_bytes;
  layout.offsets.resize(problem.values.size());
  for (const memory::Buffer& buffer : plan.buffers) {
    if (buffer.value.valid()) layout.offsets[buffer.value.index()] = buffer.offset_bytes;
  }
  return layout;
}

Error Refused(std::string message, std::string where) {
  return {ErrorCode::kRefused, std::move(message), std::move(where), "", ""};
}

bool IsPlaced(const memory::Value& value) { return value.in_arena && value.size_bytes > 0; }

}  // namespace

Result<PlannedModule> PlanModule(Session& session, ModuleId lowered,
                                 const planner::PlanOptions& options) {
  PlannedModule planned;
  OPASS_ASSIGN_OR_RETURN(planned.problem, session.Pose(lowered));
  planned.problem.alignment = kAlignment;
  OPASS_ASSIGN_OR_RETURN(planner::PlanResult result, planner::MakePlan(planned.problem, options));
  planned.plan = std::move(result.plan);
  OPASS_ASSIGN_OR_RETURN(planned.laid_out,
                         session.ApplyLayout(lowered, LayoutOf(planned.problem, planned.plan)));
  OPASS_ASSIGN_OR_RETURN(planned.compiled, session.Compile(planned.laid_out));
  return planned;
}

Status CheckWrites(const PlannedModule& planned, const std::vector<Write>& writes) {
  const memory::Problem& problem = planned.problem;
  const Layout layout = LayoutOf(problem, planned.plan);
  std::vector<bool> is_written(problem.values.size());
  std::optional<std::uint64_t> base;
  std::int64_t span_bytes = 0;
  for (const Write& write : writes) {
    if (write.value.index() >= problem.values.size()) {
      return Refused("a kernel wrote a value that the plan does not have", "");
    }
    const memory::Value& value = problem.value(write.value);
    if (!IsPlaced(value)) continue;
    const std::int64_t offset = layout.offsets[write.value.index()];
    const std::uint64_t start = write.address - static_cast<std::uint64_t>(offset);
    if (!base.has_value()) base = start;
    if (start != *base) {
      return Refused(fmt::format("a kernel wrote outside the arena, or not at offset {}", offset),
                     value.name);
    }
    is_written[write.value.index()] = true;
    span_bytes = std::max(span_bytes, offset + RoundUp(value.size_bytes, kAlignment));
  }
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (IsPlaced(problem.values[i]) && !is_written[i]) {
      return Refused("no kernel wrote this value", problem.values[i].name);
    }
  }
  if (span_bytes != planned.plan.arena_bytes) {
    return Refused(fmt::format("the kernels' outputs span {} bytes of an arena of {}", span_bytes,
                               planned.plan.arena_bytes),
                   "");
  }
  return {};
}

Result<std::int64_t> LivePeak(const memory::Problem& problem) {
  OPASS_RETURN_IF_ERROR(memory::Validate(problem));
  const memory::StorageGraph graph(problem);
  std::vector<memory::OpId> order;
  for (std::size_t i = 0; i < problem.ops.size(); ++i) order.emplace_back(i);
  OPASS_ASSIGN_OR_RETURN(const memory::Schedule schedule,
                         memory::Evaluate(graph, std::move(order)));
  return schedule.peak_bytes;
}

}  // namespace opass::tvm
