#include <fmt/format.h>

#include "opass/onnx/shape_inference.h"

namespace opass::onnxlib {
namespace {

// Nothing when both are known and differ.
std::optional<ir::Dim> MergeDims(const ir::Dim& declared, const ir::Dim& inferred) {
  if (declared.known() && inferred.known() && declared.value != inferred.value) return {};
  if (declared.known() || (!inferred.known() && !declared.symbol.empty())) return declared;
  return inferred;
}

std::optional<ir::Shape> MergeShapes(const ir::Shape& declared, const ir::Shape& inferred) {
  if (declared.size() != inferred.size()) return {};
  ir::Shape merged;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    auto dim = MergeDims(declared[i], inferred[i]);
    if (!dim) return {};
    merged.push_back(*std::move(dim));
  }
  return merged;
}

}  // namespace

Result<ir::Type> MergeTypes(const ir::Type& declared, const ir::Type& inferred,
                            const std::string& what) {
  using Kind = ir::Type::Kind;
  if (inferred.kind == Kind::kUnknown) return declared;
  if (declared.kind == Kind::kUnknown) return inferred;
  const Error contradiction =
      WithReason(InvalidInput(fmt::format("declared as {} but computed as {}", declared.ToString(),
                                          inferred.ToString()),
                              what),
                 "type-mismatch");
  if (declared.kind != inferred.kind) return contradiction;
  if (declared.kind == Kind::kOther) return declared;
  if (declared.elem != inferred.elem) return contradiction;
  if (!inferred.shape) return declared;
  if (!declared.shape) return inferred;
  auto shape = MergeShapes(*declared.shape, *inferred.shape);
  if (!shape) return contradiction;
  ir::Type merged = declared;
  merged.shape = *std::move(shape);
  return merged;
}

}  // namespace opass::onnxlib
