#include "opass/opass.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "opass/import_model.h"
#include "opass/memory/storage.h"
#include "opass/onnx/shape_inference.h"
#include "opass/onnx/version.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/pass_search.h"
#include "opass/passes/runner.h"
#include "opass/plan_time.h"
#include "opass/planner/planner.h"
#include "opass/proof.h"
#include "opass/reports/bound_reason.h"
#include "opass/runtime/kernels.h"
#include "opass/support/interrupt.h"
#include "opass/targets/target.h"

namespace opass {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMaxPayingFolds = 16;
// Of the seconds that the user allows, what the figures of the file order may take.
constexpr double kShareOfFileOrder = 0.1;
// And the search over passes.
constexpr double kShareOfSearch = 0.5;

class Job {
 public:
  Job(const std::string& path, const Options& options)
      : path_(path), options_(options), target_(*targets::FindTarget(options.target)) {}

  Result<Outcome> Run() {
    outcome_.report.model = path_;
    outcome_.report.target = options_.target;
    OPASS_RETURN_IF_ERROR(Stage("import", [&] { return Import(); }));
    OPASS_RETURN_IF_ERROR(Stage("passes", [&] { return Rewrite(); }));
    if (options_.run_passes && options_.search.strategy != "none") {
      OPASS_RETURN_IF_ERROR(Stage("search", [&] { return SearchPasses(); }));
      if (options_.verify) {
        OPASS_RETURN_IF_ERROR(
            Stage("verify actions", [&] { return pass_search::VerifyActions(found_, options_); }));
      }
      OPASS_RETURN_IF_ERROR(TakeFound());
    }
    OPASS_RETURN_IF_ERROR(Stage("plan", [&] { return PlanBoth(); }));
    if (options_.run_passes && options_.allow_float16) {
      OPASS_RETURN_IF_ERROR(Stage("float16", [&] { return TryFloat16(); }));
    }
    if (target_.plans_workspace) {
      OPASS_RETURN_IF_ERROR(Stage("measure", [&] { return PlanWorkspace(); }));
    }
    PutInOrder();
    FillReport();
    if (options_.verify) {
      OPASS_RETURN_IF_ERROR(Stage("verify", [&] { return VerifyOrFallBack(); }));
    } else {
      outcome_.report.verification.reason = "not-asked";
      outcome_.report.verification.message = "not asked for";
    }
    outcome_.report.seconds.emplace_back("total", total_seconds_);
    return std::move(outcome_);
  }

 private:
  template <typename Work>
  Status Stage(const char* name, Work work) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    if (options_.on_stage) options_.on_stage(fmt::format("{}: {}", path_, name));
    const auto start = Clock::now();
    Status status = work();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    outcome_.report.seconds.emplace_back(name, seconds);
    total_seconds_ += seconds;
    return status;
  }

  Status Import() {
    OPASS_ASSIGN_OR_RETURN(ir::Model model, ImportModel(path_, options_.bindings));
    const std::int64_t input_opset = model.opset();
    ir::Model unconverted = model;
    if (options_.opset != 0 && options_.opset != input_opset) {
      OPASS_ASSIGN_OR_RETURN(model,
                             onnxlib::ConvertVersion(model, static_cast<int>(options_.opset)));
    } else if (options_.opset == 0 && (options_.run_passes || options_.verify)) {
      OPASS_ASSIGN_OR_RETURN(model, runtime::RaiseToKernels(std::move(model)));
    }
    if (model.opset() != input_opset) {
      outcome_.unconverted = std::move(unconverted);
      OPASS_RETURN_IF_ERROR(onnxlib::InferTypes(model));
      OPASS_RETURN_IF_ERROR(ir::Verify(model.graph));
    }
    outcome_.report.input_opset = input_opset;
    outcome_.report.opset = model.opset();
    outcome_.original = std::move(model);
    return {};
  }

  bool HasUnknownSizes() const {
    const ir::Graph& graph = outcome_.original.graph;
    return std::ranges::any_of(graph.order, [&](ir::NodeId id) {
      return std::ranges::any_of(graph.node(id).outputs, [&](ir::ValueId output) {
        return output.valid() && !graph.value(output).type.SizeBytes();
      });
    });
  }

