#include "opass/passes/constants.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace opass::passes {
namespace {

// Bytes of one element, 0 when it has no whole number of them.
std::size_t ElementBytes(const ir::Tensor& tensor) {
  const int bits = ir::BitWidth(tensor.type);
  return bits % 8 == 0 ? static_cast<std::size_t>(bits / 8) : 0;
}

std::size_t Product(const std::vector<std::int64_t>& dims, std::size_t begin, std::size_t end) {
  std::size_t product = 1;
  for (std::size_t i = begin; i < end; ++i) product *= static_cast<std::size_t>(dims[i]);
  return product;
}

}  // namespace

bool IsFixed(const ir::Graph& graph, ir::ValueId id) {
  return graph.value(id).constant != nullptr && !graph.value(id).overridable;
}

std::optional<std::vector<float>> FixedFloats(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid() || !IsFixed(graph, id)) return std::nullopt;
  const ir::Tensor& tensor = *graph.value(id).constant;
  if (tensor.type != ir::DataType::kFloat) return std::nullopt;
  std::vector<float> floats(tensor.bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), tensor.bytes.data(), tensor.bytes.size());
  return floats;
}

std::optional<std::vector<std::int64_t>> FixedInts(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid() || !IsFixed(graph, id)) return std::nullopt;
  return ir::AsInt64s(*graph.value(id).constant);
}

std::optional<float> FixedScalar(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid() || !IsFixed(graph, id)) return std::nullopt;
  if (graph.value(id).constant->num_elements() != 1) return std::nullopt;
  if (const auto floats = FixedFloats(graph, id)) return floats->front();
  if (const auto ints = FixedInts(graph, id)) return static_cast<float>(ints->front());
  return std::nullopt;
}

ir::TensorPtr Slice(const ir::Tensor& tensor, std::size_t axis, std::int64_t begin,
                    std::int64_t end) {
  const std::size_t width = ElementBytes(tensor);
  if (width == 0) return nullptr;
  const std::size_t outer = Product(tensor.dims, 0, axis);
  const std::size_t inner = Product(tensor.dims, axis + 1, tensor.dims.size()) * width;
  const auto rows = static_cast<std::size_t>(end - begin);
  std::string content(outer * rows * inner, '\0');
  for (std::size_t i = 0; i < outer && !content.empty(); ++i) {
    const std::size_t from = i * static_cast<std::size_t>(tensor.dims[axis]) * inner +
                             static_cast<std::size_t>(begin) * inner;
    std::memcpy(content.data() + i * rows * inner, tensor.bytes.data() + from, rows * inner);
  }
  std::vector<std::int64_t> dims = tensor.dims;
  dims[axis] = end - begin;
  return ir::Tensor::Make(tensor.type, std::move(dims), std::move(content));
}

ir::TensorPtr Permute(const ir::Tensor& tensor, const std::vector<std::int64_t>& perm) {
  const std::size_t width = ElementBytes(tensor);
  if (width == 0) return nullptr;
  std::vector<std::int64_t> dims;
  std::vector<std::size_t> strides;  // of the source, in elements, in the order of the result
  for (const std::int64_t axis : perm) {
    const auto from = static_cast<std::size_t>(axis);
    dims.push_back(tensor.dims[from]);
    strides.push_back(Product(tensor.dims, from + 1, tensor.dims.size()));
  }
  std::string content(tensor.bytes.size(), '\0');
  std::vector<std::int64_t> index(dims.size(), 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to + width <= content.size(); to += width) {
    std::memcpy(content.data() + to, tensor.bytes.data() + from * width, width);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < dims[axis]) break;
      from -= strides[axis] * static_cast<std::size_t>(dims[axis]);
      index[axis] = 0;
    }
  }
  return ir::Tensor::Make(tensor.type, std::move(dims), std::move(content));
}

}  // namespace opass::passes
