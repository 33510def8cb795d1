#include "opass/tvm/rows.h"

namespace opass::tvm {
namespace {

Result<ComparedRow> Measured(ComparedRow row, const Compiled& compiled, const RunReport& run,
                             const std::vector<Tensor>& reference) {
  row.workspace_bytes = compiled.workspace_bytes;
  row.high_water_bytes = run.high_water_bytes;
  row.seconds = run.median_seconds;
  OPASS_ASSIGN_OR_RETURN(row.difference, Compare(reference, run.outputs));
  return row;
}

}  // namespace

Result<ComparedRow> StockRow(const Finalist& finalist, const std::vector<Tensor>& reference) {
  ComparedRow row;
  row.planned_bytes = finalist.stock.plan.planned_bytes;
  row.num_storages = finalist.stock.plan.num_storages;
  row.live_peak_bytes = finalist.stock_live_bytes;
  return Measured(std::move(row), finalist.stock, finalist.stock_run, reference);
}

Result<ComparedRow> PlannedRow(const Finalist& finalist, const std::vector<Tensor>& reference) {
  ComparedRow row;
  row.planned_bytes = finalist.planned.plan.arena_bytes;
  row.num_storages = row.planned_bytes > 0 ? 1 : 0;
  row.live_peak_bytes = finalist.planned.plan.peak_bytes;
  return Measured(std::move(row), finalist.planned.compiled, finalist.run, reference);
}

}  // namespace opass::tvm
