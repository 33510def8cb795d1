#include <fmt/format.h>

#include <cstring>

#include "opass/onnx/tensors.h"

namespace opass::onnxlib {
namespace {

Error BadSparse(std::string message, const std::string& where) {
  return WithReason(InvalidInput(std::move(message), where), "bad-tensor");
}

// The flat positions of the stored elements: either given so ([nnz]) or as coordinates
// ([nnz, rank]).
Result<std::vector<std::int64_t>> FlatPositions(const ir::Tensor& indices,
                                                const std::vector<std::int64_t>& dims,
                                                std::int64_t stored, const std::string& where) {
  const auto numbers = ir::AsInt64s(indices);
  if (indices.type != ir::DataType::kInt64 || !numbers) {
    return BadSparse("the indices of a sparse tensor must be int64", where);
  }
  const std::int64_t rank = static_cast<std::int64_t>(dims.size());
  const bool flat = indices.dims == std::vector<std::int64_t>{stored};
  if (!flat && indices.dims != std::vector<std::int64_t>{stored, rank}) {
    return BadSparse("the indices of a sparse tensor have a wrong shape", where);
  }
  std::vector<std::int64_t> positions;
  const std::int64_t total = *ir::NumElements(dims);
  for (std::int64_t i = 0; i < stored; ++i) {
    std::int64_t position = flat ? (*numbers)[static_cast<std::size_t>(i)] : 0;
    for (std::int64_t axis = 0; !flat && axis < rank; ++axis) {
      const std::int64_t index = (*numbers)[static_cast<std::size_t>(i * rank + axis)];
      const std::int64_t dim = dims[static_cast<std::size_t>(axis)];
      if (index < 0 || index >= dim) return BadSparse("a sparse index is out of range", where);
      position = position * dim + index;
    }
    if (position < 0 || position >= total)
      return BadSparse("a sparse index is out of range", where);
    if (!positions.empty() && position <= positions.back()) {
      return BadSparse("the indices of a sparse tensor do not ascend", where);
    }
    positions.push_back(position);
  }
  return positions;
}

}  // namespace

Result<ir::TensorPtr> TakeSparseTensor(::onnx::SparseTensorProto& proto, ExternalFiles& files,
                                       const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const ir::TensorPtr values,
                         TakeTensor(*proto.mutable_values(), files, where));
  OPASS_ASSIGN_OR_RETURN(const ir::TensorPtr indices,
                         TakeTensor(*proto.mutable_indices(), files, where));
  std::vector<std::int64_t> dims(proto.dims().begin(), proto.dims().end());
  const auto size = ir::SizeBytes(values->type, dims);
  if (!size || *size > kMaxDenseBytes) {
    return BadSparse("a sparse tensor is too large to be stored densely", where);
  }
  const int bits = ir::BitWidth(values->type);
  if (bits % 8 != 0 || values->dims.size() != 1) {
    return BadSparse("the values of a sparse tensor must be one list of whole bytes", where);
  }
  OPASS_ASSIGN_OR_RETURN(const std::vector<std::int64_t> positions,
                         FlatPositions(*indices, dims, values->num_elements(), where));
  std::string content(static_cast<std::size_t>(*size), '\0');
  const std::size_t width = static_cast<std::size_t>(bits / 8);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::memcpy(content.data() + static_cast<std::size_t>(positions[i]) * width,
                values->bytes.data() + i * width, width);
  }
  return ir::Tensor::Make(values->type, std::move(dims), std::move(content));
}

}  // namespace opass::onnxlib
