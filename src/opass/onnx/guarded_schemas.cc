#include "opass/onnx/guarded_schemas.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "onnx/defs/shape_inference.h"

namespace opass::onnxlib {
namespace {

using ::onnx::OpSchema;

// Two entries (a begin and an end) for each dimension of the largest rank, 1,024.
constexpr std::int64_t kMaxListLength = 2048;
constexpr std::int64_t kMaxDataLength = 1024;

// Operators that read lists with an entry or two a dimension, from this input on.
struct ListReader {
  std::string_view op_type;
  std::size_t first_list;
};
constexpr ListReader kListReaders[] = {
    {"AffineGrid", 1}, {"CenterCropPad", 1}, {"Col2Im", 1},  {"ConstantOfShape", 0},
    {"Expand", 1},     {"MaxUnpool", 2},     {"Pad", 1},     {"Resize", 1},
    {"Reshape", 1},    {"Slice", 1},         {"Squeeze", 1}, {"Tile", 1},
    {"Unsqueeze", 1},  {"Upsample", 1}};

bool IsLongerThan(std::int64_t limit, const ::onnx::TypeProto* type) {
  return type != nullptr && type->has_tensor_type() &&
         type->tensor_type().shape().dim_size() == 1 &&
         type->tensor_type().shape().dim(0).dim_value() > limit;
}

bool LeavesInt(const ::onnx::TensorShapeProto* data) {
  if (data == nullptr) return false;
  return std::ranges::any_of(data->dim(), [](const auto& dim) {
    return dim.dim_value() > std::numeric_limits<std::int32_t>::max() / 2 ||
           dim.dim_value() < std::numeric_limits<std::int32_t>::min() / 2;
  });
}

bool MayPropagate(::onnx::DataPropagationContext& context, bool is_slice) {
  std::int64_t length = 0;
  for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
    // Asked for data, the context makes up as many unknown entries as the type says.
    if (IsLongerThan(kMaxDataLength, context.getInputType(i))) return false;
    const ::onnx::TensorShapeProto* data = context.getInputData(i);
    if (data != nullptr) length += data->dim_size();
    if (length > kMaxDataLength) return false;
  }
  constexpr std::size_t kSteps = 4;
  return !is_slice || context.getNumInputs() <= kSteps || !LeavesInt(context.getInputData(kSteps));
}

OpSchema Guarded(const OpSchema& schema) {
  OpSchema guarded = schema;
  const auto reader = std::ranges::find(kListReaders, schema.Name(), &ListReader::op_type);
  if (reader != std::end(kListReaders) && schema.has_type_and_shape_inference_function()) {
    guarded.TypeAndShapeInferenceFunction(
        [infer = schema.GetTypeAndShapeInferenceFunction(),
         first = reader->first_list](::onnx::InferenceContext& context) {
          for (std::size_t i = first; i < context.getNumInputs(); ++i) {
            if (IsLongerThan(kMaxListLength, context.getInputType(i))) {
              fail_shape_inference("Input ", i, " has more entries than a tensor has dimensions");
            }
          }
          infer(context);
        });
  }
  if (schema.has_data_propagation_function()) {
    guarded.PartialDataPropagationFunction(
        [propagate = schema.GetDataPropagationFunction(),
         is_slice = schema.Name() == "Slice"](::onnx::DataPropagationContext& context) {
          if (MayPropagate(context, is_slice)) propagate(context);
        });
  }
  return guarded;
}

class Registry final : public ::onnx::ISchemaRegistry {
 public:
  const OpSchema* GetSchema(const std::string& op_type, int max_version,
                            const std::string& domain) const override {
    const OpSchema* schema =
        ::onnx::OpSchemaRegistry::Instance()->GetSchema(op_type, max_version, domain);
    if (schema == nullptr || !domain.empty()) return schema;
    const std::lock_guard lock(mutex_);
    auto& guarded = guarded_[schema];
    if (guarded == nullptr) guarded = std::make_unique<const OpSchema>(Guarded(*schema));
    return guarded.get();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unordered_map<const OpSchema*, std::unique_ptr<const OpSchema>> guarded_;
};

}  // namespace

const ::onnx::ISchemaRegistry& GuardedSchemas() {
  static const auto* const kRegistry = new Registry;  // never destroyed: like ONNX's own
  return *kRegistry;
}

}  // namespace opass::onnxlib
