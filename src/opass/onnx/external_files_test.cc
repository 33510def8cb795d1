#include "opass/onnx/external_files.h"

#include <filesystem>
#include <fstream>

#include "opass/onnx/test_models.h"

namespace opass::onnxlib {
namespace {

namespace fs = std::filesystem;

class ExternalFilesTest : public testing::Test {
 protected:
  ExternalFilesTest() : root_(fs::path(testing::TempDir()) / "opass_external_test") {
    fs::remove_all(root_);
    fs::create_directories(root_ / "model" / "sub");
    std::ofstream(root_ / "model" / "w.data") << "0123456789abcdef";
    std::ofstream(root_ / "model" / "sub" / "w.data") << "0123";
    std::ofstream(root_ / "secret") << "0123456789abcdef";
    fs::create_symlink(root_ / "secret", root_ / "model" / "link");
    fs::create_symlink("w.data", root_ / "model" / "inner_link");
    fs::create_directory_symlink(root_, root_ / "model" / "up");
  }
  ~ExternalFilesTest() override { fs::remove_all(root_); }
  std::string folder() const { return (root_ / "model").string(); }

  // A model whose weight of two floats stands at `location` in the way the entries say.
  Result<ir::Model> Read(const std::vector<std::pair<std::string, std::string>>& entries) const {
    ::onnx::ModelProto proto = ProtoFromText("g (float[2] x) => (float[2] z) { z = Add(x, w) }");
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name("w");
    tensor->set_data_type(1);
    tensor->add_dims(2);
    tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : entries) {
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    return ReadModelBytes(proto.SerializeAsString(), "m.onnx", folder());
  }

  fs::path root_;
};

TEST_F(ExternalFilesTest, MapsEachFileOnce) {
  ExternalFiles files(folder());
  const auto first = files.Open("w.data", "t");
  ASSERT_TRUE(first.ok()) << first.error().ToString();
  EXPECT_EQ((*first)->bytes().size(), 16u);
  EXPECT_EQ(*files.Open("w.data", "t"), *first);
  EXPECT_TRUE(files.Open("sub/w.data", "t").ok());
  EXPECT_TRUE(files.Open("inner_link", "t").ok());
}

TEST_F(ExternalFilesTest, NoLocationLeavesTheFolder) {
  ExternalFiles files(folder());
  for (const std::string& location :
       {std::string("../secret"), std::string("sub/../../secret"), (root_ / "secret").string(),
        std::string("link"), std::string("up/secret"), std::string(""), std::string("."),
        std::string("missing"), std::string("sub"), std::string("w.data\0x", 8)}) {
    const auto file = files.Open(location, "tensor 'w'");
    ASSERT_FALSE(file.ok()) << location;
    EXPECT_EQ(file.error().reason, "external-data");
    EXPECT_EQ(file.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(file.error().where, "tensor 'w'");
  }
  EXPECT_EQ(ExternalFiles("").Open("w.data", "t").error().reason, "external-data");
}

TEST_F(ExternalFilesTest, ReadsOffsetAndLength) {
  const auto model = Read({{"location", "w.data"}, {"offset", "8"}, {"length", "8"}});
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  const ir::TensorPtr w = ValueNamed(model->graph, "w").constant;
  EXPECT_EQ(static_cast<char>(w->bytes[0]), '8');
  EXPECT_EQ(w->external->offset, 8);
  EXPECT_TRUE(Read({{"location", "w.data"}}).ok());
}

TEST_F(ExternalFilesTest, RefusesOffsetsAndLengthsThatCannotBe) {
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "9"}}).error().reason, "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "17"}}).error().reason, "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "-1"}}).error().reason, "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "1x"}}).error().reason, "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "9223372036854775807"}}).error().reason,
            "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"offset", "99999999999999999999"}}).error().reason,
            "external-data");
  EXPECT_EQ(Read({{"location", "w.data"}, {"length", "4"}}).error().reason, "bad-tensor");
  EXPECT_EQ(Read({}).error().reason, "external-data");
}

}  // namespace
}  // namespace opass::onnxlib
