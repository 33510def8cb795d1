#pragma once

#include <string>

#include "opass/cli/plan_command.h"
#include "opass/opass.h"

namespace opass::cli {

// A file that ends in .json is a problem (docs/formats.md), anything else a model.
bool IsProblemFile(const std::string& path);

// Refuses options of the command that only a model can answer.
Status CheckProblemOptions(const PlanCommand& command);

// Schedules a problem without any model: the outcome's models are empty, `posed` and `before_posed`
// hold the problem alone.
Result<Outcome> PlanProblem(const std::string& path, const Options& options);

}  // namespace opass::cli
