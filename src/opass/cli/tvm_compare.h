#pragma once

#include <string>

#include "opass/support/json.h"
#include "opass/tvm/compare.h"

namespace opass::cli {

// The table of `opass tvm compare`, and the same as JSON (docs/formats.md).
std::string ComparisonText(const tvm::Comparison& comparison);
Json ComparisonJson(const tvm::Comparison& comparison);
Json RowJson(const tvm::ComparedRow& row);
std::string DifferenceText(const tvm::Difference& difference);

}  // namespace opass::cli
