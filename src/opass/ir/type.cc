#include "opass/ir/type.h"

#include <fmt/format.h>

#include "opass/support/bytes.h"

namespace opass::ir {
namespace {

struct Info {
  std::string_view name;
  int bits;
};
constexpr Info kInfo[kMaxDataType + 1] = {
    {"undefined", 0},
    {"float32", 32},
    {"uint8", 8},
    {"int8", 8},
    {"uint16", 16},
    {"int16", 16},
    {"int32", 32},
    {"int64", 64},
    {"string", 0},
    {"bool", 8},
    {"float16", 16},
    {"float64", 64},
    {"uint32", 32},
    {"uint64", 64},
    {"complex64", 64},
    {"complex128", 128},
    {"bfloat16", 16},
    {"float8_e4m3fn", 8},
    {"float8_e4m3fnuz", 8},
    {"float8_e5m2", 8},
    {"float8_e5m2fnuz", 8},
    {"uint4", 4},
    {"int4", 4},
    {"float4_e2m1", 4},
    {"float8_e8m0", 8},
    {"uint2", 2},
    {"int2", 2},
};

}  // namespace

int BitWidth(DataType type) { return kInfo[static_cast<int>(type)].bits; }
std::string_view Name(DataType type) { return kInfo[static_cast<int>(type)].name; }

Type Type::Tensor(DataType elem, const std::vector<std::int64_t>& dims) {
  Type type;
  type.kind = Kind::kTensor;
  type.elem = elem;
  type.shape.emplace();
  for (const std::int64_t dim : dims) type.shape->push_back({dim, ""});
  return type;
}

std::optional<std::vector<std::int64_t>> Type::StaticDims() const {
  if (kind != Kind::kTensor || !shape) return std::nullopt;
  std::vector<std::int64_t> dims;
  for (const Dim& dim : *shape) {
    if (!dim.known()) return std::nullopt;
    dims.push_back(dim.value);
  }
  return dims;
}

std::optional<std::int64_t> Type::NumElements() const {
  const auto dims = StaticDims();
  return dims ? ir::NumElements(*dims) : std::nullopt;
}

std::optional<std::int64_t> Type::SizeBytes() const {
  const auto dims = StaticDims();
  return dims ? ir::SizeBytes(elem, *dims) : std::nullopt;
}

std::string Type::ToString() const {
  if (kind == Kind::kUnknown) return "unknown";
  if (kind == Kind::kOther) return "non-tensor";
  if (!shape) return fmt::format("{}[...]", Name(elem));
  std::string text(Name(elem));
  text += '[';
  for (std::size_t i = 0; i < shape->size(); ++i) {
    if (i > 0) text += ',';
    const Dim& dim = (*shape)[i];
    text += dim.known() ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return text + ']';
}

std::optional<std::int64_t> NumElements(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) {
      empty = true;
      continue;
    }
    const auto product = CheckedMul(count, dim);
    if (!product || *product > kMaxBytes) return std::nullopt;
    count = *product;
  }
  return empty ? 0 : count;
}

std::optional<std::int64_t> SizeBytes(DataType elem, const std::vector<std::int64_t>& dims) {
  const int bits = BitWidth(elem);
  const auto count = NumElements(dims);
  if (bits == 0 || !count) return std::nullopt;
  const auto total = CheckedMul(*count, bits);
  if (!total || *total / 8 > kMaxBytes) return std::nullopt;
  return (*total + 7) / 8;
}

}  // namespace opass::ir
