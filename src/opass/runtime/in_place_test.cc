// The justification of ops/in_place.cc: every operator it lists is run with its output on the bytes
// of its input, over shapes that broadcast in every way the operator allows, with one and with two
// threads, and compared bit by bit with the same node out of place.
#include "opass/ops/in_place.h"

#include <gtest/gtest.h>

#include "opass/ort/model_builder.h"
#include "opass/ort/test_skip.h"
#include "opass/runtime/arena_executor.h"
#include "opass/runtime/inputs.h"
#include "opass/runtime/test_plan.h"

namespace opass::runtime {
namespace {

using ir::Attribute;
using ir::DataType;
using ir::Tensor;
using ir::Type;

using Dims = std::vector<std::int64_t>;

struct Case {
  std::string op;
  std::vector<Dims> inputs;  // the first has the shape of the output
  std::vector<Attribute> attributes = {};
  DataType type = DataType::kFloat;
  std::vector<ir::TensorPtr> constants = {};  // after the inputs
  std::int64_t opset = 21;
  DataType first_type = DataType::kUndefined;   // of input 0, when another
  DataType output_type = DataType::kUndefined;  // when another
  std::size_t num_candidates = 1;               // inputs that can be taken over
  double low = 0;                               // of the inputs, when high > low
  double high = 0;
};

const Dims kWide = {2, 6, 33, 17};  // 6732 elements: whole vectors and a rest, several threads
const Dims kSmall = {7};
const Dims kChannel = {1, 6, 1, 1};
const Dims kRow = {17};
const Dims kSpatial = {33, 17};
const Dims kScalar = {};

Attribute Int(std::string name, std::int64_t value) { return {std::move(name), value}; }

ir::TensorPtr Ramp(std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(0.5F + 0.25F * static_cast<float>(i));
  return Tensor::FromFloats({count}, values);
}
ir::TensorPtr Number(float value) { return Tensor::FromFloats({}, {value}); }

void AddUnary(std::vector<Case>& cases) {
  for (const char* op : {"Relu",
                         "Sigmoid",
                         "Tanh",
                         "HardSigmoid",
                         "LeakyRelu",
                         "Elu",
                         "Selu",
                         "Celu",
                         "Softplus",
                         "Softsign",
                         "ThresholdedRelu",
                         "Erf",
                         "Neg",
                         "Abs",
                         "Floor",
                         "Ceil",
                         "Round",
                         "Sign",
                         "Exp",
                         "Reciprocal",
                         "Sin",
                         "Cos",
                         "Atan",
                         "HardSwish",
                         "Mish"}) {
    for (const Dims& dims : {kSmall, kWide}) cases.push_back({.op = op, .inputs = {dims}});
  }
  for (const char* op : {"Log", "Sqrt"}) {
    cases.push_back({.op = op, .inputs = {kWide}, .low = 0.1, .high = 9});
  }
  cases.push_back({.op = "Swish", .inputs = {kWide}, .opset = 24});
  cases.push_back({.op = "Not", .inputs = {kWide}, .type = DataType::kBool});
  for (const DataType type : {DataType::kDouble, DataType::kInt32, DataType::kInt64}) {
    for (const char* op : {"Abs", "Neg"}) {
      cases.push_back({.op = op, .inputs = {kWide}, .type = type, .low = -50, .high = 50});
    }
  }
  cases.push_back({.op = "Clip", .inputs = {kWide}, .constants = {Number(-0.5F), Number(0.5F)}});
  cases.push_back({.op = "Trilu", .inputs = {kWide}});
  cases.push_back({.op = "Relu", .inputs = {kWide}, .type = DataType::kFloat16});
}

void AddBinary(std::vector<Case>& cases) {
  for (const char* op : {"Add", "Sub", "Mul", "Div"}) {
    cases.push_back({.op = op, .inputs = {kWide, kWide}, .num_candidates = 2});
    cases.push_back({.op = op, .inputs = {kSmall, kSmall}, .num_candidates = 2});
    for (const Dims& other : {kChannel, kRow, kSpatial, kScalar}) {
      cases.push_back({.op = op, .inputs = {kWide, other}});
    }
    cases.push_back({.op = op,
                     .inputs = {kWide, kWide},
                     .type = DataType::kInt64,
                     .num_candidates = 2,
                     .low = 1,
                     .high = 90});
  }
  for (const char* op : {"Add", "Mul"}) {
    cases.push_back({.op = op, .inputs = {kWide, kChannel}, .type = DataType::kFloat16});
  }
  for (const Dims& other : {kWide, kChannel, kScalar}) {
    cases.push_back({.op = "Pow", .inputs = {kWide, other}, .low = 0.1, .high = 3});
  }
  for (const Dims& other : {kWide, kChannel}) {
    cases.push_back({.op = "PRelu", .inputs = {kWide, other}});
  }
  for (const Dims& other : {kWide, kChannel}) {
    cases.push_back(
        {.op = "Mod", .inputs = {kWide, other}, .type = DataType::kInt32, .low = 1, .high = 90});
    for (const char* op : {"And", "Or", "Xor"}) {
      cases.push_back({.op = op, .inputs = {kWide, other}, .type = DataType::kBool});
    }
    cases.push_back(
        {.op = "BitwiseAnd", .inputs = {kWide, other}, .type = DataType::kInt32, .high = 90});
  }
  for (const char* op : {"Min", "Max", "Sum", "Mean"}) {
    cases.push_back({.op = op, .inputs = {kWide}});
    cases.push_back({.op = op, .inputs = {kWide, kWide}, .num_candidates = 2});
    cases.push_back({.op = op, .inputs = {kWide, kChannel}});
    cases.push_back({.op = op, .inputs = {kWide, kScalar}});
    cases.push_back({.op = op, .inputs = {kWide, kWide, kWide}, .num_candidates = 2});
  }
}

void AddRowWise(std::vector<Case>& cases) {
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    for (const std::int64_t axis : {-1, 1}) {
      cases.push_back({.op = op, .inputs = {kWide}, .attributes = {Int("axis", axis)}});
    }
  }
  cases.push_back({.op = "BatchNormalization",
                   .inputs = {kWide},
                   .constants = {Ramp(6), Ramp(6), Ramp(6), Ramp(6)}});
  cases.push_back(
      {.op = "InstanceNormalization", .inputs = {kWide}, .constants = {Ramp(6), Ramp(6)}});
  cases.push_back(
      {.op = "LayerNormalization", .inputs = {kWide}, .constants = {Ramp(17), Ramp(17)}});
  cases.push_back(
      {.op = "RMSNormalization", .inputs = {kWide}, .constants = {Ramp(17)}, .opset = 23});
  cases.push_back({.op = "GroupNormalization",
                   .inputs = {kWide},
                   .attributes = {Int("num_groups", 3)},
                   .constants = {Ramp(6), Ramp(6)}});
  for (const std::int64_t axis : {-1, 1}) {
    cases.push_back(
        {.op = "LpNormalization", .inputs = {kWide}, .attributes = {Int("axis", axis)}});
    cases.push_back(
        {.op = "CumSum", .inputs = {kWide}, .constants = {Tensor::FromInt64s({}, {axis})}});
  }
  cases.push_back({.op = "CumSum",
                   .inputs = {kWide},
                   .attributes = {Int("reverse", 1)},
                   .constants = {Tensor::FromInt64s({}, {3})}});
  cases.push_back({.op = "LRN", .inputs = {kWide}, .attributes = {Int("size", 3)}});
}

void AddOthers(std::vector<Case>& cases) {
  cases.push_back({.op = "Where",
                   .inputs = {kWide, kWide, kWide},
                   .first_type = DataType::kBool,
                   .num_candidates = 2});
  cases.push_back(
      {.op = "Where", .inputs = {kWide, kWide, kScalar}, .first_type = DataType::kBool});
  cases.push_back({.op = "ScatterND",
                   .inputs = {{5, 4}},
                   .constants = {Tensor::FromInt64s({2, 1}, {3, 1}),
                                 Tensor::FromFloats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}});
  cases.push_back({.op = "ScatterElements",
                   .inputs = {{5, 4}},
                   .constants = {Tensor::FromInt64s({1, 3}, {3, 1, 0}),
                                 Tensor::FromFloats({1, 3}, {1, 2, 3})}});
  cases.push_back(
      {.op = "Expand", .inputs = {kWide}, .constants = {Tensor::FromInt64s({4}, kWide)}});
  cases.push_back({.op = "DequantizeLinear",
                   .inputs = {kWide},
                   .constants = {Number(0.25F)},
                   .first_type = DataType::kInt32,
                   .high = 90});
  const auto cast = [&](DataType from, DataType to) {
    cases.push_back({.op = "Cast",
                     .inputs = {kWide},
                     .attributes = {Int("to", static_cast<std::int64_t>(to))},
                     .first_type = from,
                     .output_type = to,
                     .high = 90});
  };
  cast(DataType::kFloat, DataType::kInt32);
  cast(DataType::kInt32, DataType::kFloat);
  cast(DataType::kInt64, DataType::kDouble);
  cast(DataType::kUint8, DataType::kBool);
  cast(DataType::kFloat16, DataType::kInt16);
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  AddUnary(cases);
  AddBinary(cases);
  AddRowWise(cases);
  AddOthers(cases);
  return cases;
}

// One node. Every input is a graph input, which dies at this node.
ort::ModelBuilder Build(const Case& c) {
  ort::ModelBuilder builder(c.opset);
  std::vector<ir::ValueId> inputs;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    const bool other = i == 0 && c.first_type != DataType::kUndefined;
    inputs.push_back(builder.Input("x" + std::to_string(i),
                                   Type::Tensor(other ? c.first_type : c.type, c.inputs[i])));
  }
  for (std::size_t i = 0; i < c.constants.size(); ++i) {
    inputs.push_back(builder.Constant("c" + std::to_string(i), c.constants[i]));
  }
  const DataType out = c.output_type != DataType::kUndefined ? c.output_type : c.type;
  builder.Output(builder.Op(c.op, inputs, "y", Type::Tensor(out, c.inputs[0]), c.attributes));
  return builder;
}

