#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opass/analysis/pose_problem.h"
#include "opass/frontends/onnx/bind.h"
#include "opass/ir/graph.h"
#include "opass/memory/plan.h"
#include "opass/memory/schedule.h"
#include "opass/reports/report.h"
#include "opass/runtime/inputs.h"
#include "opass/support/result.h"

// The public C++ API: the story of the tool. A model comes in, is cleaned up, poses a memory
// problem, gets a plan, and the plan is executed and compared before anybody relies on it.
namespace opass {

// Which passes to apply where, by the memory that they save (docs/orchestration.md).
struct PassSearch {
  std::string strategy = "none";     // one of `opass list strategies`; "none": no search
  std::int64_t evaluations = 50;     // graphs to schedule, at least 1
  double max_macs_overhead = 0.005;  // multiplications that the result may have more than the input
  // Up to which the operator set may be raised for a fusion: HardSwish waits for 14, Gelu for 20.
  // Later ones (24: Swish) are new enough for runtimes to refuse them. Options::opset forbids it.
  std::int64_t max_opset = 20;
  // Where models that show what a wrong action does are written; empty: nowhere.
  std::string reproducer_folder;
};

struct Options {
  frontends::ShapeBindings bindings;  // --shape, --dim
  std::int64_t opset = 0;             // 0: the input's, raised where the runtime has no kernel
  std::string target = "generic";
  std::int64_t alignment = 0;  // bytes; 0: the target's
  memory::Sharing sharing;
  bool preserve_inputs = false;
  bool exclude_io = false;
  memory::InputArrival inputs = memory::InputArrival::kResident;

  bool run_passes = true;  // false: the graph is planned as it is
  std::vector<std::string> disabled_passes;
  // Passes to run after the clean-up, each once and as far as it goes, in this order (--passes).
  std::vector<std::string> passes;
  // The result may compute in float16 where that needs a smaller arena (--precision fp16): the one
  // lossy pass. Inputs and outputs keep their types. A result that is off by more than
  // proof::kHalfBound is not taken; the warnings say so.
  bool allow_float16 = false;
  // Searched after these, on what they leave (--strategy).
  PassSearch search;
  // Bytes by which folding may make the weights grow; none: as long as the peak falls by as much.
  std::optional<std::int64_t> fold_growth_bytes;
  // Called with the pass's name and the graph after a pass changed it (--dump-after).
  std::function<Status(const std::string&, const ir::Model&)> after_pass;

  std::string scheduler = "auto";
  std::string allocator = "auto";
  std::uint64_t seed = 0;
  // Planning ends with the best so far after so many seconds; 0: when its work is done. Then the
  // same input need not give the same plan.
  double time_limit_seconds = 0;

  bool verify = true;
  runtime::InputOptions test_inputs;
  int num_runs = 2;  // seeds with which the plan is executed and compared
  int threads = 1;

  // Told what begins: "importing", "scheduling", ...
  std::function<void(const std::string&)> on_stage;
};

// A planned model.
struct Outcome {
  ir::Model original;  // as imported, bound, inferred, and at the output's operator set
  // The same before its operator set was converted; none when it was not.
  std::optional<ir::Model> unconverted;
  ir::Model model;               // rewritten, its nodes in the planned order
  analysis::PosedProblem posed;  // of `model`
  memory::Plan plan;             // checked
  memory::Schedule schedule;     // bytes of every step of the plan's order
  memory::Schedule before;       // of `original` in file order
  analysis::PosedProblem before_posed;
  memory::Plan before_plan;  // of `before`, placed by the same allocators
  reports::Report report;
};

// The main job: import, clean up, schedule, place, check, execute, compare. Writes nothing. An
// outcome whose outputs differ is an Error (kInternal) that names the pass.
Result<Outcome> Optimize(const std::string& path, const Options& options);

// The memory problem of a model with a plan's or an Options' conventions.
analysis::PoseOptions PoseOptionsOf(const Options& options);

}  // namespace opass
