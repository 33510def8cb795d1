#include "opass/onnx/read.h"

#include "opass/onnx/test_models.h"
#include "opass/onnx/write.h"

namespace opass::onnxlib {
namespace {

// Node names in order, as "a b c".
std::string Order(const ir::Graph& graph) {
  std::string names;
  for (const ir::NodeId id : graph.order) {
    names += (names.empty() ? "" : " ") + graph.node(id).name;
  }
  return names;
}

TEST(Read, SortsNodesThatStandInAnyOrder) {
  const ir::Model model = ModelFromText(R"(g (float[2] x) => (float[2] z) {
    [c] z = Add(a, b)  [b] b = Neg(a)  [a] a = Abs(x) })");
  EXPECT_EQ(Order(model.graph), "a b c");
}

TEST(Read, MakesNodeNamesUnique) {
  const ir::Model model = ModelFromText(R"(g (float[2] x) => (float[2] z) {
    [n] a = Abs(x)  [n] b = Neg(a)  c = Exp(b)  [Exp_0] d = Exp(c)  z = Exp(d) })");
  EXPECT_EQ(Order(model.graph), "n n_0 Exp_1 Exp_0 Exp_2");
}

TEST(Read, TurnsConstantNodesIntoConstants) {
  const ir::Model model = ModelFromText(R"(g (float[2] x) => (float[2] z) {
    a = Constant<value = float[2] {1.5, -2.0}>()  b = Constant<value_float = 3.0>()
    c = Constant<value_ints = [2]>()  s = Constant<value_strings = ["p", "q"]>()
    d = Add(x, a)  e = Mul(d, b)  z = Reshape(e, c)  t = Identity(s) })");
  const ir::Graph& graph = model.graph;
  EXPECT_EQ(graph.order.size(), 4u);
  EXPECT_EQ(ir::AsDoubles(*ValueNamed(graph, "a").constant), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(ValueNamed(graph, "b").constant->dims, (std::vector<std::int64_t>{}));
  EXPECT_EQ(ir::AsInt64s(*ValueNamed(graph, "c").constant), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(ValueNamed(graph, "s").constant->strings, (std::vector<std::string>{"p", "q"}));
}

TEST(Read, KeepsOptionalInputsAndOutputsLeftOut) {
  const ir::Model model = ModelFromText(R"(g (float[4] x, float hi) => (float[4] z) {
    y = Clip(x, "", hi)  z, "" = Dropout(y) })");
  const ir::Node& clip = model.graph.node(model.graph.order[0]);
  ASSERT_EQ(clip.inputs.size(), 3u);
  EXPECT_FALSE(clip.inputs[1].valid());
  EXPECT_TRUE(clip.inputs[2].valid());
  EXPECT_FALSE(model.graph.node(model.graph.order[1]).outputs[1].valid());
}

TEST(Read, InitializersThatAreInputsMayBeOverriddenFromIrVersion4On) {
  ::onnx::ModelProto proto = ProtoFromText(
      "<ir_version: 4, opset_import: [\"\": 9]> g (float[2] x, float[2] w) => (float[2] z)"
      "{ z = Add(x, w) }");
  auto* w = proto.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(1);
  w->add_dims(2);
  w->add_float_data(1);
  w->add_float_data(2);
  auto overridable = ReadProto(proto);
  ASSERT_TRUE(overridable.ok()) << overridable.error().ToString();
  EXPECT_EQ(overridable->graph.inputs.size(), 2u);
  EXPECT_TRUE(ValueNamed(overridable->graph, "w").overridable);

  proto.set_ir_version(3);
  auto plain = ReadProto(proto);
  ASSERT_TRUE(plain.ok()) << plain.error().ToString();
  EXPECT_EQ(plain->graph.inputs.size(), 1u);
  EXPECT_FALSE(ValueNamed(plain->graph, "w").overridable);
  EXPECT_EQ(plain->ir_version, 4);
}

TEST(Read, CapturesPassThroughEveryLevel) {
  const ir::Model model = ModelFromText(R"(g (bool c, float[2] x) => (float[2] z) {
    y = Abs(x)
    z = If (c) <then_branch = t () => (float[2] o) {
        o = If (c) <then_branch = tt () => (float[2] p) { p = Neg(y) },
                    else_branch = te () => (float[2] p) { p = Exp(y) }> },
      else_branch = e () => (float[2] o) { o = Identity(x) }> })");
  const ir::Graph& graph = model.graph;
  const ir::Node& outer_if = graph.node(graph.order[1]);
  const ir::Graph& then_branch = *std::get<ir::GraphAttribute>(outer_if.attributes[0].value);
  ASSERT_EQ(then_branch.captures.size(), 2u);  // c and, for the inner branches, y
  const ir::Node& inner_if = then_branch.node(then_branch.order[0]);
  const ir::Graph& inner = *std::get<ir::GraphAttribute>(inner_if.attributes[0].value);
  ASSERT_EQ(inner.captures.size(), 1u);
  EXPECT_EQ(then_branch.value(inner.captures[0].outer).name, "y");
  EXPECT_EQ(graph.Reads(graph.order[1]).size(), 3u);
}

