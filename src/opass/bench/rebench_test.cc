// The pieces of opass bench rebench that know what TVM had and what is equal to it.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "opass/bench/npz.h"
#include "opass/bench/rebench_compare.h"
#include "opass/bench/rebench_inputs.h"
#include "opass/runtime/elements.h"
#include "opass/runtime/npy.h"

namespace opass::bench {
namespace {

using ir::DataType;
using Numbers = std::vector<double>;

Numbers Draw(DataType type, std::int64_t count, const ExpectedInput& input) {
  return *runtime::ToDoubles(*MakeExpectedInput(input, ir::Type::Tensor(type, {count})));
}

// The test vector that came with the reference data.
TEST(RebenchInputs, AreThoseOfTheReferenceData) {
  ExpectedInput input;
  input.seed = 1000;
  EXPECT_EQ(Draw(DataType::kFloat, 3, input),
            (Numbers{-0.5303122997283936, 0.6287418603897095, 0.5468266010284424}));
  EXPECT_EQ(Draw(DataType::kInt8, 4, input), (Numbers{-5, 3, 4, 5}));
  EXPECT_EQ(Draw(DataType::kInt32, 4, input), (Numbers{2, 2, 3, 4}));
  EXPECT_EQ(Draw(DataType::kInt64, 4, input), (Numbers{2, 2, 3, 4}));
  input.scale_log2 = -1;
  EXPECT_EQ(Draw(DataType::kFloat, 1, input), Numbers{-0.5303122997283936 / 2});
  input.scale_log2 = 0;
  input.positive = true;
  EXPECT_EQ(Draw(DataType::kFloat, 3, input),
            (Numbers{0.4848438501358032, 1.06437087059021, 1.0234133005142212}));
  for (const double element : Draw(DataType::kInt8, 100, input)) {
    EXPECT_GE(element, 1);
    EXPECT_LE(element, 8);
  }
  EXPECT_EQ(MakeExpectedInput(input, ir::Type::Tensor(DataType::kDouble, {1})), nullptr);
}

TEST(RebenchInputs, MustBeKnownAndTheSame) {
  ir::Graph graph;
  graph.inputs = {graph.AddValue("x", ir::Type::Tensor(DataType::kFloat, {1}))};
  EXPECT_FALSE(MakeExpectedInputs(graph, {}).ok());
  ExpectedInput input;
  input.name = "x";
  input.seed = 1000;
  input.first4 = {-0.5303122997283936};
  EXPECT_TRUE(MakeExpectedInputs(graph, {input}).ok());
  input.first4[0] += 1e-7;
  EXPECT_NE(MakeExpectedInputs(graph, {input}).error().message.find("element 0"),
            std::string::npos);
}

ExpectedOutput Expect(const std::string& type, const Numbers& elements) {
  ExpectedOutput expected;
  expected.type = type;
  expected.dims = {static_cast<std::int64_t>(elements.size())};
  expected.first8 = elements;
  double sum = 0;
  double squares = 0;
  for (const double element : elements) {
    sum += element;
    squares += element * element;
    expected.absmax = std::max(expected.absmax, std::abs(element));
  }
  expected.mean = sum / static_cast<double>(elements.size());
  expected.l2 = std::sqrt(squares);
  return expected;
}

TEST(RebenchCompare, Tolerances) {
  const auto floats = [](const std::vector<float>& values) {
    return ir::Tensor::FromFloats({static_cast<std::int64_t>(values.size())}, values);
  };
  const ExpectedOutput expected = Expect("float32", {1, -100});
  EXPECT_EQ(CompareOutput(expected, *floats({1.0005F, -100})).fault, "");
  EXPECT_NE(CompareOutput(expected, *floats({1.002F, -100})).fault, "");
  EXPECT_NE(CompareOutput(expected, *floats({1, -100.02F})).fault, "");
  EXPECT_NE(CompareOutput(expected, *floats({1, NAN})).fault, "");
  EXPECT_EQ(CompareOutput(expected, *floats({1})).fault, "another type or shape");
  const auto bytes = [](const std::string& content) {
    return ir::Tensor::Make(DataType::kInt8, {static_cast<std::int64_t>(content.size())}, content);
  };
  const OutputComparison step =
      CompareOutput(Expect("int8", Numbers(8, 100)), *bytes(std::string(7, 100) + '\x63'));
  EXPECT_EQ(step.num_steps, 1);
  EXPECT_NEAR(step.max_error, 0.01, 1e-9);
  EXPECT_NE(CompareOutput(Expect("int8", {5}), *bytes("\x07")).fault, "");
  EXPECT_NE(CompareOutput(Expect("bool", {1}), *bytes("\x01")).fault, "");
}

// Of a large output a few elements are known, and the sums: what is wrong elsewhere shows there.
TEST(RebenchCompare, SumsSeeWhatSamplesMiss) {
  ExpectedOutput expected = Expect("float32", Numbers(1000, 1));
  expected.first8.resize(8);
  expected.samples64 = Numbers(64, 1);
  std::vector<float> values(1000, 1);
  EXPECT_EQ(CompareOutput(expected, *ir::Tensor::FromFloats({1000}, values)).fault, "");
  values[9] = 3;
  const auto compared = CompareOutput(expected, *ir::Tensor::FromFloats({1000}, values));
  EXPECT_NE(compared.fault.find("the mean is"), std::string::npos) << compared.fault;
}

std::string Little(std::size_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i, number >>= 8U) text += static_cast<char>(number & 255U);
  return text;
}

std::string Deflate(const std::string& content) {
  std::string packed(compressBound(content.size()), '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string copy = content;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// A zip of one member.
std::string Zip(const std::string& name, const std::string& content, bool deflated) {
  const std::string packed = deflated ? Deflate(content) : content;
  const std::string common = Little(20, 2) + Little(0, 2) + Little(deflated ? 8 : 0, 2) +
                             Little(0, 8) + Little(packed.size(), 4) + Little(content.size(), 4) +
                             Little(name.size(), 2) + Little(0, 2);
  const std::string local = "PK\3\4" + common + name + packed;
  const std::string entry = "PK\1\2" + Little(20, 2) + common + Little(0, 10) + Little(0, 4) + name;
  return local + entry + "PK\5\6" + Little(0, 4) + Little(1, 2) + Little(1, 2) +
         Little(entry.size(), 4) + Little(local.size(), 4) + Little(0, 2);
}

class Npz : public testing::Test {
 protected:
  const ir::TensorPtr tensor_ = ir::Tensor::FromFloats({2, 1}, {1.5F, -2});
  const std::string array_ = *runtime::FormatNpy(*tensor_);
};

TEST_F(Npz, StoredAndDeflated) {
  for (const bool deflated : {false, true}) {
    const auto arrays = ParseNpz(Zip("a.npy", array_, deflated), "f.npz");
    ASSERT_TRUE(arrays.ok()) << arrays.error().ToString();
    ASSERT_TRUE(arrays->contains("a"));
    EXPECT_TRUE(ir::SameContent(*arrays->at("a"), *tensor_));
  }
  EXPECT_FALSE(ReadNpz("/nonexistent.npz").ok());
}

TEST_F(Npz, DamagedFilesAreRefused) {
  const std::string whole = Zip("a.npy", array_, true);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParseNpz(whole.substr(0, size), "f.npz").ok()) << size;
  }
  std::mt19937_64 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] = static_cast<char>(random() & 255U);
    const auto arrays = ParseNpz(damaged, "f.npz");  // some bytes mean nothing
    if (arrays.ok()) continue;
    EXPECT_NE(arrays.error().where.find("f.npz"), std::string::npos);
  }
}

}  // namespace
}  // namespace opass::bench
