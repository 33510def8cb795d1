#include "opass/onnx/version.h"

#include "opass/onnx/schema.h"
#include "opass/onnx/shape_inference.h"
#include "opass/onnx/test_models.h"

namespace opass::onnxlib {
namespace {

TEST(ConvertVersion, RaisesAndKeepsWeightsNamesAndNotes) {
  ir::Model model = ModelFromText(R"(
    <ir_version: 8, opset_import: ["": 9, "com.example": 1], producer_name: "p">
    g (float[1, 1024] x) => (float[1, 1024] z) {
      [m] a = Mul(x, x)  [d] b = Dropout <ratio = 0.5> (a)  [t] z = com.example.Thing(b) })");
  const ir::TensorPtr weight = ir::Tensor::FromFloats({1, 1024}, std::vector<float>(1024, 0.5F));
  model.graph.node(model.graph.order[0]).inputs[1] = model.graph.AddConstant("w", weight);
  model.graph.node(model.graph.order[0]).doc_string = "note";
  const auto raised = ConvertVersion(model, 21);
  ASSERT_TRUE(raised.ok()) << raised.error().ToString();
  EXPECT_EQ(raised->opset(), 21);
  EXPECT_EQ(raised->opsets.at("com.example"), 1);
  EXPECT_EQ(raised->producer_name, "p");
  EXPECT_EQ(ValueNamed(raised->graph, "w").constant, weight);
  EXPECT_EQ(raised->graph.inputs.size(), 1u);
  EXPECT_EQ(raised->graph.node(raised->graph.order[0]).name, "m");
  EXPECT_EQ(raised->graph.node(raised->graph.order[0]).doc_string, "note");
  // Dropout's ratio became an input.
  const ir::Node& dropout = raised->graph.node(raised->graph.order[1]);
  EXPECT_TRUE(dropout.Is("Dropout"));
  EXPECT_EQ(dropout.inputs.size(), 2u);
}

TEST(ConvertVersion, WeightsOfSubgraphsComeBackToo) {
  ir::Model model = ModelFromText(R"(<ir_version: 8, opset_import: ["": 13]>
    g (bool c, float[1, 1024] x) => (float[1, 1024] z) {
      z = If (c) <then_branch = t () => (float[1, 1024] o) { o = Mul(x, x) },
                  else_branch = e () => (float[1, 1024] o) { o = Exp(x) }> })");
  ir::Node& node = model.graph.node(model.graph.order[0]);
  ir::Graph& branch = *std::get<ir::GraphAttribute>(node.attributes[0].value);
  branch.node(branch.order[0]).inputs[1] =
      branch.AddConstant("w", ir::Tensor::FromFloats({1, 1024}, std::vector<float>(1024, 1)));
  auto raised = ConvertVersion(model, 21);
  ASSERT_TRUE(raised.ok()) << raised.error().ToString();
  EXPECT_EQ(raised->graph.inputs.size(), 2u);
  EXPECT_TRUE(InferTypes(*raised).ok());
}

TEST(ConvertVersion, OverridableInitializersStayInPlace) {
  ::onnx::ModelProto proto = ProtoFromText(
      "<ir_version: 8, opset_import: [\"\": 13]> g (float[2] w, float[2] x) => (float[2] z)"
      "{ z = Add(x, w) }");
  auto* w = proto.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(1);
  w->add_dims(2);
  w->add_float_data(1);
  w->add_float_data(2);
  const auto model = ReadProto(proto);
  ASSERT_TRUE(model.ok());
  const auto raised = ConvertVersion(*model, 21);
  ASSERT_TRUE(raised.ok()) << raised.error().ToString();
  ASSERT_EQ(raised->graph.inputs.size(), 2u);
  EXPECT_EQ(raised->graph.value(raised->graph.inputs[0]).name, "w");
  EXPECT_TRUE(raised->graph.value(raised->graph.inputs[0]).overridable);
}

TEST(ConvertVersion, RefusesWhatItCannotDo) {
  const ir::Model model = ModelFromText(
      "<ir_version: 10, opset_import: [\"\": 20]> g (float[2] x) => (float[2] z) { z = Gelu(x) }");
  const auto lowered = ConvertVersion(model, 9);
  ASSERT_FALSE(lowered.ok());
  EXPECT_EQ(lowered.error().reason, "version-conversion");
  EXPECT_EQ(lowered.error().message.find(".h:"), std::string::npos) << lowered.error().message;
  EXPECT_EQ(ConvertVersion(model, 0).error().reason, "unknown-opset");
  EXPECT_EQ(ConvertVersion(model, LatestOpset() + 1).error().reason, "unknown-opset");
}

TEST(Schema, KnowsOperatorsByVersion) {
  EXPECT_TRUE(HasSchema("", "Relu", 13));
  EXPECT_FALSE(HasSchema("", "Gelu", 19));
  EXPECT_TRUE(HasSchema("", "Gelu", 20));
  EXPECT_FALSE(HasSchema("", "Upsample", 13));  // deprecated
  EXPECT_FALSE(HasSchema("com.example", "Thing", 1));
  EXPECT_TRUE(CanInferTypes("", "Relu", 13));
  EXPECT_FALSE(CanInferTypes("com.example", "Thing", 1));
}

TEST(Schema, KnowsWhatIsRandom) {
  const ir::Model model = ModelFromText(R"(g (bool c, float[2] x) => (a, b, d, e, f)
      <bool yes = {1}, bool no = {0}> {
    a = RandomNormalLike(x)  b = Relu(x)  d = Dropout(x, "", yes)  e = Dropout(x, "", no)
    f = If (c) <then_branch = t () => (o) { o = Bernoulli(x) },
                else_branch = u () => (o) { o = Exp(x) }> })");
  std::vector<bool> deterministic;
  for (const ir::NodeId id : model.graph.order) {
    deterministic.push_back(IsDeterministic(model.graph, id));
  }
  EXPECT_EQ(deterministic, (std::vector<bool>{false, true, false, true, false}));
}

}  // namespace
}  // namespace opass::onnxlib
