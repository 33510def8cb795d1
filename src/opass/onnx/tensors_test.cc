#include "opass/onnx/tensors.h"

#include <gtest/gtest.h>

namespace opass::onnxlib {
namespace {

using ::onnx::TensorProto;

Result<ir::TensorPtr> Take(TensorProto proto) {
  ExternalFiles none("");
  return TakeTensor(proto, none, "tensor");
}

TensorProto Proto(ir::DataType type, std::vector<std::int64_t> dims) {
  TensorProto proto;
  proto.set_data_type(static_cast<int>(type));
  for (const std::int64_t dim : dims) proto.add_dims(dim);
  return proto;
}

// The field that holds elements of the type, filled with `count` entries of 1.
void Fill(ir::DataType type, int count, TensorProto& proto) {
  for (int i = 0; i < count; ++i) {
    switch (type) {
      case ir::DataType::kFloat:
      case ir::DataType::kComplex64:
        proto.add_float_data(1);
        break;
      case ir::DataType::kDouble:
      case ir::DataType::kComplex128:
        proto.add_double_data(1);
        break;
      case ir::DataType::kInt64:
        proto.add_int64_data(1);
        break;
      case ir::DataType::kUint64:
      case ir::DataType::kUint32:
        proto.add_uint64_data(1);
        break;
      case ir::DataType::kString:
        proto.add_string_data("one");
        break;
      default:
        proto.add_int32_data(1);
    }
  }
}

TEST(Tensors, EveryElementTypeComesFromItsTypedFieldAndSurvivesTheRoundTrip) {
  for (int number = 1; number <= ir::kMaxDataType; ++number) {
    const auto type = static_cast<ir::DataType>(number);
    SCOPED_TRACE(ir::Name(type));
    TensorProto proto = Proto(type, {3});
    const int bits = ir::BitWidth(type);
    int entries = 3;
    if (type == ir::DataType::kComplex64 || type == ir::DataType::kComplex128) entries = 6;
    if (bits == 4) entries = 2;  // packed: two elements an entry
    if (bits == 2) entries = 1;
    Fill(type, entries, proto);
    auto tensor = Take(proto);
    ASSERT_TRUE(tensor.ok()) << tensor.error().ToString();
    EXPECT_EQ((*tensor)->bytes.size(), static_cast<std::size_t>((3 * bits + 7) / 8));
    auto again = Take(TensorToProto(**tensor));
    ASSERT_TRUE(again.ok()) << again.error().ToString();
    EXPECT_TRUE(ir::SameContent(**tensor, **again));
    // One entry more, or one less, is an error.
    Fill(type, 1, proto);
    EXPECT_EQ(Take(proto).error().reason, "bad-tensor");
  }
}

TEST(Tensors, TypedFieldsArePackedLittleEndian) {
  TensorProto proto = Proto(ir::DataType::kInt16, {2});
  proto.add_int32_data(-2);
  proto.add_int32_data(0x1234);
  const auto tensor = Take(proto);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(ir::AsInt64s(**tensor), (std::vector<std::int64_t>{-2, 0x1234}));
}

TEST(Tensors, RawDataIsMovedNotCopied) {
  TensorProto proto = Proto(ir::DataType::kUint8, {1000});
  proto.set_raw_data(std::string(1000, 'x'));
  const void* before = proto.raw_data().data();
  ExternalFiles none("");
  const auto tensor = TakeTensor(proto, none, "tensor");
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ((*tensor)->bytes.data(), before);
}

TEST(Tensors, EmptyTensorsNeedNoData) {
  const auto tensor = Take(Proto(ir::DataType::kFloat, {2, 0, 3}));
  ASSERT_TRUE(tensor.ok());
  EXPECT_TRUE((*tensor)->bytes.empty());
}

TEST(Tensors, RefusesWhatCannotBe) {
  EXPECT_EQ(Take(Proto(ir::DataType::kUndefined, {})).error().reason, "unknown-element-type");
  TensorProto unknown;
  unknown.set_data_type(99);
  EXPECT_EQ(Take(unknown).error().reason, "unknown-element-type");
  EXPECT_EQ(Take(Proto(ir::DataType::kFloat, {-1})).error().reason, "bad-tensor");
  EXPECT_EQ(Take(Proto(ir::DataType::kFloat, {1LL << 40, 1LL << 40})).error().reason, "bad-tensor");
  // 2^46 elements are in range, but their bytes are not; nothing is allocated for them.
  EXPECT_EQ(Take(Proto(ir::DataType::kDouble, {1LL << 46})).error().reason, "bad-tensor");
  EXPECT_EQ(Take(Proto(ir::DataType::kFloat, {1LL << 40})).error().reason, "bad-tensor");
  TensorProto segment = Proto(ir::DataType::kFloat, {});
  segment.add_float_data(1);
  segment.mutable_segment()->set_begin(0);
  EXPECT_EQ(Take(segment).error().reason, "bad-tensor");
  TensorProto raw_string = Proto(ir::DataType::kString, {1});
  raw_string.set_raw_data("a");
  EXPECT_EQ(Take(raw_string).error().reason, "bad-tensor");
}

::onnx::SparseTensorProto Sparse(std::vector<std::int64_t> dims, std::vector<float> values,
                                 std::vector<std::int64_t> index_dims,
                                 std::vector<std::int64_t> indices) {
  ::onnx::SparseTensorProto proto;
  for (const std::int64_t dim : dims) proto.add_dims(dim);
  *proto.mutable_values() = Proto(ir::DataType::kFloat, {static_cast<std::int64_t>(values.size())});
  for (const float value : values) proto.mutable_values()->add_float_data(value);
  *proto.mutable_indices() = Proto(ir::DataType::kInt64, index_dims);
  for (const std::int64_t index : indices) proto.mutable_indices()->add_int64_data(index);
  return proto;
}

TEST(Tensors, SparseBecomesDense) {
  ExternalFiles none("");
  auto flat = Sparse({2, 2}, {5, 6}, {2}, {0, 3});
  auto coordinates = Sparse({2, 2}, {5, 6}, {2, 2}, {0, 0, 1, 1});
  for (auto* proto : {&flat, &coordinates}) {
    const auto tensor = TakeSparseTensor(*proto, none, "sparse");
    ASSERT_TRUE(tensor.ok()) << tensor.error().ToString();
    EXPECT_EQ(ir::AsDoubles(**tensor), (std::vector<double>{5, 0, 0, 6}));
  }
}

TEST(Tensors, RefusesSparseTensorsThatAreWrongOrTooLarge) {
  ExternalFiles none("");
  auto outside = Sparse({2, 2}, {5}, {1}, {4});
  auto negative = Sparse({2, 2}, {5}, {1, 2}, {0, -1});
  auto twice = Sparse({2, 2}, {5, 6}, {2}, {1, 1});
  auto shape = Sparse({2, 2}, {5}, {2}, {0, 1});
  auto large = Sparse({1 << 20, 1 << 20}, {5}, {1}, {0});
  for (auto* proto : {&outside, &negative, &twice, &shape, &large}) {
    EXPECT_EQ(TakeSparseTensor(*proto, none, "sparse").error().reason, "bad-tensor");
  }
}

}  // namespace
}  // namespace opass::onnxlib
