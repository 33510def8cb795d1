#include "opass/runtime/arena_executor.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/memory/check.h"
#include "opass/ort/evaluate.h"
#include "opass/ort/model_builder.h"
#include "opass/ort/test_skip.h"
#include "opass/runtime/inputs.h"
#include "opass/runtime/test_plan.h"

namespace opass::runtime {
namespace {

using ir::DataType;
using ir::Tensor;
using ir::Type;
using ort::ModelBuilder;

RunReport Execute(const ir::Model& model, const TestPlan& plan,
                  const ExecutorOptions& options = {}) {
  const auto inputs = MakeInputs(model.graph, {});
  EXPECT_TRUE(inputs.ok());
  auto executor = ArenaExecutor::Prepare(plan.planned(), options);
  EXPECT_TRUE(executor.ok()) << executor.error().ToString();
  auto report = (*executor)->Run(*inputs);
  EXPECT_TRUE(report.ok()) << report.error().ToString();
  return *std::move(report);
}

// The outputs of a run equal those of the whole model.
void ExpectSameAsWhole(const ir::Model& model, const RunReport& report) {
  const auto inputs = MakeInputs(model.graph, {});
  const auto whole =
      ort::Evaluate(model, *inputs, {.fetch = {}, .disable_prepacking = false, .threads = 1});
  ASSERT_TRUE(whole.ok()) << whole.error().ToString();
  for (std::size_t i = 0; i < whole->size(); ++i) {
    const std::string& name = model.graph.value(model.graph.outputs[i]).name;
    ASSERT_TRUE(report.outputs.contains(name)) << name;
    EXPECT_TRUE(ir::SameContent(*report.outputs.at(name), *(*whole)[i])) << name;
  }
}

std::string DifferenceOf(const RunReport& report) {
  return report.difference ? report.difference->ToString() : "";
}

// x -> Relu -> Reshape -> Add(weight) -> MatMul(weight) -> y: in place, views, kernels.
ModelBuilder Chain() {
  ModelBuilder builder;
  const auto x = builder.Input("x", {4, 6});
  const auto relu = builder.Op("Relu", {x}, "relu", {4, 6});
  const auto shape = builder.Constant("shape", Tensor::FromInt64s({2}, {6, 4}));
  const auto reshaped = builder.Op("Reshape", {relu, shape}, "reshaped", {6, 4});
  const auto bias = builder.Constant("bias", Tensor::FromFloats({4}, {1, 2, 3, 4}));
  const auto sum = builder.Op("Add", {reshaped, bias}, "sum", {6, 4});
  const auto weight =
      builder.Constant("weight", Tensor::FromFloats({4, 2}, {1, -1, 2, -2, 3, -3, 4, -4}));
  builder.Output(builder.Op("MatMul", {sum, weight}, "y", {6, 2}));
  return builder;
}

TEST(ArenaExecutorTest, RunsAChainInPlaceWithViews) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = Chain();
  TestPlan plan(builder.model());
  EXPECT_EQ(plan.buffer("relu").alias_kind, memory::AliasKind::kInPlace);
  EXPECT_EQ(plan.buffer("reshaped").alias_kind, memory::AliasKind::kView);
  EXPECT_EQ(plan.plan.arena_bytes, 192);  // 128 for one tensor, 64 for y
  const RunReport report = Execute(builder.model(), plan);
  EXPECT_FALSE(report.cannot_run);
  EXPECT_TRUE(report.bit_equal) << DifferenceOf(report);
  ExpectSameAsWhole(builder.model(), report);
}

TEST(ArenaExecutorTest, RunsAgainWithOtherInputs) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = Chain();
  TestPlan plan(builder.model());
  auto executor = ArenaExecutor::Prepare(plan.planned());
  ASSERT_TRUE(executor.ok());
  std::vector<ir::TensorPtr> outputs;
  for (const std::uint64_t seed : {0, 1, 0}) {
    InputOptions options;
    options.seed = seed;
    const auto report = (*executor)->Run(*MakeInputs(builder.model().graph, options));
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report->bit_equal);
    outputs.push_back(report->outputs.at("y"));
  }
  EXPECT_FALSE(ir::SameContent(*outputs[0], *outputs[1]));
  EXPECT_TRUE(ir::SameContent(*outputs[0], *outputs[2]));
}

