#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opass/ir/type.h"

namespace opass::ir {

// Where a tensor's bytes stand in a file of their own (ONNX external data).
struct ExternalData {
  std::string location;  // relative to the model's folder
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

// A constant tensor, immutable and shared. The bytes are little-endian and packed (two 4-bit
// elements a byte); they belong to `owner`: a string, or a mapped file that nobody copied.
struct Tensor {
  DataType type = DataType::kUndefined;
  std::vector<std::int64_t> dims;
  std::span<const std::byte> bytes;  // empty for strings
  std::shared_ptr<const void> owner;
  std::vector<std::string> strings;      // for kString, one an element
  std::optional<ExternalData> external;  // when the bytes are a mapped external file

  std::int64_t num_elements() const { return NumElements(dims).value_or(0); }

  // A tensor that owns a copy of `content`.
  static std::shared_ptr<const Tensor> Make(DataType type, std::vector<std::int64_t> dims,
                                            std::string content);
  static std::shared_ptr<const Tensor> FromInt64s(std::vector<std::int64_t> dims,
                                                  const std::vector<std::int64_t>& values);
  static std::shared_ptr<const Tensor> FromFloats(std::vector<std::int64_t> dims,
                                                  const std::vector<float>& values);
};
using TensorPtr = std::shared_ptr<const Tensor>;

// The elements of an integer tensor (any width, 8 bits and up, bool included), or nothing.
std::optional<std::vector<std::int64_t>> AsInt64s(const Tensor& tensor);
// The elements of a float32, float64 or float16 tensor, or nothing.
std::optional<std::vector<double>> AsDoubles(const Tensor& tensor);
// Equal type, dimensions and bytes (NaN equals the same NaN).
bool SameContent(const Tensor& a, const Tensor& b);

}  // namespace opass::ir
