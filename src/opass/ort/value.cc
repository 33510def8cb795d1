#include "opass/ort/value.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "opass/ort/library.h"

namespace opass::ort {
namespace {

// By ONNX number; only the last three differ.
constexpr std::array<int, ir::kMaxDataType + 1> kElementTypes = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
    14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 26, 24, 25};

struct TypeAndDims {
  ir::DataType type = ir::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

Result<TypeAndDims> Describe(const OrtValue* value) {
  const Api& api = LoadedApi();
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetTensorTypeAndShape(value, &raw), "run-failed"));
  const Handle<OrtTensorTypeAndShapeInfo> info(raw);
  int element_type = 0;
  std::size_t rank = 0;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetTensorElementType(raw, &element_type)));
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetDimensionsCount(raw, &rank)));
  TypeAndDims out{DataTypeOf(element_type), std::vector<std::int64_t>(rank)};
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetDimensions(raw, out.dims.data(), rank)));
  return out;
}

Result<ir::TensorPtr> ReadStrings(const OrtValue* value, std::vector<std::int64_t> dims) {
  const Api& api = LoadedApi();
  const auto count = static_cast<std::size_t>(ir::NumElements(dims).value_or(0));
  std::size_t length = 0;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetStringTensorDataLength(value, &length)));
  std::string content(length + 1, '\0');
  std::vector<std::size_t> offsets(count + 1);
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.GetStringTensorContent(value, content.data(), length, offsets.data(), count)));
  offsets[count] = length;
  auto tensor = std::make_shared<ir::Tensor>();
  tensor->type = ir::DataType::kString;
  tensor->dims = std::move(dims);
  for (std::size_t i = 0; i < count; ++i) {
    tensor->strings.push_back(content.substr(offsets[i], offsets[i + 1] - offsets[i]));
  }
  return ir::TensorPtr(std::move(tensor));
}

Result<Value> FromStrings(const ir::Tensor& tensor) {
  const Api& api = LoadedApi();
  OrtAllocator* allocator = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetAllocatorWithDefaultOptions(&allocator)));
  OrtValue* raw = nullptr;
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.CreateTensorAsOrtValue(allocator, tensor.dims.data(), tensor.dims.size(),
                                          ElementTypeOf(ir::DataType::kString), &raw)));
  Value value(raw);
  std::vector<const char*> strings;
  for (const std::string& text : tensor.strings) {
    if (text.find('\0') != std::string::npos) {
      return WithReason(NotPossible("a string element holds a zero byte"), "runtime-refused");
    }
    strings.push_back(text.c_str());
  }
  OPASS_RETURN_IF_ERROR(ToStatus(api.FillStringTensor(raw, strings.data(), strings.size())));
  return value;
}

}  // namespace

void Release::operator()(OrtValue* value) const { LoadedApi().ReleaseValue(value); }
void Release::operator()(OrtSession* session) const { LoadedApi().ReleaseSession(session); }
void Release::operator()(OrtSessionOptions* options) const {
  LoadedApi().ReleaseSessionOptions(options);
}
void Release::operator()(OrtMemoryInfo* info) const { LoadedApi().ReleaseMemoryInfo(info); }
void Release::operator()(OrtThreadingOptions* options) const {
  LoadedApi().ReleaseThreadingOptions(options);
}
void Release::operator()(OrtTensorTypeAndShapeInfo* info) const {
  LoadedApi().ReleaseTensorTypeAndShapeInfo(info);
}

int ElementTypeOf(ir::DataType type) { return kElementTypes[static_cast<std::size_t>(type)]; }

ir::DataType DataTypeOf(int element_type) {
  for (std::size_t i = 0; i < kElementTypes.size(); ++i) {
    if (kElementTypes[i] == element_type) return static_cast<ir::DataType>(i);
  }
  return ir::DataType::kUndefined;
}

Result<Value> WrapMemory(std::byte* data, std::int64_t size_bytes, ir::DataType type,
                         const std::vector<std::int64_t>& dims) {
  static const OrtMemoryInfo* const kInfo = [] {
    OrtMemoryInfo* info = nullptr;
    (void)TakeAnswer(LoadedApi().CreateCpuMemoryInfo(kDeviceAllocator, kMemoryTypeDefault, &info));
    return info;  // lives as long as the process
  }();
  OrtValue* value = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(LoadedApi().CreateTensorWithDataAsOrtValue(
      kInfo, data, static_cast<std::size_t>(size_bytes), dims.data(), dims.size(),
      ElementTypeOf(type), &value)));
  return Value(value);
}

Result<Value> FromTensor(const ir::Tensor& tensor) {
  if (tensor.type == ir::DataType::kString) return FromStrings(tensor);
  static std::byte nothing{};
  // The runtime's type says "mutable", but it never writes to an input.
  auto* data = tensor.bytes.empty() ? &nothing : const_cast<std::byte*>(tensor.bytes.data());
  return WrapMemory(data, static_cast<std::int64_t>(tensor.bytes.size()), tensor.type, tensor.dims);
}

bool IsTensor(const OrtValue* value) {
  int kind = 0;
  return TakeAnswer(LoadedApi().GetValueType(value, &kind)).ok() && kind == kValueTensor;
}

Result<std::span<std::byte>> BytesOf(OrtValue* value) {
  OPASS_ASSIGN_OR_RETURN(const TypeAndDims type, Describe(value));
  const std::optional<std::int64_t> size = ir::SizeBytes(type.type, type.dims);
  if (!size) return InternalError("a tensor of strings or of unknown type has no plain bytes");
  void* data = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(LoadedApi().GetTensorMutableData(value, &data)));
  return std::span(static_cast<std::byte*>(data), static_cast<std::size_t>(*size));
}

Result<ir::TensorPtr> ReadTensor(OrtValue* value) {
  OPASS_ASSIGN_OR_RETURN(const TypeAndDims type, Describe(value));
  if (type.type == ir::DataType::kString) return ReadStrings(value, type.dims);
  OPASS_ASSIGN_OR_RETURN(const std::span<std::byte> bytes, BytesOf(value));
  return ir::Tensor::Make(type.type, type.dims,
                          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Result<std::vector<ir::TensorPtr>> ReadTensors(OrtValue* value) {
  const Api& api = LoadedApi();
  int kind = 0;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetValueType(value, &kind), "run-failed"));
  std::vector<ir::TensorPtr> out;
  if (kind == kValueTensor) {
    OPASS_ASSIGN_OR_RETURN(ir::TensorPtr tensor, ReadTensor(value));
    out.push_back(std::move(tensor));
    return out;
  }
  if (kind != kValueSequence) {
    return WithReason(NotPossible("a value is neither a tensor nor a sequence of tensors"),
                      "unsupported-value");
  }
  std::size_t count = 0;
  OrtAllocator* allocator = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetValueCount(value, &count)));
  OPASS_RETURN_IF_ERROR(ToStatus(api.GetAllocatorWithDefaultOptions(&allocator)));
  for (std::size_t i = 0; i < count; ++i) {
    OrtValue* raw = nullptr;
    OPASS_RETURN_IF_ERROR(
        ToStatus(api.GetValue(value, static_cast<int>(i), allocator, &raw), "unsupported-value"));
    const Value element(raw);
    OPASS_ASSIGN_OR_RETURN(ir::TensorPtr tensor, ReadTensor(raw));
    out.push_back(std::move(tensor));
  }
  return out;
}

}  // namespace opass::ort