TEST(ArenaExecutorTest, NamesWhatAnOverlapDestroys) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {16});
  const auto a = builder.Op("Exp", {x}, "a", {16});
  const auto b = builder.Op("Neg", {x}, "b", {16});
  builder.Output(builder.Op("Sub", {a, b}, "y", {16}));
  TestPlan plan(builder.model(), /*in_place=*/false);
  EXPECT_TRUE(Execute(builder.model(), plan).bit_equal);
  plan.buffer("b").offset_bytes = plan.buffer("a").offset_bytes;
  const RunReport report = Execute(builder.model(), plan);
  EXPECT_FALSE(report.bit_equal);
  ASSERT_TRUE(report.difference);
  EXPECT_EQ(report.difference->value, "a");
  EXPECT_TRUE(report.difference->overwritten);
  EXPECT_EQ(report.difference->step, 2);
  EXPECT_NE(report.difference->arena_address, nullptr);
  EXPECT_NE(report.difference->ToString().find("also there: b "), std::string::npos)
      << report.difference->ToString();
}

TEST(ArenaExecutorTest, SeesAnOutputThatIsOverwrittenAtTheEnd) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {16});
  builder.Output(builder.Op("Exp", {x}, "y", {16}));
  builder.Output(builder.Op("Neg", {x}, "z", {16}));
  TestPlan plan(builder.model(), /*in_place=*/false);
  plan.buffer("z").offset_bytes = plan.buffer("y").offset_bytes;
  const RunReport report = Execute(builder.model(), plan);
  ASSERT_TRUE(report.difference);
  EXPECT_EQ(report.difference->value, "y");
  EXPECT_NE(report.difference->ToString().find("before the end"), std::string::npos);
}

// A graph of random operators, each reading up to three earlier values.
ModelBuilder RandomGraph(std::mt19937_64& random) {
  ModelBuilder builder;
  const std::vector<std::int64_t> dims = {static_cast<std::int64_t>(5 + random() % 40)};
  std::vector<ir::ValueId> values = {builder.Input("x0", dims), builder.Input("x1", dims)};
  const std::size_t count = 8 + random() % 12;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pick = [&] {
      return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), 6)];
    };
    const std::string name = "v" + std::to_string(i);
    switch (random() % 4) {
      case 0:
        values.push_back(builder.Op("Sigmoid", {pick()}, name, dims));
        break;
      case 1:
        values.push_back(builder.Op("Add", {pick(), pick()}, name, dims));
        break;
      case 2:
        values.push_back(builder.Op("Sum", {pick(), pick(), pick()}, name, dims));
        break;
      default:
        values.push_back(builder.Op("Cos", {pick()}, name, dims));
        break;
    }
  }
  builder.Output(values.back());
  return builder;
}

// Every plan is right before two values that live at the same time are put at one place.
TEST(ArenaExecutorTest, EveryLiveOverlapOfRandomPlansIsCaught) {
  OPASS_SKIP_WITHOUT_ORT();
  std::mt19937_64 random(7);
  int overlaps = 0;
  for (int trial = 0; overlaps < 24 && trial < 60; ++trial) {
    ModelBuilder builder = RandomGraph(random);
    TestPlan plan(builder.model(), /*in_place=*/trial % 2 == 0);
    const RunReport right = Execute(builder.model(), plan);
    ASSERT_TRUE(right.bit_equal) << DifferenceOf(right);
    ExpectSameAsWhole(builder.model(), right);

    // Two values may be equal by chance: Cos of the same value twice.
    std::vector<std::string> names;
    for (const ir::NodeId node : builder.model().graph.order) {
      names.push_back(builder.model().graph.node(node).name.substr(5));
    }
    auto contents = ort::Evaluate(builder.model(), *MakeInputs(builder.model().graph, {}),
                                  {.fetch = names, .disable_prepacking = true, .threads = 1});
    ASSERT_TRUE(contents.ok()) << contents.error().ToString();
    const auto content_of = [&](const memory::Buffer& buffer) -> const Tensor* {
      const auto at = std::ranges::find(names, plan.problem().value(buffer.value).name);
      return at == names.end() ? nullptr
                               : (*contents)[static_cast<std::size_t>(at - names.begin())].get();
    };
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    const auto& buffers = plan.plan.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const bool alone = buffers[i].alias_kind == memory::AliasKind::kNone &&
                           buffers[k].alias_kind == memory::AliasKind::kNone;
        const bool apart = buffers[i].offset_bytes != buffers[k].offset_bytes;
        // The later one starts while the earlier one is still to be read.
        const bool live =
            buffers[k].first < buffers[i].first && buffers[i].first + 1 < buffers[k].last;
        const Tensor* ours = content_of(buffers[i]);
        const Tensor* theirs = content_of(buffers[k]);
        const bool equal = ours != nullptr && theirs != nullptr && ir::SameContent(*ours, *theirs);
        if (alone && apart && live && !equal) pairs.emplace_back(i, k);
      }
    }
    if (pairs.empty()) continue;
    const auto [i, k] = pairs[random() % pairs.size()];
    plan.plan.buffers[i].offset_bytes = plan.plan.buffers[k].offset_bytes;
    const RunReport wrong = Execute(builder.model(), plan);
    EXPECT_FALSE(wrong.bit_equal) << "trial " << trial;
    EXPECT_TRUE(wrong.difference);
    ++overlaps;
  }
  EXPECT_EQ(overlaps, 24);
}

