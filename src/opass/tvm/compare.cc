#include "opass/tvm/compare.h"

#include <fmt/format.h>

#include "opass/tvm/plan_module.h"

namespace opass::tvm {
namespace {

class Comparer {
 public:
  Comparer(Session& session, const CompareOptions& options)
      : session_(session), options_(options) {}

  Result<Comparison> Run(const ModelInput& model) {
    Tell("import");
    OPASS_ASSIGN_OR_RETURN(const ModuleId start,
                           session_.Import(model.path, model.shapes, model.dims));
    comparison_.tvm_version = session_.Version();
    comparison_.num_bindings = session_.NumBindings(start);
    OPASS_RETURN_IF_ERROR(AddPipeline(start, Pipeline::kDefault, "TVM default"));
    OPASS_RETURN_IF_ERROR(AddPipeline(start, Pipeline::kFused, "TVM fused"));
    return std::move(comparison_);
  }

 private:
  void Tell(const std::string& stage) const {
    if (options_.on_stage) options_.on_stage(stage);
  }

  // The pipeline as it is, and with our plan.
  Status AddPipeline(ModuleId start, Pipeline pipeline, const std::string& name) {
    Tell(name);
    OPASS_ASSIGN_OR_RETURN(const StockCompiled stock, session_.CompileStock(start, pipeline));
    OPASS_ASSIGN_OR_RETURN(const RunReport run, session_.Run(stock.executable, options_.run));
    if (comparison_.rows.empty()) reference_ = run.outputs;
    OPASS_ASSIGN_OR_RETURN(memory::Problem problem, session_.Pose(stock.lowered));
    ComparedRow row;
    row.name = name;
    row.planned_bytes = stock.plan.planned_bytes;
    row.num_storages = stock.plan.num_storages;
    OPASS_ASSIGN_OR_RETURN(row.live_peak_bytes, LivePeak(problem));
    OPASS_RETURN_IF_ERROR(AddRow(std::move(row), stock, run));
    OPASS_RETURN_IF_ERROR(AddPlanned(stock.lowered, name + " + OPassMem", run));
    session_.Release(stock.lowered);
    return {};
  }

  // The lowered module with our plan; its outputs must be those of `same`.
  Status AddPlanned(ModuleId lowered, const std::string& name, const RunReport& same) {
    Tell(name);
    OPASS_ASSIGN_OR_RETURN(const PlannedModule planned,
                           PlanModule(session_, lowered, options_.plan));
    OPASS_ASSIGN_OR_RETURN(const RunReport run,
                           session_.Run(planned.compiled.executable, options_.run));
    OPASS_RETURN_IF_ERROR(CheckWrites(planned, run.writes));
    OPASS_ASSIGN_OR_RETURN(const Difference difference, Compare(same.outputs, run.outputs));
    if (!difference.is_bit_equal) {
      return Error{ErrorCode::kRefused, "with our plan the outputs are not those of TVM's own",
                   name, "", ""};
    }
    ComparedRow row;
    row.name = name;
    row.planned_bytes = planned.plan.arena_bytes;
    row.num_storages = planned.plan.arena_bytes > 0 ? 1 : 0;
    row.live_peak_bytes = planned.plan.peak_bytes;
    session_.Release(planned.laid_out);
    return AddRow(std::move(row), planned.compiled, run);
  }

  Status AddRow(ComparedRow row, const Compiled& compiled, const RunReport& run) {
    row.workspace_bytes = compiled.workspace_bytes;
    row.high_water_bytes = run.high_water_bytes;
    row.seconds = run.median_seconds;
    OPASS_ASSIGN_OR_RETURN(row.difference, Compare(reference_, run.outputs));
    comparison_.rows.push_back(std::move(row));
    return {};
  }

  Session& session_;
  const CompareOptions& options_;
  Comparison comparison_;
  std::vector<Tensor> reference_;  // TVM's default
};

}  // namespace

Result<Comparison> CompareModel(Session& session, const ModelInput& model,
                                const CompareOptions& options) {
  return Comparer(session, options).Run(model);
}

}  // namespace opass::tvm
