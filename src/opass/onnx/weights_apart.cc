#include "opass/onnx/weights_apart.h"

#include <fmt/format.h>

#include <limits>

#include "opass/onnx/to_proto.h"
#include "opass/support/bytes.h"

namespace opass::onnxlib {
namespace {

constexpr const char* kLocation = "weights-in-memory";

}  // namespace

Result<WeightsApart> SerializeWeightsApart(const ir::Model& model, std::int64_t min_bytes,
                                           std::int64_t alignment) {
  const auto stays_apart = [&](const ir::Tensor& tensor) {
    const auto size = static_cast<std::int64_t>(tensor.bytes.size());
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
    return size >= min_bytes && address % static_cast<std::uintptr_t>(alignment) == 0;
  };
  const ::onnx::ModelProto proto =
      ModelToProto(model, [&](const ir::Tensor& tensor, bool is_main) -> Placement {
        if (!is_main || !stays_apart(tensor)) return {};
        return {Placement::Kind::kExternal,
                {kLocation, 0, static_cast<std::int64_t>(tensor.bytes.size())}};
      });
  const auto size = static_cast<std::int64_t>(proto.ByteSizeLong());
  WeightsApart out;
  if (size > std::numeric_limits<std::int32_t>::max() || !proto.SerializeToString(&out.bytes)) {
    return WithReason(NotPossible(fmt::format("the model takes {} beside its large weights, and a "
                                              "message holds 2 GB",
                                              FormatBytes(size))),
                      "too-large");
  }
  const std::vector<bool> used = UsedValues(model.graph);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const ir::Value& value = model.graph.value(ir::ValueId(i));
    if (value.constant != nullptr && (used[i] || value.overridable) &&
        stays_apart(*value.constant)) {
      out.weights.emplace_back(value.name, value.constant);
    }
  }
  return out;
}

}  // namespace opass::onnxlib
