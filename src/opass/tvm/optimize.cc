#include "opass/tvm/optimize.h"

#include "opass/tvm/finalists.h"
#include "opass/tvm/rows.h"

namespace opass::tvm {
namespace {

void Tell(const OptimizeOptions& options, const std::string& stage) {
  if (options.on_stage) options.on_stage(stage);
}

}  // namespace

Result<Optimized> OptimizeModel(Session& session, const ModelInput& model,
                                const OptimizeOptions& options) {
  Tell(options, "import");
  OPASS_ASSIGN_OR_RETURN(const ModuleId start,
                         session.Import(model.path, model.shapes, model.dims));
  // Before TVM compiles for minutes what cannot be planned.
  OPASS_RETURN_IF_ERROR(session.Pose(start));
  Optimized optimized;
  OPASS_ASSIGN_OR_RETURN(optimized.inputs, session.Inputs(start));
  Finalists finalists(session, options.plan, options.run);
  Tell(options, "TVM default");
  OPASS_ASSIGN_OR_RETURN(const Finalist* plain, finalists.Start(start));
  const Finalist* best = plain;
  std::vector<std::string> passes;
  if (!options.strategy.empty()) {
    Tell(options, options.strategy);
    OPASS_ASSIGN_OR_RETURN(const ModuleId from, SearchStart(session, start));
    SearchRequest request = options.search;
    request.strategy = options.strategy;
    StepMemo memo;
    OPASS_ASSIGN_OR_RETURN(SearchedPasses searched,
                           SearchPasses(session, from, memo, request, options.plan));
    searched.candidates.push_back({start, {}});
    OPASS_ASSIGN_OR_RETURN(Finalists::Chosen chosen, finalists.Choose(searched.candidates));
    best = chosen.finalist;
    passes = chosen.candidate->passes;
    optimized.notes = std::move(chosen.rejected);
  }
  const std::vector<Tensor>& reference = plain->stock_run.outputs;
  OPASS_ASSIGN_OR_RETURN(optimized.before, StockRow(*plain, reference));
  OPASS_ASSIGN_OR_RETURN(optimized.after, PlannedRow(*best, reference));
  optimized.before.name = "TVM default";
  optimized.after.name = "opass";
  optimized.after.passes = std::move(passes);
  Tell(options, "library");
  OPASS_RETURN_IF_ERROR(session.Export(best->planned.compiled.executable, options.output));
  return optimized;
}

}  // namespace opass::tvm
