#include "opass/analysis/pose_problem.h"

#include <gtest/gtest.h>

namespace opass::analysis {
namespace {

using Dims = std::vector<std::int64_t>;

// Builds graphs of float32 values of 64 floats (256 bytes) unless told otherwise.
class Builder {
 public:
  ir::ValueId Input(const std::string& name, Dims dims = {64}) {
    const ir::ValueId id = Value(name, std::move(dims));
    model.graph.inputs.push_back(id);
    return id;
  }
  ir::ValueId Op(const std::string& op_type, std::vector<ir::ValueId> inputs,
                 const std::string& name, Dims dims = {64}) {
    const ir::ValueId output = Value(name, std::move(dims));
    ir::Node node;
    node.op_type = op_type;
    node.name = name + "_node";
    node.inputs = std::move(inputs);
    node.outputs = {output};
    model.graph.AddNode(node);
    return output;
  }
  void Outputs(std::vector<ir::ValueId> outputs) { model.graph.outputs = std::move(outputs); }
  PosedProblem Pose(const PoseOptions& options = {}) const {
    auto posed = PoseProblem(model, options);
    EXPECT_TRUE(posed.ok()) << (posed.ok() ? "" : posed.error().ToString());
    return *posed;
  }

  ir::Model model;

 private:
  ir::ValueId Value(const std::string& name, Dims dims) {
    return model.graph.AddValue(name, ir::Type::Tensor(ir::DataType::kFloat, dims));
  }
};

const memory::Value& Find(const PosedProblem& posed, const std::string& name) {
  for (const memory::Value& value : posed.problem.values) {
    if (value.name == name) return value;
  }
  ADD_FAILURE() << "no value " << name;
  return posed.problem.values.front();
}

TEST(PoseProblem, ConstantsAreWeightsAndNotValues) {
  Builder builder;
  const ir::ValueId x = builder.Input("x");
  const ir::ValueId w =
      builder.model.graph.AddConstant("w", ir::Tensor::FromFloats({64}, std::vector<float>(64)));
  builder.Outputs({builder.Op("Add", {x, w}, "y")});
  const PosedProblem posed = builder.Pose();
  EXPECT_EQ(posed.problem.values.size(), 2u);
  EXPECT_EQ(posed.weights_bytes, 256);
  EXPECT_EQ(posed.sum_bytes, 512);
  ASSERT_EQ(posed.problem.ops[0].in_place.size(), 1u);
  EXPECT_EQ(posed.problem.ops[0].in_place[0].input, posed.problem_value_of[x.index()]);
}

TEST(PoseProblem, AGraphOutputSharesWithNoInputAndNoOtherOutput) {
  Builder builder;
  const ir::ValueId x = builder.Input("x");
  const ir::ValueId of_input = builder.Op("Reshape", {x}, "of_input", {8, 8});
  const ir::ValueId inner = builder.Op("Conv", {x}, "inner");
  const ir::ValueId first = builder.Op("Reshape", {inner}, "first", {8, 8});
  const ir::ValueId second = builder.Op("Reshape", {inner}, "second", {8, 8});
  builder.Outputs({of_input, first, second});
  const PosedProblem posed = builder.Pose();
  EXPECT_FALSE(Find(posed, "of_input").view);
  EXPECT_TRUE(Find(posed, "first").view);
  EXPECT_FALSE(Find(posed, "second").view);
}

TEST(PoseProblem, PiecesOffTheAlignmentAreCopies) {
  // A row of 6 floats is 24 bytes: not a multiple of 16 or 64.
  Builder builder;
  const ir::ValueId x = builder.Input("x", {2, 6});
  const ir::ValueId a =
      builder.model.graph.AddValue("a", ir::Type::Tensor(ir::DataType::kFloat, {1, 6}));
  const ir::ValueId b =
      builder.model.graph.AddValue("b", ir::Type::Tensor(ir::DataType::kFloat, {1, 6}));
  ir::Node split;
  split.op_type = "Split";
  split.name = "split";
  split.inputs = {builder.Op("Tanh", {x}, "t", {2, 6})};
  split.outputs = {a, b};
  builder.model.graph.AddNode(split);
  builder.Outputs({builder.Op("Add", {a, b}, "y", {1, 6})});
  EXPECT_FALSE(Find(builder.Pose(), "a").view);
  PoseOptions exact;
  exact.alignment = 8;
  const PosedProblem posed = builder.Pose(exact);
  ASSERT_TRUE(Find(posed, "b").view);
  EXPECT_EQ(Find(posed, "b").view->offset_bytes, 24);
}

TEST(PoseProblem, AnOperandThatSharesTheStorageForbidsInPlace) {
  Builder builder;
  const ir::ValueId x = builder.Input("x", {8, 8});
  const ir::ValueId a = builder.Op("Conv", {x}, "a", {8, 8});
  const ir::ValueId flat = builder.Op("Reshape", {a}, "flat", {8, 8});
  builder.Outputs({builder.Op("Add", {a, flat}, "y", {8, 8})});
  EXPECT_TRUE(builder.Pose().problem.ops.back().in_place.empty());
}

TEST(PoseProblem, ExcludedAndPreservedInputsAndOutputs) {
  Builder builder;
  const ir::ValueId x = builder.Input("x");
  builder.Outputs({builder.Op("Relu", {x}, "y")});
  PoseOptions options;
  options.exclude_io = true;
  EXPECT_FALSE(Find(builder.Pose(options), "x").in_arena);
  EXPECT_TRUE(builder.Pose(options).problem.ops[0].in_place.empty());
  options = {};
  options.preserve_inputs = true;
  EXPECT_TRUE(Find(builder.Pose(options), "x").is_preserved);
}

TEST(PoseProblem, ValuesOfUnknownSizeAreNamedAndLeftOut) {
  Builder builder;
  const ir::ValueId x = builder.Input("x");
  const ir::ValueId y = builder.Op("NonZero", {x}, "y");
  builder.model.graph.value(y).type.shape = ir::Shape{{1, ""}, {-1, "n"}};
  builder.Outputs({y});
  const PosedProblem posed = builder.Pose();
  EXPECT_EQ(posed.unplanned_values, std::vector<std::string>{"y"});
  EXPECT_FALSE(Find(posed, "y").in_arena);
}

TEST(PoseProblem, SubgraphsCountAsWorkspace) {
  ir::Graph inner;
  const ir::ValueId captured = inner.AddValue("x", ir::Type::Tensor(ir::DataType::kFloat, {64}));
  const ir::ValueId result = inner.AddValue("result", ir::Type::Tensor(ir::DataType::kFloat, {64}));
  ir::Node tanh;
  tanh.op_type = "Tanh";
  tanh.name = "tanh";
  tanh.inputs = {captured};
  tanh.outputs = {result};
  inner.AddNode(tanh);
  inner.outputs = {result};

  Builder builder;
  const ir::ValueId x = builder.Input("x");
  inner.captures = {{x, captured}};
  const ir::ValueId y = builder.Op("If", {x}, "y");
  builder.model.graph.node(builder.model.graph.order[0]).attributes = {
      {"then_branch", ir::GraphAttribute(inner)}};
  builder.Outputs({y});
  PoseOptions options;
  options.subgraph_peak = [](const memory::Problem& problem) -> Result<std::int64_t> {
    EXPECT_EQ(problem.values.size(), 2u);
    EXPECT_FALSE(problem.values[0].in_arena) << "a captured value lives outside";
    return 256;
  };
  EXPECT_EQ(builder.Pose(options).problem.ops[0].workspace_bytes, 256);
}

}  // namespace
}  // namespace opass::analysis
