// Files that lie. Each must give one error of a known reason, never a crash.
#include "opass/onnx/test_models.h"
#include "opass/onnx/write.h"

namespace opass::onnxlib {
namespace {

constexpr const char* kSmall = R"(
  <ir_version: 10, opset_import: ["": 21]>
  g (bool c, float[2, N] x) => (float[2, N] z) <float[2, 1] w = {1, 2}> {
    [a] a = Add(x, w)
    [i] z = If (c) <then_branch = t () => (float[2, N] o) { o = Neg(a) },
                    else_branch = e () => (float[2, N] o) { o = Exp(a) }> })";

void ExpectRefused(const ::onnx::ModelProto& proto, const std::string& reason,
                   const std::string& part) {
  const auto model = ReadProto(proto);
  ASSERT_FALSE(model.ok()) << "expected " << reason;
  EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(model.error().reason, reason) << model.error().ToString();
  EXPECT_NE(model.error().ToString().find(part), std::string::npos) << model.error().ToString();
  EXPECT_EQ(model.error().where.rfind("m.onnx", 0), 0u) << model.error().where;
}

TEST(Hostile, TruncationNeverCrashes) {
  const std::string bytes = ProtoFromText(kSmall).SerializeAsString();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto model = ReadModelBytes(bytes.substr(0, size), "cut", "");
    if (model.ok()) {
      EXPECT_TRUE(ir::Verify(model->graph).ok());
    } else {
      EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
    }
  }
}

TEST(Hostile, AnyByteMayBeWrong) {
  const std::string bytes = ProtoFromText(kSmall).SerializeAsString();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int mask : {0x01, 0x40, 0x80, 0xff}) {
      std::string wrong = bytes;
      wrong[i] = static_cast<char>(wrong[i] ^ mask);
      const auto model = ReadModelBytes(wrong, "wrong", "");
      if (model.ok()) {
        EXPECT_TRUE(ir::Verify(model->graph).ok());
      } else {
        EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput) << model.error().ToString();
      }
    }
  }
}

TEST(Hostile, NotAModel) {
  EXPECT_EQ(ReadModelBytes("", "m", "").error().reason, "malformed-file");
  EXPECT_EQ(ReadModelBytes("hello, world", "m", "").error().reason, "malformed-file");
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.set_ir_version(99);
  ExpectRefused(proto, "malformed-file", "IR version 99");
  proto.set_ir_version(-1);
  ExpectRefused(proto, "malformed-file", "IR version -1");
}

TEST(Hostile, Opsets) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_opset_import(0)->set_version(999);
  ExpectRefused(proto, "unknown-opset", "operator set 999 of 'ai.onnx'");
  proto.mutable_opset_import(0)->set_version(-3);
  ExpectRefused(proto, "unknown-opset", "operator set -3");
  proto.mutable_opset_import(0)->set_version(21);
  proto.add_opset_import()->set_version(20);
  ExpectRefused(proto, "unknown-opset", "two versions");
  proto.clear_opset_import();
  ExpectRefused(proto, "unknown-opset", "no operator set");
  auto* other = proto.add_opset_import();
  other->set_domain("com.example");
  other->set_version(1);
  ExpectRefused(proto, "invalid-model", "opset");
}

TEST(Hostile, Names) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(1)->set_output(0, "a");
  ExpectRefused(proto, "duplicate-name", "value 'a'");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_output(0, "x");
  ExpectRefused(proto, "duplicate-name", "value 'x'");
  proto = ProtoFromText(kSmall);
  *proto.mutable_graph()->add_input() = proto.graph().input(0);
  ExpectRefused(proto, "duplicate-name", "input 'c'");
  proto = ProtoFromText(kSmall);
  *proto.mutable_graph()->add_initializer() = proto.graph().initializer(0);
  ExpectRefused(proto, "duplicate-name", "value 'w'");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_input(0)->clear_name();
  ExpectRefused(proto, "bad-name", "no name");
}

