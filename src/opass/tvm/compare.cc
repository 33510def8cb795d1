#include "opass/tvm/compare.h"

#include <algorithm>

#include "opass/tvm/finalists.h"
#include "opass/tvm/plan_module.h"
#include "opass/tvm/rows.h"

namespace opass::tvm {
namespace {

constexpr const char* kOurs = " + OPassMem";

class Comparer {
 public:
  Comparer(Session& session, const CompareOptions& options)
      : session_(session), options_(options), finalists_(session, options.plan, options.run) {}

  Result<Comparison> Run(const ModelInput& model) {
    Tell("import");
    OPASS_ASSIGN_OR_RETURN(const ModuleId start,
                           session_.Import(model.path, model.shapes, model.dims));
    // Before TVM compiles for minutes what cannot be planned.
    OPASS_RETURN_IF_ERROR(session_.Pose(start));
    comparison_.tvm_version = session_.Version();
    comparison_.num_bindings = session_.NumBindings(start);
    Tell("TVM default");
    OPASS_ASSIGN_OR_RETURN(const Finalist* plain, finalists_.Start(start));
    reference_ = plain->stock_run.outputs;
    OPASS_RETURN_IF_ERROR(AddRows("TVM default", *plain, {}));
    OPASS_RETURN_IF_ERROR(AddFused(start));
    if (!options_.strategies.empty()) OPASS_RETURN_IF_ERROR(AddSearches(start));
    return std::move(comparison_);
  }

 private:
  void Tell(const std::string& stage) const {
    if (options_.on_stage) options_.on_stage(stage);
  }

  // TVM's fused pipeline as it is, and with our plan.
  Status AddFused(ModuleId start) {
    Tell("TVM fused");
    Finalist fused;
    OPASS_ASSIGN_OR_RETURN(fused.stock, session_.CompileStock(start, Pipeline::kFused));
    OPASS_ASSIGN_OR_RETURN(fused.stock_run, session_.Run(fused.stock.executable, options_.run));
    OPASS_ASSIGN_OR_RETURN(fused.planned, PlanModule(session_, fused.stock.lowered, options_.plan));
    OPASS_ASSIGN_OR_RETURN(fused.stock_live_bytes, LivePeak(fused.planned.problem));
    OPASS_ASSIGN_OR_RETURN(fused.run,
                           session_.Run(fused.planned.compiled.executable, options_.run));
    OPASS_RETURN_IF_ERROR(CheckWrites(fused.planned, fused.run.writes));
    return AddRows("TVM fused", fused, {});
  }

  Status AddSearches(ModuleId start) {
    OPASS_ASSIGN_OR_RETURN(const ModuleId from, SearchStart(session_, start));
    StepMemo memo;
    for (const std::string& strategy : options_.strategies) {
      Tell(strategy);
      SearchRequest request = options_.search;
      request.strategy = strategy;
      OPASS_ASSIGN_OR_RETURN(SearchedPasses searched,
                             SearchPasses(session_, from, memo, request, options_.plan));
      searched.candidates.push_back({start, {}});
      OPASS_ASSIGN_OR_RETURN(const Finalists::Chosen chosen,
                             finalists_.Choose(searched.candidates));
      OPASS_RETURN_IF_ERROR(AddRows(strategy, *chosen.finalist, chosen.candidate->passes));
      for (const std::string& rejected : chosen.rejected) Note(strategy + " rejected " + rejected);
      for (const std::string& failure : searched.failures) Note(failure);
    }
    return {};
  }

  void Note(std::string note) {
    if (std::ranges::find(comparison_.notes, note) == comparison_.notes.end()) {
      comparison_.notes.push_back(std::move(note));
    }
  }

  // A module with TVM's plan and with ours.
  Status AddRows(const std::string& name, const Finalist& finalist,
                 const std::vector<std::string>& passes) {
    OPASS_ASSIGN_OR_RETURN(ComparedRow stock, StockRow(finalist, reference_));
    OPASS_ASSIGN_OR_RETURN(ComparedRow ours, PlannedRow(finalist, reference_));
    stock.name = name;
    ours.name = name + kOurs;
    stock.passes = ours.passes = passes;
    comparison_.rows.push_back(std::move(stock));
    comparison_.rows.push_back(std::move(ours));
    return {};
  }

  Session& session_;
  const CompareOptions& options_;
  Finalists finalists_;
  Comparison comparison_;
  std::vector<Tensor> reference_;  // TVM's default
};

}  // namespace

Result<Comparison> CompareModel(Session& session, const ModelInput& model,
                                const CompareOptions& options) {
  return Comparer(session, options).Run(model);
}

}  // namespace opass::tvm
