#pragma once

#include "opass/memory/plan.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/problem.h"
#include "opass/memory/problem_json.h"
#include "opass/planner/planner.h"

// opass as a library for compilers (docs/library.md): pose a memory::Problem, get a checked plan.
// Needs neither a model format nor a runtime.
namespace opass {

using ScheduleOptions = planner::PlanOptions;
using ScheduleResult = planner::PlanResult;

// Orders the operators for minimal peak memory and places every buffer in one arena. The plan has
// passed memory::Check; its certificate says how far from optimal the order can be. Deterministic,
// unless the time limit of the options, or a Deadline of the thread (support/interrupt.h), ends it
// early. Errors: kInvalidInput for a problem that memory::Validate refuses or a name that is
// unknown.
inline Result<ScheduleResult> Schedule(const memory::Problem& problem,
                                       const ScheduleOptions& options = {}) {
  return planner::MakePlan(problem, options);
}

}  // namespace opass
