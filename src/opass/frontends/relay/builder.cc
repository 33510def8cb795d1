#include "opass/frontends/relay/builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "opass/ir/float16.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

constexpr std::size_t kMaxRank = 32;

template <typename Value>
std::string BytesOf(Value value) {
  std::string bytes(sizeof(Value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(Value));
  return bytes;
}

template <typename Integer>
std::string ClampedBytes(double value) {
  using Limits = std::numeric_limits<Integer>;
  // The comparison is made in doubles: the largest 64-bit integers round up there.
  if (!(value > static_cast<double>(Limits::min()))) return BytesOf(Limits::min());
  if (value >= static_cast<double>(Limits::max())) return BytesOf(Limits::max());
  return BytesOf(static_cast<Integer>(value));
}

std::string ElementBytes(DataType type, double value) {
  switch (type) {
    case DataType::kDouble:
      return BytesOf(value);
    case DataType::kFloat16:
      return BytesOf(ir::ToHalfBits(static_cast<float>(value)));
    case DataType::kBfloat16:
      return BytesOf(ir::ToBfloat16Bits(static_cast<float>(value)));
    case DataType::kBool:
      return BytesOf(static_cast<std::uint8_t>(value != 0));
    case DataType::kInt8:
      return ClampedBytes<std::int8_t>(value);
    case DataType::kInt16:
      return ClampedBytes<std::int16_t>(value);
    case DataType::kInt32:
      return ClampedBytes<std::int32_t>(value);
    case DataType::kInt64:
      return ClampedBytes<std::int64_t>(value);
    case DataType::kUint8:
      return ClampedBytes<std::uint8_t>(value);
    case DataType::kUint16:
      return ClampedBytes<std::uint16_t>(value);
    case DataType::kUint32:
      return ClampedBytes<std::uint32_t>(value);
    case DataType::kUint64:
      return ClampedBytes<std::uint64_t>(value);
    default:
      return BytesOf(static_cast<float>(value));
  }
}

}  // namespace

ir::TensorPtr MakeScalar(DataType type, Dims dims, double value) {
  return ir::Tensor::Make(type, std::move(dims), ElementBytes(type, value));
}

std::optional<Dims> Broadcast(const Dims& a, const Dims& b) {
  Dims dims(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto from_the_back = [&](const Dims& of) {
      const std::size_t skipped = dims.size() - of.size();
      return i < skipped ? 1 : of[i - skipped];
    };
    const std::int64_t one = from_the_back(a);
    const std::int64_t other = from_the_back(b);
    if (one != other && one != 1 && other != 1) return std::nullopt;
    dims[i] = one == 1 ? other : one;
  }
  return dims;
}

std::optional<std::int64_t> Product(const Dims& dims) { return ir::NumElements(dims); }

std::vector<ir::ValueId> Builder::AddMany(std::string op_type, std::vector<ir::ValueId> inputs,
                                          const std::vector<std::pair<DataType, Dims>>& outputs,
                                          std::vector<ir::Attribute> attributes) {
  ir::Node node;
  for (const auto& [type, dims] : outputs) {
    const bool fits = dims.size() <= kMaxRank && ir::SizeBytes(type, dims).has_value();
    too_large_ = too_large_ || !fits;
    node.outputs.push_back(
        graph_.AddValue(graph_.FreshName(wish_ + "/" + op_type),
                        ir::Type::Tensor(type, fits ? dims : Dims(dims.size(), 1))));
  }
  node.name = graph_.FreshName(op_type + "_" + wish_);
  node.op_type = std::move(op_type);
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  std::vector<ir::ValueId> results = node.outputs;
  graph_.AddNode(std::move(node));
  return results;
}

ir::ValueId Builder::Add(std::string op_type, std::vector<ir::ValueId> inputs, DataType type,
                         const Dims& dims, std::vector<ir::Attribute> attributes) {
  return AddMany(std::move(op_type), std::move(inputs), {{type, dims}}, std::move(attributes))[0];
}

ir::ValueId Builder::Constant(const ir::TensorPtr& tensor) {
  return graph_.AddConstant(graph_.FreshName(wish_ + "/constant"), tensor);
}

ir::ValueId Builder::Int64s(const Dims& values) {
  return Constant(ir::Tensor::FromInt64s({static_cast<std::int64_t>(values.size())}, values));
}

ir::ValueId Builder::Scalar(DataType type, double value) {
  return Constant(MakeScalar(type, {}, value));
}

ir::ValueId Builder::LiteralOf(const Literal& literal) {
  if (const auto* integer = std::get_if<std::int64_t>(&literal.value)) {
    // Through a double, 64-bit integers would lose their last bits.
    if (ir::BitWidth(literal.type) == 64) {
      return Constant(ir::Tensor::Make(literal.type, {}, BytesOf(*integer)));
    }
    return Scalar(literal.type, static_cast<double>(*integer));
  }
  if (const auto* number = std::get_if<double>(&literal.value)) {
    return Scalar(literal.type, *number);
  }
  return Scalar(literal.type, std::get<bool>(literal.value) ? 1 : 0);
}

ir::ValueId Builder::Cast(ir::ValueId id, DataType type) {
  if (ElementOf(id) == type) return id;
  return Add("Cast", {id}, type, DimsOf(id), {{"to", static_cast<std::int64_t>(type)}});
}

ir::ValueId Builder::Reshape(ir::ValueId id, const Dims& dims) {
  if (DimsOf(id) == dims) return id;
  // Without allowzero, 0 stands for the input's dimension.
  std::vector<ir::Attribute> attributes;
  if (std::ranges::count(dims, 0) > 0) attributes.push_back({"allowzero", std::int64_t{1}});
  return Add("Reshape", {id, Int64s(dims)}, ElementOf(id), dims, std::move(attributes));
}

ir::ValueId Builder::Transpose(ir::ValueId id, const Dims& permutation) {
  if (std::ranges::is_sorted(permutation)) return id;
  const Dims from = DimsOf(id);
  Dims dims;
  for (const std::int64_t axis : permutation) dims.push_back(from[static_cast<std::size_t>(axis)]);
  return Add("Transpose", {id}, ElementOf(id), dims, {{"perm", permutation}});
}

ir::ValueId Builder::ShapeOf(ir::ValueId id) {
  const Dims dims = DimsOf(id);
  const ir::ValueId shape =
      Add("Shape", {id}, DataType::kInt64, {static_cast<std::int64_t>(dims.size())});
  SetKnown(shape, dims);
  return shape;
}

ir::ValueId Builder::Filled(ir::ValueId shape, const Dims& dims, DataType type, double value) {
  return Add("ConstantOfShape", {shape}, type, dims, {{"value", MakeScalar(type, {1}, value)}});
}

const Dims* Builder::Known(ir::ValueId id) {
  const auto found = known_.find(id);
  if (found != known_.end()) return &found->second;
  const ir::TensorPtr& constant = graph_.value(id).constant;
  if (constant == nullptr) return nullptr;
  auto values = ir::AsInt64s(*constant);
  if (!values) return nullptr;
  return &(known_[id] = *std::move(values));
}

}  // namespace opass::frontends::relay