  // Runs the passes on a copy. Folding also finds sizes that inference alone does not; the original
  // graph learns them from the copy, whose ids are the same.
  Status Rewrite() {
    outcome_.model = outcome_.original;
    std::vector<std::string> names = passes::CleanUpPasses();
    if (!options_.run_passes) {
      if (!HasUnknownSizes()) return {};
      names = {"fold_constants"};
    }
    OPASS_ASSIGN_OR_RETURN(const auto reports,
                           passes::RunPasses(outcome_.model, names, RunnerOptions()));
    LearnTypes();
    if (!options_.run_passes) {
      outcome_.model = outcome_.original;
      return {};
    }
    AddPassReports(reports);
    return RunChosenPasses();
  }

  // Each as far as it goes, in the order given; what they leave behind is cleaned up.
  Status RunChosenPasses() {
    if (options_.passes.empty()) return {};
    passes::RunnerOptions once = RunnerOptions();
    once.max_rounds = 1;
    OPASS_ASSIGN_OR_RETURN(const auto chosen,
                           passes::RunPasses(outcome_.model, options_.passes, once));
    AddPassReports(chosen);
    OPASS_ASSIGN_OR_RETURN(
        const auto cleaned,
        passes::RunPasses(outcome_.model, passes::CleanUpPasses(), RunnerOptions()));
    AddPassReports(cleaned);
    return {};
  }

  Status SearchPasses() {
    return time_.Limit(kShareOfSearch, [&]() -> Status {
      const planner::PlanOptions plan = PlanOptionsFor({});
      OPASS_ASSIGN_OR_RETURN(found_, pass_search::Search(outcome_.model, options_, plan));
      is_cut_short_ = is_cut_short_ || found_.report.stopped_by == "time";
      is_stopped_by_user_ = found_.report.stopped_by == "user";
      return {};
    });
  }

  Status TakeFound() {
    if (!found_.report.steps.empty()) {
      OPASS_ASSIGN_OR_RETURN(outcome_.model, pass_search::ModelOf(found_));
      for (const orchestrator::NativeStep& step : found_.steps) {
        AddPassReports({{step.what.shown.pass, 1, 0, {}}});
      }
      outcome_.report.opset = outcome_.model.opset();
      has_same_ids_ = false;
    }
    for (const std::string& failure : found_.report.failures) {
      outcome_.report.warnings.push_back("a pass failed and was left out: " + failure);
    }
    for (const reports::SearchReport::Removed& removed : found_.report.removed) {
      outcome_.report.warnings.push_back(
          fmt::format("'{}' was taken off by verification: {}", removed.name, removed.message));
    }
    if (is_stopped_by_user_) {
      outcome_.report.warnings.push_back(
          "the search was stopped by Ctrl-C: the best so far, which another run need not find");
    }
    outcome_.report.search = std::move(found_.report);
    found_ = {};
    return {};
  }

  // What the clean-up passes found out; they add no values and change the meaning of none.
  void LearnTypes() {
    if (!has_same_ids_) return;
    ir::Graph& graph = outcome_.original.graph;
    for (std::size_t i = 0; i < graph.num_values(); ++i) {
      const ir::ValueId id(i);
      const ir::Type& learned = outcome_.model.graph.value(id).type;
      if (!graph.value(id).type.SizeBytes() && learned.SizeBytes()) graph.value(id).type = learned;
    }
  }

  Status PlanFileOrder() {
    OPASS_ASSIGN_OR_RETURN(outcome_.before_posed,
                           analysis::PoseProblem(outcome_.original, PoseOptionsFor({})));
    planner::PlanOptions file_order = PlanOptionsFor(outcome_.before_posed);
    file_order.scheduler = "file_order";
    OPASS_ASSIGN_OR_RETURN(planner::PlanResult before,
                           planner::MakePlan(outcome_.before_posed.problem, file_order));
    outcome_.before = std::move(before.file_order);
    outcome_.before_plan = std::move(before.plan);
    return {};
  }

  Status PlanBoth() {
    OPASS_RETURN_IF_ERROR(time_.Limit(kShareOfFileOrder, [&] { return PlanFileOrder(); }));
    OPASS_RETURN_IF_ERROR(PlanModel({}));
    if (options_.run_passes && !options_.fold_growth_bytes)
      OPASS_RETURN_IF_ERROR(FoldWhileItPays());
    if (outcome_.plan.peak_bytes <= outcome_.before.peak_bytes) return {};
    // The rewritten graph needs more than the input in its own order: what did not pay is undone.
    outcome_.report.warnings.push_back("the rewritten graph needs more memory: the input is kept");
    outcome_.model = outcome_.original;
    outcome_.report.passes.clear();
    return PlanModel({});
  }