TEST(ArenaExecutorTest, StringsAndLateShapesPassOutsideOfTheArena) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {8});
  Type unknown = Type::Tensor(DataType::kInt64, {1, 1});
  (*unknown.shape)[1] = {-1, "found"};
  const auto found = builder.Op("NonZero", {x}, "found", unknown);
  Type text = Type::Tensor(DataType::kString, {1, 1});
  (*text.shape)[1] = {-1, "found"};
  const auto words = builder.Op("Cast", {found}, "words", text,
                                {{"to", static_cast<std::int64_t>(DataType::kString)}});
  builder.Output(words);
  builder.Output(builder.Op("Relu", {x}, "relu", {8}));
  TestPlan plan(builder.model());
  const RunReport report = Execute(builder.model(), plan);
  EXPECT_TRUE(report.bit_equal) << DifferenceOf(report);
  EXPECT_EQ(report.outputs.at("words")->strings.size(), 8U);
  EXPECT_GE(report.outside_bytes, 64);  // eight indices
  ExpectSameAsWhole(builder.model(), report);
}

TEST(ArenaExecutorTest, EmptyTensorsScalarsAndUnusedOutputs) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {0, 3});
  const auto y = builder.Input("y", std::vector<std::int64_t>{});
  builder.Input("unused", {5});
  builder.Output(builder.Op("Relu", {x}, "relu", {0, 3}));
  builder.Output(builder.Op("Neg", {y}, "neg", std::vector<std::int64_t>{}));
  const Type floats = Type::Tensor(DataType::kFloat, {2});
  const auto k = builder.Constant("k", Tensor::FromInt64s({1}, {2}));
  const auto z = builder.Input("z", {4});
  const auto top = builder.Ops("TopK", {z, k}, {"values", "indices"},
                               {floats, Type::Tensor(DataType::kInt64, {2})});
  builder.Output(top[0]);
  TestPlan plan(builder.model());
  const RunReport report = Execute(builder.model(), plan);
  EXPECT_TRUE(report.bit_equal) << DifferenceOf(report);
  EXPECT_TRUE(report.outputs.at("relu")->bytes.empty());
  ExpectSameAsWhole(builder.model(), report);
}

TEST(ArenaExecutorTest, ConstantsAndInputsMayBeOutputs) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {3});
  const auto c = builder.Constant("c", Tensor::FromFloats({3}, {1, 2, 3}));
  builder.Output(x);
  builder.Output(c);
  const auto y = builder.Op("Add", {x, c}, "y", {3});
  builder.Output(y);
  TestPlan plan(builder.model());
  const RunReport report = Execute(builder.model(), plan);
  EXPECT_TRUE(report.bit_equal) << DifferenceOf(report);
  EXPECT_EQ(*ir::AsDoubles(*report.outputs.at("c")), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(report.outputs.contains("x"));
}

TEST(ArenaExecutorTest, BranchesReadCapturedValuesFromTheArena) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto condition = builder.Input("condition", Type::Tensor(DataType::kBool, {}));
  const auto x = builder.Input("x", {6});
  const auto a = builder.Op("Exp", {x}, "a", {6});
  const auto branch = [&](const std::string& op) {
    ir::Graph graph;
    graph.name = op;
    const Type type = Type::Tensor(DataType::kFloat, {6});
    const ir::ValueId inner = graph.AddValue("a", type);
    graph.captures = {{a, inner}};
    const ir::ValueId out = graph.AddValue(op + "_out", type);
    ir::Node node;
    node.op_type = op;
    node.name = "node_" + op;
    node.inputs = {inner};
    node.outputs = {out};
    graph.AddNode(std::move(node));
    graph.outputs = {out};
    return ir::GraphAttribute(std::move(graph));
  };
  builder.Output(builder.Op("If", {condition}, "y", {6},
                            {{"then_branch", branch("Neg")}, {"else_branch", branch("Sqrt")}}));
  TestPlan plan(builder.model());
  const RunReport report = Execute(builder.model(), plan);
  ASSERT_FALSE(report.cannot_run) << report.cannot_run->ToString();
  EXPECT_TRUE(report.bit_equal) << DifferenceOf(report);
  ExpectSameAsWhole(builder.model(), report);
}