std::string NameOf(const Case& c, std::size_t candidate) {
  std::string name = c.op + " " + std::string(ir::Name(c.type)) + " in place of input " +
                     std::to_string(candidate) + ":";
  for (const Dims& dims : c.inputs) name += " " + Type::Tensor(c.type, dims).ToString();
  for (const Attribute& attribute : c.attributes) {
    if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) {
      name += " " + attribute.name + "=" + std::to_string(*number);
    }
  }
  return name;
}

void ExpectInPlaceIsBitEqual(const Case& c, std::size_t candidate, int threads) {
  ort::ModelBuilder builder = Build(c);
  const ir::Graph& graph = builder.model().graph;
  TestPlan plan(builder.model(), /*in_place=*/false);
  memory::Buffer& output = plan.buffer("y");
  const memory::Buffer& input = plan.buffer("x" + std::to_string(candidate));
  output.offset_bytes = input.offset_bytes;
  output.alias_of = input.value;
  output.alias_kind = memory::AliasKind::kInPlace;
  InputOptions inputs;
  for (const ir::ValueId id : graph.inputs) {
    if (c.high > c.low) inputs.ranges[graph.value(id).name] = {c.low, c.high};
  }
  auto executor = ArenaExecutor::Prepare(plan.planned(), {.threads = threads, .lockstep = true});
  ASSERT_TRUE(executor.ok()) << executor.error().ToString();
  const auto report = (*executor)->Run(*MakeInputs(graph, inputs));
  ASSERT_TRUE(report.ok()) << report.error().ToString();
  ASSERT_FALSE(report->cannot_run) << report->cannot_run->ToString();
  EXPECT_TRUE(report->bit_equal) << NameOf(c, candidate) << ", " << threads
                                 << " threads: " << report->difference->ToString();
}

