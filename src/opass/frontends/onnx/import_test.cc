#include "opass/frontends/onnx/import.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "opass/onnx/text.h"
#include "opass/onnx/write.h"

namespace opass::frontends {
namespace {

class ImportTest : public testing::Test {
 protected:
  ~ImportTest() override { std::filesystem::remove(path_); }

  Result<ir::Model> Import(std::string_view text, const ShapeBindings& bindings) {
    auto model = onnxlib::ParseText(text);
    EXPECT_TRUE(model.ok()) << model.error().ToString();
    EXPECT_TRUE(onnxlib::WriteModelFile(*model, path_, {}, nullptr).ok());
    return ImportOnnx(path_, bindings);
  }

  const std::string path_ = testing::TempDir() + "/opass_import_test.onnx";
};

constexpr const char* kModel =
    "g (float[N, 3] x) => (float[N, 6] z) { y = Concat <axis = 1> (x, x)  z = Relu(y) }";

TEST_F(ImportTest, EveryValueHasItsSize) {
  const auto model = Import(kModel, {{}, {"N=2"}});
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  EXPECT_EQ(model->graph.value(*model->graph.FindValue("y")).type.ToString(), "float32[2,6]");
  EXPECT_EQ(model->graph.value(*model->graph.FindValue("z")).type.ToString(), "float32[2,6]");
}

TEST_F(ImportTest, ErrorsNameTheFile) {
  const auto unknown = Import(kModel, {});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().reason, "unknown-dimensions");
  EXPECT_EQ(unknown.error().where, path_);
  const auto wrong = Import("g (float[2] x) => (int64[2] z) { z = Relu(x) }", {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().reason, "type-mismatch");
  EXPECT_EQ(wrong.error().where, path_ + ": value 'z'");
  EXPECT_EQ(ImportOnnx("/nonexistent.onnx", {}).error().where, "/nonexistent.onnx");
}

}  // namespace
}  // namespace opass::frontends