TEST(Read, RenamesWhatHidesAnOuterName) {
  const ir::Model model = ModelFromText(R"(g (bool c, float[2] x) => (float[2] z) {
    y = Abs(x)
    z = If (c) <then_branch = t () => (float[2] o) { y = Neg(x)  o = Exp(y) },
                else_branch = e () => (float[2] o) { o = Exp(y) }> })");
  const ir::Node& node = model.graph.node(model.graph.order[1]);
  const ir::Graph& then_branch = *std::get<ir::GraphAttribute>(node.attributes[0].value);
  EXPECT_EQ(then_branch.captures.size(), 1u);
  EXPECT_FALSE(then_branch.FindValue("y").has_value());
  EXPECT_TRUE(then_branch.FindValue("y_1").has_value());
}

TEST(Read, OutputsThatAreConstantsOrCapturedGetBytesOfTheirOwn) {
  const ir::Model model = ModelFromText(R"(g (bool c, float[2] x) => (float[2] w, float[2] z)
    <float[2] w = {1, 2}> {
    z = If (c) <then_branch = t () => (float[2] x) { },
                else_branch = e () => (float[2] o) { o = Exp(x) }> })");
  const ir::Graph& graph = model.graph;
  EXPECT_EQ(graph.value(graph.outputs[0]).name, "w");
  EXPECT_TRUE(graph.value(graph.outputs[0]).producer.valid());
  bool found = false;
  for (const ir::NodeId id : graph.order) {
    ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph& subgraph) {
      if (subgraph.name != "t") return;
      found = true;
      ASSERT_EQ(subgraph.order.size(), 1u);
      EXPECT_TRUE(subgraph.node(subgraph.order[0]).Is("Identity"));
    });
  }
  EXPECT_TRUE(found);
}

TEST(Read, FreshNamesMeetNoNameOfAnySubgraph) {
  ir::Model model = ModelFromText(R"(g (bool c, float[2] x) => (float[2] z) {
    z = If (c) <then_branch = t () => (float[2] inside) { inside = Neg(x) },
                else_branch = e () => (float[2] o) { o = Exp(x) }> })");
  EXPECT_EQ(model.graph.FreshName("inside"), "inside_1");
  EXPECT_EQ(model.graph.FreshName("new"), "new");
}

TEST(Read, InlinesLocalFunctions) {
  const ir::Model model = ModelFromText(R"(
    <ir_version: 10, opset_import: ["": 21, "local": 1]>
    g (float[2] x) => (float[2] z) { a = local.Twice(x)  z = local.Twice(a) }
    <domain: "local", opset_import: ["": 21]> Twice (p) => (q) { q = Add(p, p) })");
  ASSERT_EQ(model.graph.order.size(), 2u);
  EXPECT_TRUE(model.graph.node(model.graph.order[0]).Is("Add"));
}

TEST(Read, KeepsUnknownDomainsAndAllKindsOfAttributes) {
  const ir::Model model = ModelFromText(R"(
    <ir_version: 10, opset_import: ["": 21, "com.example": 3]>
    g (float[2] x) => (float[2] z) {
      z = com.example.Thing <i = 1, f = 2.5, s = "text", is = [1, 2], fs = [0.5], ss = ["a"],
                             t = float[1] {7}, ty : type_proto = float[N]> (x) })");
  const ir::Node& node = model.graph.node(model.graph.order[0]);
  EXPECT_EQ(node.domain, "com.example");
  EXPECT_EQ(node.IntOr("i", 0), 1);
  EXPECT_EQ(node.FloatOr("f", 0), 2.5F);
  EXPECT_EQ(node.StringOr("s", ""), "text");
  EXPECT_EQ(*node.Ints("is"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(std::holds_alternative<ir::OpaqueAttribute>(node.Find("ty")->value));
  EXPECT_EQ(model.opsets.at("com.example"), 3);
}

TEST(Read, AFileThatIsMissingOrAFolderIsAnInputError) {
  EXPECT_EQ(ReadModelFile("/nonexistent/m.onnx").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(ReadModelFile("/").error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opass::onnxlib