TEST(InPlaceTest, EveryRowIsBitEqual) {
  OPASS_SKIP_WITHOUT_ORT();
  for (const Case& c : AllCases()) {
    ort::ModelBuilder builder = Build(c);
    const ir::Graph& graph = builder.model().graph;
    const auto candidates = ops::InPlaceInputs(graph, graph.node(graph.order[0]));
    EXPECT_EQ(candidates.size(), c.num_candidates) << NameOf(c, 0);
    for (const std::size_t candidate : candidates) {
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(NameOf(c, candidate));
        ExpectInPlaceIsBitEqual(c, candidate, threads);
      }
    }
  }
}

// Results that depend on bytes already overwritten are wrong in place: this is what a wrong row of
// the table looks like.
TEST(InPlaceTest, OperatorsThatReadAfterTheyWriteAreCaught) {
  OPASS_SKIP_WITHOUT_ORT();
  const std::vector<Case> cases = {
      {.op = "Transpose",
       .inputs = {{64, 64}},
       .attributes = {{"perm", std::vector<std::int64_t>{1, 0}}}},
      {.op = "Gelu", .inputs = {kWide}, .attributes = {{"approximate", std::string("tanh")}}},
      {.op = "CumSum",
       .inputs = {kWide},
       .attributes = {Int("exclusive", 1)},
       .constants = {Tensor::FromInt64s({}, {3})}},
  };
  for (const Case& c : cases) {
    ort::ModelBuilder builder = Build(c);
    TestPlan plan(builder.model(), /*in_place=*/false);
    plan.buffer("y").offset_bytes = plan.buffer("x0").offset_bytes;
    auto executor = ArenaExecutor::Prepare(plan.planned());
    ASSERT_TRUE(executor.ok());
    const auto report = (*executor)->Run(*MakeInputs(builder.model().graph, {}));
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report->cannot_run) << report->cannot_run->ToString();
    EXPECT_FALSE(report->bit_equal) << NameOf(c, 0);
  }
}

}  // namespace
}  // namespace opass::runtime
