#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/planner/planner.h"
#include "opass/support/result.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// A lowered module with our order and our arena.
struct PlannedModule {
  memory::Problem problem;
  memory::Plan plan;
  ModuleId laid_out;
  Compiled compiled;
};

// Poses, plans, checks the plan, and compiles with it. Errors: those of the session and of the
// planner.
Result<PlannedModule> PlanModule(Session& session, ModuleId lowered,
                                 const planner::PlanOptions& options);

// Judges where the kernels wrote while the module ran: every value at its offset in one arena, each
// at least once, and from the first to the last byte exactly as much as was planned. Error
// (kRefused): not so.
Status CheckWrites(const PlannedModule& planned, const std::vector<Write>& writes);

// The bytes live at most when the operators run in the module's order.
Result<std::int64_t> LivePeak(const memory::Problem& problem);

}  // namespace opass::tvm