TEST(Hostile, NamesThatAreNoUtf8) {
  const std::string bad = "\xff";
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_input(0, bad);
  ExpectRefused(proto, "undefined-value", "'?'");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_output(0, bad);
  ExpectRefused(proto, "bad-name", "value");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_name(bad);
  ExpectRefused(proto, "bad-name", "node");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->set_name(bad);
  ExpectRefused(proto, "bad-name", "graph");
  proto = ProtoFromText(kSmall);
  auto* type = proto.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type();
  type->mutable_shape()->mutable_dim(0)->set_dim_param(bad);
  ExpectRefused(proto, "bad-name", "dimension");
}

TEST(Hostile, UndefinedValues) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_input(0, "ghost");
  ExpectRefused(proto, "undefined-value", "'ghost'");
  proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_output(0)->set_name("ghost");
  ExpectRefused(proto, "undefined-value", "'ghost'");
  proto = ProtoFromText(kSmall);
  auto* branch = proto.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  branch->mutable_node(0)->set_input(0, "ghost");
  ExpectRefused(proto, "undefined-value", "'ghost'");
}

TEST(Hostile, Cycles) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_input(0, "z");  // through the branches of the If
  ExpectRefused(proto, "cycle", "node 'a'");
  proto = ProtoFromText(kSmall);
  auto* branch = proto.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  branch->mutable_node(0)->set_input(0, "o");
  ExpectRefused(proto, "cycle", "(Neg)");
}

TEST(Hostile, Types) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  auto* type = proto.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type();
  type->set_elem_type(1234);
  ExpectRefused(proto, "unknown-element-type", "1234");
  type->set_elem_type(1);
  type->mutable_shape()->mutable_dim(0)->set_dim_value(-5);
  ExpectRefused(proto, "bad-tensor", "dimension -5");
  type->mutable_shape()->mutable_dim(0)->set_dim_value(std::int64_t{1} << 62);
  ExpectRefused(proto, "bad-tensor", "not possible");
  proto = ProtoFromText(kSmall);
  auto* w = proto.mutable_graph()->add_input();
  w->set_name("w");
  w->mutable_type()->mutable_tensor_type()->set_elem_type(7);
  ExpectRefused(proto, "type-mismatch", "input 'w'");
}

TEST(Hostile, Nodes) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  proto.mutable_graph()->mutable_node(0)->set_op_type("NoSuchOperator");
  ExpectRefused(proto, "invalid-model", "NoSuchOperator");
  proto = ProtoFromText(kSmall);
  auto* node = proto.mutable_graph()->mutable_node(1);
  *node->add_attribute() = node->attribute(0);
  ExpectRefused(proto, "bad-node", "given twice");
  proto = ProtoFromText(kSmall);
  auto* graphs = proto.mutable_graph()->mutable_node(0)->add_attribute();
  graphs->set_name("many");
  graphs->set_type(::onnx::AttributeProto::GRAPHS);
  ExpectRefused(proto, "bad-node", "many");
  graphs->set_type(::onnx::AttributeProto::INT);
  graphs->set_ref_attr_name("elsewhere");
  ExpectRefused(proto, "bad-node", "of a function");
  graphs->clear_name();
  ExpectRefused(proto, "bad-node", "no name");
  proto = ProtoFromText(kSmall);
  auto* constant = proto.mutable_graph()->add_node();
  constant->set_op_type("Constant");
  constant->add_output("k");
  ExpectRefused(proto, "bad-node", "Constant");
  constant->add_attribute()->set_name("nonsense");
  ExpectRefused(proto, "bad-node", "nonsense");
}

// An If in an If in an If...
::onnx::GraphProto Nested(int depth) {
  ::onnx::GraphProto graph;
  graph.set_name("n");
  auto* output = graph.add_output();
  output->set_name("o" + std::to_string(depth));
  auto* node = graph.add_node();
  node->add_input(depth == 0 ? "x" : "c");
  node->add_output(output->name());
  node->set_op_type(depth == 0 ? "Neg" : "If");
  for (const char* branch : {"then_branch", "else_branch"}) {
    if (depth == 0) break;
    auto* attribute = node->add_attribute();
    attribute->set_name(branch);
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = Nested(branch[0] == 't' ? depth - 1 : 0);
    if (branch[0] == 'e') attribute->mutable_g()->mutable_node(0)->set_output(0, "e");
    if (branch[0] == 'e') attribute->mutable_g()->mutable_output(0)->set_name("e");
  }
  return graph;
}

