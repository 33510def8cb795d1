#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opass::ir {

// Element types, numbered as in ONNX (TensorProto.DataType).
enum class DataType : std::uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};
inline constexpr int kMaxDataType = 26;

// Bits of one element in packed storage; 0 for kUndefined and kString.
int BitWidth(DataType type);
// "float32", "int4", ...: numpy's spelling where it has one.
std::string_view Name(DataType type);

// One dimension: a value, or unknown with a symbol (which may be empty).
struct Dim {
  std::int64_t value = -1;  // -1: unknown
  std::string symbol;

  bool known() const { return value >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};
using Shape = std::vector<Dim>;

// The type of a value. A tensor of unknown rank has no shape. Sequences, optionals, maps and sparse
// tensors are kept as they are, as the bytes of their ONNX TypeProto.
struct Type {
  enum class Kind : std::uint8_t { kUnknown, kTensor, kOther };

  Kind kind = Kind::kUnknown;
  DataType elem = DataType::kUndefined;
  std::optional<Shape> shape;
  std::shared_ptr<const std::string> other;

  static Type Tensor(DataType elem, const std::vector<std::int64_t>& dims);

  // The dimensions when all are known.
  std::optional<std::vector<std::int64_t>> StaticDims() const;
  // Elements and packed bytes of a tensor whose dimensions are all known and whose element type has
  // a fixed width; nothing otherwise, or when the product leaves the limits of bytes.h.
  std::optional<std::int64_t> NumElements() const;
  std::optional<std::int64_t> SizeBytes() const;
  // "float32[1,3,N,?]"
  std::string ToString() const;
};

std::optional<std::int64_t> NumElements(const std::vector<std::int64_t>& dims);
std::optional<std::int64_t> SizeBytes(DataType elem, const std::vector<std::int64_t>& dims);

}  // namespace opass::ir