  // Folding stores weights only where that needs no more bytes (fold_constants). What is left may
  // still pay: a dequantized table that is computed in every run needs its bytes in the arena. The
  // largest group is folded as long as the peak falls by at least what the weights grow.
  Status FoldWhileItPays() {
    for (int i = 0; i < kMaxPayingFolds; ++i) {
      if (time_.IsOver()) {
        is_cut_short_ = true;
        return {};
      }
      ir::Model candidate = outcome_.model;
      passes::RunnerOptions fold_one = RunnerOptions();
      fold_one.pass.fold_largest_group = true;
      fold_one.max_rounds = 1;
      fold_one.after_change = nullptr;
      OPASS_ASSIGN_OR_RETURN(auto reports,
                             passes::RunPasses(candidate, {"fold_constants"}, fold_one));
      if (reports.empty() || reports.front().num_changes == 0) return {};
      passes::RunnerOptions clean_up = RunnerOptions();
      clean_up.after_change = nullptr;
      OPASS_ASSIGN_OR_RETURN(const auto more,
                             passes::RunPasses(candidate, passes::CleanUpPasses(), clean_up));
      reports.insert(reports.end(), more.begin(), more.end());

      Outcome before = outcome_;
      const std::int64_t file_order_before = after_file_order_peak_bytes_;
      outcome_.model = std::move(candidate);
      OPASS_RETURN_IF_ERROR(PlanModel({}));
      const std::int64_t saved = before.plan.peak_bytes - outcome_.plan.peak_bytes;
      const std::int64_t grown = outcome_.posed.weights_bytes - before.posed.weights_bytes;
      if (saved <= 0 || saved < grown) {
        outcome_ = std::move(before);
        after_file_order_peak_bytes_ = file_order_before;
        return {};
      }
      LearnTypes();
      AddPassReports(reports);
    }
    return {};
  }

  void AddPassReports(const std::vector<passes::PassReport>& reports) {
    std::vector<reports::PassLine>& lines = outcome_.report.passes;
    for (const passes::PassReport& report : reports) {
      auto line = std::ranges::find(lines, report.name, &reports::PassLine::name);
      if (line == lines.end()) line = lines.insert(lines.end(), {report.name, 0, 0, {}});
      line->num_changes += report.num_changes;
      line->seconds += report.seconds;
      line->notes = report.notes;
    }
  }

  passes::RunnerOptions RunnerOptions() const {
    passes::RunnerOptions runner;
    runner.disabled = options_.disabled_passes;
    runner.pass.fold_growth_bytes = options_.fold_growth_bytes.value_or(0);
    if (options_.after_pass) {
      runner.after_change = [this](const passes::Pass& pass, const ir::Model& model) {
        return options_.after_pass(std::string(pass.name), model);
      };
    }
    return runner;
  }

  Status PlanModel(std::vector<std::int64_t> workspace_bytes) {
    return time_.Limit(1, [&] { return PlanModelInTime(std::move(workspace_bytes)); });
  }

  Status PlanModelInTime(std::vector<std::int64_t> workspace_bytes) {
    OPASS_ASSIGN_OR_RETURN(
        outcome_.posed,
        analysis::PoseProblem(outcome_.model, PoseOptionsFor(std::move(workspace_bytes))));
    OPASS_ASSIGN_OR_RETURN(
        planner::PlanResult result,
        planner::MakePlan(outcome_.posed.problem, PlanOptionsFor(outcome_.posed)));
    outcome_.plan = std::move(result.plan);
    is_cut_short_ = is_cut_short_ || !outcome_.plan.deterministic;
    outcome_.plan.preserve_inputs = options_.preserve_inputs;
    outcome_.plan.exclude_io = options_.exclude_io;
    outcome_.schedule = std::move(result.schedule);
    after_file_order_peak_bytes_ = result.file_order.peak_bytes;
    outcome_.report.scheduler = result.scheduler;
    outcome_.report.allocator = result.allocator;
    return {};
  }

