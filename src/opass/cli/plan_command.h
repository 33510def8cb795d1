#pragma once

#include <functional>
#include <string>
#include <vector>

#include "opass/cli/command.h"
#include "opass/cli/model_options.h"
#include "opass/memory/judge_certificate.h"

namespace opass::cli {

// What optimize and schedule do with a planned model: the files they write and the table they
// print.
struct PlanCommand {
  ModelOptions model;
  std::string output;              // -o; empty: no model is written
  std::string plan;                // --plan; empty: beside the output
  std::vector<std::string> emits;  // --emit kind=FILE
  std::string picture;             // --report; empty: none is drawn
  std::string external = "keep";
  std::string budget;
  std::string dump_folder;  // --dump-after
  std::string precision = "lossless";
  std::string max_flops_overhead = "0.5%";
  bool explain = false;
  bool force = false;
  bool require_verified = false;
  memory::JudgeOptions judge;  // --prove
};

// `with_passes`: optimize; else schedule.
void AddPlanCommand(CLI::App& app, PlanCommand& command, bool with_passes);
Result<int> RunPlanCommand(PlanCommand& command, const Globals& globals);

}  // namespace opass::cli