TEST(Hostile, DeepNesting) {
  for (const int depth : {5, 30, 40, 200}) {
    ::onnx::ModelProto proto = ProtoFromText("g (bool c, float[2] x) => (float[2] z) {}");
    ::onnx::GraphProto graph = Nested(depth);
    *graph.mutable_input() = proto.graph().input();
    *graph.mutable_output(0)->mutable_type() = proto.graph().output(0).type();
    *proto.mutable_graph() = graph;
    const auto model = ReadProto(proto);
    ASSERT_EQ(model.ok(), depth <= 30) << (model.ok() ? "" : model.error().ToString());
    if (depth <= 30) continue;
    EXPECT_EQ(model.error().reason, depth == 40 ? "too-deep" : "malformed-file");
  }
}

TEST(Hostile, EinsumEquationsThatInferenceWouldNotLeave) {
  const auto with = [](const std::string& equation) {
    return ProtoFromText("g (float[2, 2] x) => (z) { z = Einsum <equation = \"" + equation +
                         "\"> (x) }");
  };
  for (const char* equation : {"i?->i", "i.j->ij", "...i...->i", "....ij", "i\tj", "ij->i,j"}) {
    ExpectRefused(with(equation), "invalid-model", "Einsum");
  }
  for (const char* equation : {"ij", "i j -> j i", "...ij->...ji", "ii->i", "...j"}) {
    const auto model = ReadProto(with(equation));
    EXPECT_TRUE(model.ok()) << model.error().ToString();
  }
}

TEST(Hostile, AxesBeyondAnyRank) {
  ExpectRefused(ProtoFromText("g (float[2, 3] x, float[3] s) => (z) {"
                              "z = LayerNormalization <axis = 2147483648> (x, s) }"),
                "invalid-model", "axis");
  ExpectRefused(ProtoFromText("g (float[2, 3] x, int64[1099511627776] a, int64[2] b) => (z) {"
                              "z = Slice(x, a, b) }"),
                "invalid-model", "axes");
}

TEST(Hostile, RanksThatEveryNodeWouldCopy) {
  ::onnx::ModelProto proto = ProtoFromText(kSmall);
  auto* shape = proto.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type();
  while (shape->shape().dim_size() < 1024) shape->mutable_shape()->add_dim()->set_dim_value(1);
  EXPECT_TRUE(ReadProto(proto).ok());
  shape->mutable_shape()->add_dim()->set_dim_value(1);
  ExpectRefused(proto, "invalid-model", "1025 dimensions");
  proto = ProtoFromText(kSmall);
  auto* w = proto.mutable_graph()->mutable_initializer(0);
  while (w->dims_size() < 1025) w->add_dims(1);
  ExpectRefused(proto, "invalid-model", "1025 dimensions");
}

TEST(Hostile, FunctionsThatCallEachOther) {
  ::onnx::ModelProto proto = ProtoFromText(R"(
    <ir_version: 10, opset_import: ["": 21, "f": 1]> g (float[2] x) => (float[2] z) { z = f.A(x) }
    <domain: "f", opset_import: ["": 21, "f": 1]> A (p) => (q) { q = f.B(p) }
    <domain: "f", opset_import: ["": 21, "f": 1]> B (p) => (q) { q = f.A(p) })");
  ExpectRefused(proto, "bad-function", "local functions");
}

TEST(Hostile, FunctionsThatMultiply) {
  std::string text =
      "<ir_version: 10, opset_import: [\"\": 21, \"f\": 1]>"
      "g (float[2] x) => (float[2] z) { z = f.F0(x) }\n";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "f.F" + std::to_string(i + 1);
    text += "<domain: \"f\", opset_import: [\"\": 21, \"f\": 1]> F" + std::to_string(i) +
            " (p) => (q) { r = " + next + "(p) q = " + next + "(r) }\n";
  }
  text += "<domain: \"f\", opset_import: [\"\": 21]> F30 (p) => (q) { q = Neg(p) }";
  ExpectRefused(ProtoFromText(text), "bad-function", "multiply");
}

}  // namespace
}  // namespace opass::onnxlib
