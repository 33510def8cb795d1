#include "opass/onnx/write.h"

#include <filesystem>
#include <fstream>

#include "opass/onnx/test_models.h"
#include "opass/support/file.h"

namespace opass::onnxlib {
namespace {

namespace fs = std::filesystem;

class WriteTest : public testing::Test {
 protected:
  WriteTest() : folder_(fs::path(testing::TempDir()) / "opass_write_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "other");
  }
  ~WriteTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // z = x + w + small, w of 4 KiB and small of 4 bytes.
  static ir::Model TwoWeights() {
    ir::Model model = ModelFromText(R"(g (float[1024] x) => (float[1024] z) <float[1] s = {3}> {
      a = Add(x, s)  z = Add(a, x) })");
    std::vector<float> numbers(1024);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    const ir::ValueId w = model.graph.AddConstant("w", ir::Tensor::FromFloats({1024}, numbers));
    model.graph.node(model.graph.order[1]).inputs[1] = w;
    return model;
  }

  Result<ir::Model> WriteAndRead(const ir::Model& model, const std::string& name,
                                 ExternalPolicy policy) {
    OPASS_RETURN_IF_ERROR(WriteModelFile(model, Path(name), {policy}, &warnings_));
    return ReadModelFile(Path(name));
  }

  // The model with w in an external file "in.onnx.data".
  ir::Model External() {
    auto model = WriteAndRead(TwoWeights(), "in.onnx", ExternalPolicy::kCopy);
    EXPECT_TRUE(model.ok()) << model.error().ToString();
    return *model;
  }

  std::vector<std::string> warnings_;
  fs::path folder_;
};

TEST_F(WriteTest, RoundTripKeepsEverything) {
  ir::Model model = ModelFromText(R"(
    <ir_version: 10, opset_import: ["": 21, "com.example": 2], producer_name: "p",
     producer_version: "v", domain: "d", model_version: 7, doc_string: "doc",
     metadata_props: ["key": "value"]>
    g (bool c, float[2, N] x, seq(float[2]) q) => (float[2, N] z)
      <float[2, 1] w = {1, 2}, string[2] s = {"a", "b"}> {
    [a] a = Add(x, w)
    [e] u, "" = com.example.Thing <sub = t () => (float[2, N] o) { o = Neg(a) }> (a, "", s, q)
    [i] z = If (c) <then_branch = t () => (float[2, N] o) { o = Neg(u) },
                    else_branch = e () => (float[2, N] o) <float[1] k = {4}> { o = Mul(a, k) }> })");
  model.graph.doc_string = "graph doc";
  model.graph.metadata = {{"graph", "note"}};
  model.graph.node(model.graph.order[0]).doc_string = "node doc";
  model.graph.node(model.graph.order[0]).metadata = {{"n", "1"}};
  for (const char* name : {"x", "a", "w", "z"}) {
    ir::Value& value = model.graph.value(*model.graph.FindValue(name));
    value.doc_string = std::string("about ") + name;
    value.metadata = {{"of", name}};
  }
  ::onnx::TensorAnnotation annotation;
  annotation.set_tensor_name("a");
  model.graph.quantization_annotations = {annotation.SerializeAsString()};

  const auto bytes = SerializeModel(model);
  ASSERT_TRUE(bytes.ok());
  const auto again = ReadModelBytes(*bytes, "again", "");
  ASSERT_TRUE(again.ok()) << again.error().ToString();
  EXPECT_EQ(*SerializeModel(*again), *bytes);
  EXPECT_EQ(again->doc_string, "doc");
  EXPECT_EQ(again->model_version, 7);
  EXPECT_EQ(again->metadata, model.metadata);
  EXPECT_EQ(again->graph.doc_string, "graph doc");
  EXPECT_EQ(again->graph.metadata, model.graph.metadata);
  EXPECT_EQ(again->graph.quantization_annotations, model.graph.quantization_annotations);
  EXPECT_EQ(again->graph.node(again->graph.order[0]).doc_string, "node doc");
  for (const char* name : {"x", "a", "w", "z"}) {
    EXPECT_EQ(ValueNamed(again->graph, name).doc_string, std::string("about ") + name);
    EXPECT_EQ(ValueNamed(again->graph, name).metadata.size(), 1u);
  }
  EXPECT_EQ(ValueNamed(again->graph, "q").type.kind, ir::Type::Kind::kOther);
  EXPECT_EQ(ValueNamed(again->graph, "s").constant->strings.size(), 2u);
}

TEST_F(WriteTest, NodesStandInGraphOrder) {
  ir::Model model = ModelFromText(
      "g (float[2] x) => (float[2] z) {"
      "[a] a = Neg(x) [b] b = Abs(x) [c] z = Add(a, b) }");
  std::swap(model.graph.order[0], model.graph.order[1]);
  ::onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(*SerializeModel(model)));
  EXPECT_EQ(proto.graph().node(0).name(), "b");
  EXPECT_EQ(proto.graph().node(1).name(), "a");
}

