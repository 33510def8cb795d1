#pragma once

#include <string>

#include "opass/cli/plan_command.h"

namespace opass::cli {

// --strategy, --evaluations, --max-flops-overhead, --max-opset, --reproducers, --explain.
void AddSearch(CLI::App& app, PlanCommand& command);

// "0.5%" or "0.005" -> 0.005; from 0 to 100 (10000%). `where`: the option, for the message.
Result<double> ParseShare(const std::string& text, const std::string& where);

}  // namespace opass::cli
