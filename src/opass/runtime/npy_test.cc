#include "opass/runtime/npy.h"

#include <gtest/gtest.h>

namespace opass::runtime {
namespace {

using ir::DataType;
using ir::Tensor;

// A file of version 1 with the given header and data.
std::string File(std::string header, const std::string& data) {
  header += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}
std::string Header(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

TEST(NpyTest, WhatIsWrittenReadsBack) {
  for (const auto& dims : {std::vector<std::int64_t>{}, {5}, {2, 0}, {2, 3, 4}}) {
    for (const DataType type : {DataType::kFloat, DataType::kBool, DataType::kInt64,
                                DataType::kFloat16, DataType::kComplex64}) {
      std::string content(static_cast<std::size_t>(*ir::SizeBytes(type, dims)), '\0');
      for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i % 2);
      const auto tensor = Tensor::Make(type, dims, content);
      const auto file = FormatNpy(*tensor);
      ASSERT_TRUE(file.ok());
      EXPECT_EQ((file->size() - content.size()) % 64, 0U);
      const auto read = ParseNpy(*file, "x.npy");
      ASSERT_TRUE(read.ok()) << read.error().ToString();
      EXPECT_TRUE(ir::SameContent(**read, *tensor));
    }
  }
}

TEST(NpyTest, FortranOrderIsTransposed) {
  // Column by column: 1 4 2 5 3 6.
  const auto read = ParseNpy(File(Header("|u1", "True", "(2, 3)"), "\1\4\2\5\3\6"), "x.npy");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_TRUE(ir::SameContent(**read, *Tensor::Make(DataType::kUint8, {2, 3}, "\1\2\3\4\5\6")));
}

TEST(NpyTest, BigEndianIsReversed) {
  const auto read =
      ParseNpy(File(Header(">i2", "False", "(2,)"), std::string("\1\0\0\2", 4)), "x.npy");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*ir::AsInt64s(**read), (std::vector<std::int64_t>{256, 2}));
}

TEST(NpyTest, UnicodeBecomesUtf8) {
  const std::string data("a\0\0\0\xfc\0\0\0\0\0\0\0\x00\xf6\x01\0", 16);
  const auto read = ParseNpy(File(Header("<U2", "False", "(2,)"), data), "x.npy");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((*read)->strings[0], "a\xc3\xbc");
  const auto emoji =
      ParseNpy(File(Header("<U1", "False", "()"), std::string("\x00\xf6\x01\0", 4)), "x.npy");
  EXPECT_EQ((*emoji)->strings[0], "\xf0\x9f\x98\x80");
}

TEST(NpyTest, EveryFaultIsOneClearError) {
  const auto fault = [](const std::string& content) {
    const auto read = ParseNpy(content, "x.npy");
    EXPECT_FALSE(read.ok());
    if (read.ok()) return std::string();
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
    return read.error().ToString();
  };
  EXPECT_EQ(fault("text"), "x.npy: this is not a .npy file");
  EXPECT_NE(fault(File(Header("<f4", "False", "(2,)"), "1234567")).find("holds 7 bytes"),
            std::string::npos);
  EXPECT_NE(fault(File(Header("<f4", "False", "(99999999999, 99999999999)"), "")).find("too many"),
            std::string::npos);
  EXPECT_NE(fault(File(Header("<f4", "False", "(-2,)"), "")).find("header cannot be read"),
            std::string::npos);
  EXPECT_NE(fault(File(Header("|O", "False", "(2,)"), "")).find("type '|O'"), std::string::npos);
  EXPECT_NE(fault(File("{}", "")).find("header cannot be read"), std::string::npos);
  EXPECT_NE(fault(std::string("\x93NUMPY\1\0\xff\xff{}", 12)).find("cut off"), std::string::npos);
  EXPECT_FALSE(FormatNpy(*Tensor::Make(DataType::kInt4, {1}, "\1")).ok());
}

}  // namespace
}  // namespace opass::runtime