// GroupNormalization is a function of many primitives: its scratch is larger than its output.
TEST(ArenaExecutorTest, MeasuredScratchIsServedFromTheArenaWithoutAMiss) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {1, 4, 8, 8});
  const auto scale = builder.Constant("scale", Tensor::FromFloats({4}, {1, 2, 3, 4}));
  const auto bias = builder.Constant("bias", Tensor::FromFloats({4}, {0, 1, 0, 1}));
  builder.Output(builder.Op("GroupNormalization", {x, scale, bias}, "y", {1, 4, 8, 8},
                            {{"num_groups", std::int64_t{2}}}));
  TestPlan plan(builder.model(), /*in_place=*/false);
  const RunReport measured = Execute(builder.model(), plan);
  ASSERT_FALSE(measured.cannot_run) << measured.cannot_run->ToString();
  EXPECT_TRUE(measured.bit_equal);
  EXPECT_GE(measured.runtime_scratch_bytes, 1024);
  EXPECT_EQ(measured.runtime_scratch_node, "node_y");
  ASSERT_EQ(measured.hollow.size(), 1U);
  EXPECT_EQ(measured.hollow[0].output_bytes, 1024);
  EXPECT_GT(measured.outside_allocations, 3);

  memory::Buffer workspace;
  workspace.workspace_of = memory::OpId(0);
  workspace.offset_bytes = plan.plan.arena_bytes;
  workspace.size_bytes = measured.scratch_bytes[0];
  workspace.last = 1;
  plan.plan.buffers.push_back(workspace);
  plan.plan.arena_bytes += workspace.size_bytes;
  const RunReport served = Execute(builder.model(), plan);
  EXPECT_TRUE(served.bit_equal) << DifferenceOf(served);
  EXPECT_EQ(served.outside_allocations, 0);
  EXPECT_EQ(served.outside_bytes, 0);
  EXPECT_EQ(served.runtime_scratch_bytes, measured.runtime_scratch_bytes);
}

TEST(ArenaExecutorTest, SaysWhyAModelCannotRun) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder random;
  const auto x = random.Input("x", {3});
  random.Output(random.Op("RandomNormalLike", {x}, "y", {3}));
  TestPlan random_plan(random.model());
  RunReport report = Execute(random.model(), random_plan);
  ASSERT_TRUE(report.cannot_run);
  EXPECT_EQ(report.cannot_run->reason, "random-operator");

  ModelBuilder strange;
  strange.Output(strange.Op("example.org.Strange", {strange.Input("x", {3})}, "y", {3}));
  TestPlan strange_plan(strange.model());
  report = Execute(strange.model(), strange_plan);
  ASSERT_TRUE(report.cannot_run);
  EXPECT_EQ(report.cannot_run->reason, "missing-kernel");
  EXPECT_NE(report.cannot_run->where.find("node_y"), std::string::npos);

  ModelBuilder wrong;  // the kernel's output has another shape than the graph says
  const auto indices = wrong.Constant("i", Tensor::FromInt64s({1}, {7}));
  wrong.Output(wrong.Op("Gather", {wrong.Input("x", {3}), indices}, "y", {1}));
  TestPlan wrong_plan(wrong.model());
  report = Execute(wrong.model(), wrong_plan);
  ASSERT_TRUE(report.cannot_run);
  EXPECT_EQ(report.cannot_run->reason, "run-failed");
}

TEST(ArenaExecutorTest, RefusesPlansThatDoNotFit) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = Chain();
  const auto refusal = [&](auto change) {
    TestPlan plan(builder.model());
    change(plan);
    const auto executor = ArenaExecutor::Prepare(plan.planned());
    EXPECT_FALSE(executor.ok());
    if (executor.ok()) return std::string();
    EXPECT_EQ(executor.error().code, ErrorCode::kInvalidInput);
    return executor.error().ToString();
  };
  EXPECT_NE(
      refusal([](TestPlan& p) { p.buffer("y").offset_bytes = 1 << 20; }).find("leaves the arena"),
      std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.buffer("y").offset_bytes = -64; }).find("leaves the arena"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.buffer("y").offset_bytes = 8; }).find("multiple of 16"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.buffer("y").size_bytes = 16; }).find("its buffer 16"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.buffer("y").last = 99; }).find("lifetime"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.plan.order.pop_back(); }).find("operators"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.plan.order[0] = p.plan.order[1]; }).find("permutation"),
            std::string::npos);
  EXPECT_NE(refusal([](TestPlan& p) { p.plan.arena_bytes = -1; }).find("impossible size"),
            std::string::npos);
}

TEST(ArenaExecutorTest, MissingAndWrongInputsAreErrors) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = Chain();
  TestPlan plan(builder.model());
  auto executor = ArenaExecutor::Prepare(plan.planned());
  ASSERT_TRUE(executor.ok());
  EXPECT_EQ((*executor)->Run({}).error().reason, "missing-input");
  const auto wrong = (*executor)->Run({{"x", Tensor::FromFloats({2}, {1, 2})}});
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opass::runtime
