#include "opass/ir/tensor.h"

#include <algorithm>
#include <cstring>

#include "opass/ir/float16.h"

namespace opass::ir {
namespace {

template <typename T, typename Out>
std::vector<Out> Elements(const Tensor& tensor) {
  std::vector<Out> out(tensor.bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
  return out;
}

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  std::string content(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(content.data(), values.data(), content.size());
  return content;
}

}  // namespace

TensorPtr Tensor::Make(DataType type, std::vector<std::int64_t> dims, std::string content) {
  auto owner = std::make_shared<const std::string>(std::move(content));
  auto tensor = std::make_shared<Tensor>();
  tensor->type = type;
  tensor->dims = std::move(dims);
  tensor->bytes = std::as_bytes(std::span(owner->data(), owner->size()));
  tensor->owner = std::move(owner);
  return tensor;
}

TensorPtr Tensor::FromInt64s(std::vector<std::int64_t> dims,
                             const std::vector<std::int64_t>& values) {
  return Make(DataType::kInt64, std::move(dims), BytesOf(values));
}

TensorPtr Tensor::FromFloats(std::vector<std::int64_t> dims, const std::vector<float>& values) {
  return Make(DataType::kFloat, std::move(dims), BytesOf(values));
}

std::optional<std::vector<std::int64_t>> AsInt64s(const Tensor& tensor) {
  switch (tensor.type) {
    case DataType::kInt64:
      return Elements<std::int64_t, std::int64_t>(tensor);
    case DataType::kUint64:
      return Elements<std::uint64_t, std::int64_t>(tensor);
    case DataType::kInt32:
      return Elements<std::int32_t, std::int64_t>(tensor);
    case DataType::kUint32:
      return Elements<std::uint32_t, std::int64_t>(tensor);
    case DataType::kInt16:
      return Elements<std::int16_t, std::int64_t>(tensor);
    case DataType::kUint16:
      return Elements<std::uint16_t, std::int64_t>(tensor);
    case DataType::kInt8:
      return Elements<std::int8_t, std::int64_t>(tensor);
    case DataType::kUint8:
    case DataType::kBool:
      return Elements<std::uint8_t, std::int64_t>(tensor);
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<double>> AsDoubles(const Tensor& tensor) {
  switch (tensor.type) {
    case DataType::kFloat:
      return Elements<float, double>(tensor);
    case DataType::kDouble:
      return Elements<double, double>(tensor);
    case DataType::kFloat16: {
      std::vector<double> out;
      for (const std::uint16_t half : Elements<std::uint16_t, std::uint16_t>(tensor)) {
        out.push_back(FromHalfBits(half));
      }
      return out;
    }
    default:
      return std::nullopt;
  }
}

bool SameContent(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.dims == b.dims && a.strings == b.strings &&
         std::ranges::equal(a.bytes, b.bytes);
}

}  // namespace opass::ir
