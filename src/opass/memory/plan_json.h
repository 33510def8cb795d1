#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

// The Plan as a file: docs/formats.md, "opass-plan" version 1.
namespace opass::memory {

// The same plan, the same bytes. `plan` is a plan of `problem`. Names that are not UTF-8 are
// written with replacement characters. Ends with a newline.
std::string PlanToJson(const Problem& problem, const Plan& plan);

// Names are resolved against `problem`; nothing else is judged: call Check. `where` names the file.
Result<Plan> ParsePlan(const Problem& problem, std::string_view text, const std::string& where);

// What whoever has the model needs to pose the problem that a plan answers.
struct PlanHead {
  Plan conventions;  // target, sharing, alignment, inputs, preserve_inputs, exclude_io; no more
  std::map<std::string, std::int64_t> workspace_bytes;  // planned, by operator name
};
Result<PlanHead> ParsePlanHead(std::string_view text, const std::string& where);

}  // namespace opass::memory