  // What is planned, in float16, if its arena is smaller.
  Status TryFloat16() {
    outcome_.report.precision = "float32";
    ir::Model candidate = outcome_.model;
    OPASS_ASSIGN_OR_RETURN(auto reports,
                           passes::RunPasses(candidate, {"convert_to_float16"}, RunnerOptions()));
    if (reports.empty() || reports.front().num_changes == 0) return {};
    OPASS_ASSIGN_OR_RETURN(const auto cleaned,
                           passes::RunPasses(candidate, passes::CleanUpPasses(), RunnerOptions()));
    reports.insert(reports.end(), cleaned.begin(), cleaned.end());
    lossless_ = std::make_unique<Lossless>(Lossless{outcome_, after_file_order_peak_bytes_});
    outcome_.model = std::move(candidate);
    OPASS_RETURN_IF_ERROR(PlanModel({}));
    const std::int64_t saved = lossless_->outcome.plan.arena_bytes - outcome_.plan.arena_bytes;
    if (saved <= 0) {
      outcome_.report.warnings.push_back(
          fmt::format("--precision: float16 was not taken: its arena is {} bytes larger", -saved));
      TakeLossless();
      return {};
    }
    AddPassReports(reports);
    outcome_.report.precision = "float16";
    return {};
  }

  // Warnings and times stay.
  void TakeLossless() {
    Lossless& lossless = *lossless_;
    lossless.outcome.report.warnings = std::move(outcome_.report.warnings);
    lossless.outcome.report.seconds = std::move(outcome_.report.seconds);
    outcome_ = std::move(lossless.outcome);
    after_file_order_peak_bytes_ = lossless.after_file_order_peak_bytes;
    lossless_ = nullptr;
  }

  // Executes the plan once to see what each kernel takes, then plans those bytes too.
  Status PlanWorkspace() {
    OPASS_ASSIGN_OR_RETURN(const proof::Scratch scratch, proof::MeasureScratch(outcome_, options_));
    if (!scratch.reason.empty()) {
      outcome_.report.warnings.push_back("kernel scratch is not planned: " + scratch.reason);
      return {};
    }
    outcome_.report.warnings.push_back(
        "kernel scratch is in the plan; the figures of the input are counted without it");
    return PlanModel(scratch.bytes);
  }

  void PutInOrder() {
    std::vector<ir::NodeId>& order = outcome_.model.graph.order;
    order.clear();
    for (const memory::OpId op : outcome_.plan.order) {
      order.push_back(outcome_.posed.node_of_op[op.index()]);
    }
  }

  void FillReport() {
    reports::Report& report = outcome_.report;
    const memory::Plan& plan = outcome_.plan;
    report.alignment = plan.alignment;
    outcome_.plan.deterministic = !is_cut_short_ && !is_stopped_by_user_;
    report.stopped_by_time = is_cut_short_ || !outcome_.before_plan.deterministic;
    report.deterministic = plan.deterministic;
    report.proven_optimal = plan.proven_optimal;
    report.unplanned_values = outcome_.posed.unplanned_values;
    report.before =
        FiguresOf(outcome_.before_posed, outcome_.before.peak_bytes, outcome_.before_plan);
    report.after = FiguresOf(outcome_.posed, after_file_order_peak_bytes_, plan);
    report.lower_bound_reason = BoundReason();
  }

  static reports::Figures FiguresOf(const analysis::PosedProblem& posed,
                                    std::int64_t file_order_peak_bytes, const memory::Plan& plan) {
    reports::Figures figures;
    figures.num_ops = static_cast<std::int64_t>(posed.problem.ops.size());
    figures.sum_bytes = posed.sum_bytes;
    figures.weights_bytes = posed.weights_bytes;
    figures.file_order_peak_bytes = file_order_peak_bytes;
    figures.peak_bytes = plan.peak_bytes;
    figures.arena_bytes = plan.arena_bytes;
    figures.lower_bound_bytes = plan.lower_bound_bytes;
    return figures;
  }

  std::string BoundReason() const {
    return reports::BoundReason(outcome_.plan.certificate, [&](memory::OpId op) {
      const ir::Node& node = outcome_.model.graph.node(outcome_.posed.node_of_op[op.index()]);
      return fmt::format("{} '{}'", node.op_type, node.name);
    });
  }

  // A result in float16 that is too far from the original is given up for the lossless one.
  Status VerifyOrFallBack() {
    Status status = Verify();
    if (status.ok() || status.error().code != ErrorCode::kRefused || lossless_ == nullptr) {
      return status;
    }
    outcome_.report.warnings.push_back(
        fmt::format("--precision: float16 was not taken: {}, more than {:g} of its largest "
                    "magnitude",
                    status.error().message, proof::kHalfBound));
    TakeLossless();
    if (target_.plans_workspace) OPASS_RETURN_IF_ERROR(PlanWorkspace());
    PutInOrder();
    FillReport();
    return Verify();
  }

