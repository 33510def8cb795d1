#pragma once

#include <string>
#include <vector>

#include "opass/tvm/compare.h"
#include "opass/tvm/finalists.h"

namespace opass::tvm {

// A finalist as rows of a table: with TVM's memory plan, and with ours. `reference`: the outputs of
// TVM's default.
Result<ComparedRow> StockRow(const Finalist& finalist, const std::vector<Tensor>& reference);
Result<ComparedRow> PlannedRow(const Finalist& finalist, const std::vector<Tensor>& reference);

}  // namespace opass::tvm