TEST_F(WriteTest, LeavesOutConstantsThatNothingReads) {
  ir::Model model = TwoWeights();
  model.graph.AddConstant("unused", ir::Tensor::FromFloats({1}, {0}));
  ::onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(*SerializeModel(model)));
  EXPECT_EQ(proto.graph().initializer_size(), 2);
}

TEST_F(WriteTest, CopyPutsLargeWeightsInOneFileBeside) {
  const auto model = WriteAndRead(TwoWeights(), "m.onnx", ExternalPolicy::kCopy);
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  const ir::TensorPtr w = ValueNamed(model->graph, "w").constant;
  ASSERT_TRUE(w->external.has_value());
  EXPECT_EQ(w->external->location, "m.onnx.data");
  EXPECT_FALSE(ValueNamed(model->graph, "s").constant->external.has_value());
  EXPECT_TRUE(ir::SameContent(*w, *ValueNamed(TwoWeights().graph, "w").constant));
  EXPECT_EQ(fs::file_size(Path("m.onnx.data")), 4096u);
}

TEST_F(WriteTest, CopyAlignsAndWritesASharedTensorOnce) {
  ir::Model model = TwoWeights();
  const ir::TensorPtr w = ValueNamed(model.graph, "w").constant;
  const ir::ValueId odd = model.graph.AddConstant(
      "odd", ir::Tensor::Make(ir::DataType::kUint8, {1025}, std::string(1025, 'o')));
  const ir::ValueId same = model.graph.AddConstant("same", w);
  model.graph.outputs.push_back(odd);
  model.graph.outputs.push_back(same);
  const auto last = model.graph.AddConstant(
      "last", ir::Tensor::Make(ir::DataType::kUint8, {1024}, std::string(1024, 'l')));
  model.graph.outputs.push_back(last);
  ASSERT_TRUE(WriteModelFile(model, Path("m.onnx"), {ExternalPolicy::kCopy}, nullptr).ok());
  // w at 0, odd at 4096, last at 4096 + 1025 rounded up to 64
  EXPECT_EQ(fs::file_size(Path("m.onnx.data")), 5184u + 1024u);
}

TEST_F(WriteTest, KeepRefersToTheSameFile) {
  const auto model = WriteAndRead(External(), "out.onnx", ExternalPolicy::kKeep);
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  EXPECT_EQ(ValueNamed(model->graph, "w").constant->external->location, "in.onnx.data");
  EXPECT_FALSE(fs::exists(Path("out.onnx.data")));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(WriteTest, KeepInAnotherFolderCopiesAndSaysSo) {
  const auto model = WriteAndRead(External(), "other/out.onnx", ExternalPolicy::kKeep);
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  EXPECT_EQ(ValueNamed(model->graph, "w").constant->external->location, "out.onnx.data");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("another folder"), std::string::npos);
}

TEST_F(WriteTest, EmbedTakesEverythingIn) {
  const auto model = WriteAndRead(External(), "out.onnx", ExternalPolicy::kEmbed);
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  EXPECT_FALSE(ValueNamed(model->graph, "w").constant->external.has_value());
  EXPECT_TRUE(ir::SameContent(*ValueNamed(model->graph, "w").constant,
                              *ValueNamed(TwoWeights().graph, "w").constant));
}

// Two weights of 1.5 GB that nobody ever touches: one sparse file, mapped.
TEST_F(WriteTest, MoreThanTwoGigabytesAreKeptButNotEmbedded) {
  constexpr std::int64_t kSize = 1'500'000'000;
  std::ofstream(Path("big.data")).close();
  fs::resize_file(Path("big.data"), 2 * kSize);
  ::onnx::ModelProto proto =
      ProtoFromText("g (uint8[1] x) => (uint8[1500000000] z) { a = Add(x, v) z = Add(a, w) }");
  std::int64_t offset = 0;
  for (const char* name : {"v", "w"}) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(::onnx::TensorProto::UINT8);
    tensor->add_dims(kSize);
    tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"location", "big.data"}, {"offset", std::to_string(offset)}}) {
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    offset += kSize;
  }
  const auto model = ReadModelBytes(proto.SerializeAsString(), "big", folder_.string());
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  const auto kept = WriteAndRead(*model, "kept.onnx", ExternalPolicy::kKeep);
  ASSERT_TRUE(kept.ok()) << kept.error().ToString();
  EXPECT_EQ(ValueNamed(kept->graph, "w").constant->external->offset, kSize);
  const Status embedded =
      WriteModelFile(*model, Path("embedded.onnx"), {ExternalPolicy::kEmbed}, nullptr);
  ASSERT_FALSE(embedded.ok());
  EXPECT_EQ(embedded.error().reason, "too-large");
  EXPECT_FALSE(fs::exists(Path("embedded.onnx")));
  EXPECT_EQ(SerializeModel(*model).error().reason, "too-large");
}

}  // namespace
}  // namespace opass::onnxlib