  Status Verify() {
    if (options_.alignment == 0 || options_.alignment % proof::kExecutableAlignment == 0) {
      return proof::Verify(outcome_, outcome_.posed, outcome_.plan, options_);
    }
    // Kernels need aligned addresses: the same order, placed at the target's alignment, is run.
    Options aligned = options_;
    aligned.alignment = target_.alignment;
    analysis::PoseOptions pose = PoseOptionsOf(aligned);
    OPASS_ASSIGN_OR_RETURN(const analysis::PosedProblem posed,
                           analysis::PoseProblem(outcome_.model, pose));
    planner::PlanOptions plan_options = PlanOptionsFor(posed);
    plan_options.scheduler = "file_order";  // of the model in its planned order
    OPASS_ASSIGN_OR_RETURN(const planner::PlanResult result,
                           planner::MakePlan(posed.problem, plan_options));
    return proof::Verify(outcome_, posed, result.plan, aligned);
  }

  analysis::PoseOptions PoseOptionsFor(std::vector<std::int64_t> workspace_bytes) const {
    analysis::PoseOptions pose = PoseOptionsOf(options_);
    pose.workspace_bytes = std::move(workspace_bytes);
    return pose;
  }

  planner::PlanOptions PlanOptionsFor(const analysis::PosedProblem& posed) const {
    planner::PlanOptions plan;
    plan.target = options_.target;
    plan.sharing = PoseOptionsOf(options_).sharing;
    plan.scheduler = options_.scheduler;
    plan.allocator = options_.allocator;
    plan.seed = options_.seed;
    plan.threads = options_.threads;
    if (options_.on_stage) {
      plan.on_progress = [this](const planner::PlanProgress& progress) {
        options_.on_stage(fmt::format("{}: plan: {}", path_, planner::ProgressText(progress)));
      };
    }
    plan.weights_bytes = posed.weights_bytes;
    plan.unplanned_values = posed.unplanned_values;
    if (!outcome_.before.order.empty()) {
      plan.file_order_peak_bytes = outcome_.before.peak_bytes;
    }
    return plan;
  }

  const std::string& path_;
  const Options& options_;
  const targets::Target& target_;
  Outcome outcome_;
  std::int64_t after_file_order_peak_bytes_ = 0;
  double total_seconds_ = 0;
  PlanTime time_{options_.time_limit_seconds};
  bool has_same_ids_ = true;  // original and model
  struct Lossless {
    Outcome outcome;
    std::int64_t after_file_order_peak_bytes;
  };
  std::unique_ptr<Lossless> lossless_;  // what float16 stands for; null: nothing
  pass_search::Searched found_;
  bool is_cut_short_ = false;        // by time: another run need not find the same
  bool is_stopped_by_user_ = false;  // likewise; the search alone
};

}  // namespace

analysis::PoseOptions PoseOptionsOf(const Options& options) {
  const targets::Target& target = *targets::FindTarget(options.target);
  analysis::PoseOptions pose;
  pose.alignment = options.alignment == 0 ? target.alignment : options.alignment;
  pose.sharing = options.sharing;
  pose.sharing.view = pose.sharing.view && target.honours_views;
  pose.sharing.in_place = pose.sharing.in_place && target.honours_in_place;
  pose.preserve_inputs = options.preserve_inputs;
  pose.exclude_io = options.exclude_io;
  pose.inputs = options.inputs;
  pose.subgraph_peak = [seed = options.seed](const memory::Problem& problem) {
    planner::PlanOptions plan;
    plan.seed = seed;
    return planner::PeakBytes(problem, plan);
  };
  return pose;
}

Result<Outcome> Optimize(const std::string& path, const Options& options) {
  if (targets::FindTarget(options.target) == nullptr) {
    return InvalidInput(fmt::format("there is no target '{}'", options.target));
  }
  if (orchestrator::FindStrategy(options.search.strategy) == nullptr) {
    return InvalidInput(fmt::format("there is no strategy '{}'", options.search.strategy));
  }
  for (const std::string& name : options.passes) {
    const passes::Pass* pass = passes::FindPass(name);
    if (pass != nullptr && pass->exactness == passes::Exactness::kLossy) {
      return InvalidInput(fmt::format("'{}' is lossy", name), "--passes",
                          "--precision fp16 allows and runs it");
    }
  }
  return Job(path, options).Run();
}

}  // namespace opass
