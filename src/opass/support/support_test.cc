#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "opass/support/bytes.h"
#include "opass/support/file.h"
#include "opass/support/json.h"

namespace opass {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "opass_support_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t NumFiles() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST(Bytes, ParseAndFormat) {
  EXPECT_EQ(*ParseBytes("1000"), 1000);
  EXPECT_EQ(*ParseBytes("256KiB"), 262144);
  EXPECT_EQ(*ParseBytes("1.5 MiB"), 1572864);
  EXPECT_EQ(*ParseBytes("2k"), 2048);
  EXPECT_EQ(*ParseBytes("1kB"), 1000);
  for (const char* wrong : {"", "KiB", "12 apples", "-1", "nan", "1e30", "99999999GiB"}) {
    EXPECT_FALSE(ParseBytes(wrong).ok()) << wrong;
  }
  EXPECT_EQ(FormatBytes(8192), "8192 B");
  EXPECT_EQ(FormatBytes(1622016), "1584.0 KiB");
}

TEST(Bytes, SumsAndProductsThatLeaveTheRangeAreTold) {
  EXPECT_EQ(CheckedMul(INT64_MAX, 2), std::nullopt);
  EXPECT_EQ(CheckedAdd(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(CheckedMul(3, 4), 12);
  EXPECT_EQ(RoundUp(65, 64), 128);
}

TEST(Json, WrongDocumentsAreErrors) {
  EXPECT_FALSE(ParseJson("{", "f").ok());
  EXPECT_FALSE(ParseJson("{} x", "f").ok());
  const auto deep = ParseJson(std::string(100000, '[') + std::string(100000, ']'), "f");
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().message, "JSON nests too deeply");
  EXPECT_TRUE(ParseJson(R"(["[[[\"[[[["])", "f").ok());
}

TEST(Json, TypedAccessNamesTheKey) {
  const Json json = *ParseJson(R"({"a": 1, "b": 18446744073709551615, "c": "x"})", "f");
  EXPECT_EQ(*JsonInt(json, "a", "f"), 1);
  EXPECT_FALSE(JsonInt(json, "b", "f").ok());
  EXPECT_FALSE(JsonInt(json, "c", "f").ok());
  EXPECT_EQ(JsonInt(json, "d", "f").error().message, "key 'd' is missing");
  EXPECT_FALSE(JsonBool(json, "a", "f").ok());
  EXPECT_FALSE(JsonArray(json, "a", "f").ok());
  EXPECT_FALSE(JsonString(Json(3), "a", "f").ok());
}

TEST_F(FileTest, AFileAppearsWholeOrNotAtAll) {
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "first").ok());
  const Status failed = WriteFileAtomically(Path("a"), [](std::ostream& stream) -> Status {
    stream << "half";
    return InternalError("stop");
  });
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(*ReadFile(Path("a")), "first");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileTest, WritesGoThroughLinksAndIntoDevices) {
  ASSERT_TRUE(WriteFileAtomically(Path("real"), "1").ok());
  fs::create_symlink(Path("real"), Path("link"));
  ASSERT_TRUE(WriteFileAtomically(Path("link"), "2").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(*ReadFile(Path("real")), "2");
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "x").ok());
  const Status full = WriteFileAtomically("/dev/full", std::string(100000, 'x'));
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, ErrorCode::kEnvironment);
}

TEST_F(FileTest, WrongPathsAreErrorsOfTheRightKind) {
  EXPECT_EQ(ReadFile(Path("none")).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(ReadFile(folder_.string()).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(WriteFileAtomically(Path("no/such/folder"), "x").error().code,
            ErrorCode::kInvalidInput);
  EXPECT_EQ(WriteFileAtomically(folder_.string(), "x").error().code, ErrorCode::kInvalidInput);
  EXPECT_FALSE(MappedFile::Open(folder_.string()).ok());
  EXPECT_FALSE(MappedFile::Open(Path("none")).ok());
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(MappedFile::Open(Path("pipe")).ok());  // and nobody is waited for
}

TEST_F(FileTest, MappedFilesMayBeEmpty) {
  std::ofstream(Path("empty")).close();
  EXPECT_TRUE((*MappedFile::Open(Path("empty")))->bytes().empty());
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "abc").ok());
  EXPECT_EQ((*MappedFile::Open(Path("a")))->bytes().size(), 3u);
}

}  // namespace
}  // namespace opass
