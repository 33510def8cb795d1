#include "opass/onnx/tensor_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "onnx/onnx_pb.h"
#include "opass/onnx/tensors.h"

namespace opass::onnxlib {
namespace {

TEST(TensorFileTest, ReadsATensor) {
  const std::string path = testing::TempDir() + "/opass_tensor.pb";
  const auto tensor = ir::Tensor::FromInt64s({2}, {3, -4});
  std::ofstream(path) << TensorToProto(*tensor).SerializeAsString();
  const auto read = ReadTensorFile(path);
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_TRUE(ir::SameContent(**read, *tensor));
}

TEST(TensorFileTest, RefusesOtherFiles) {
  const std::string path = testing::TempDir() + "/opass_no_tensor.pb";
  std::ofstream(path) << "this is text";
  const auto read = ReadTensorFile(path);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(read.error().where, path);
  EXPECT_FALSE(ReadTensorFile("/nowhere/x.pb").ok());
}

}  // namespace
}  // namespace opass::onnxlib
