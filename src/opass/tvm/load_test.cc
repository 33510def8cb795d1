#include "opass/tvm/load.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace opass::tvm {
namespace {

TEST(LoadTest, SaysHowToGetAMissingPlugin) {
  const auto session = OpenSessionAt("/nowhere/libopass_tvm.so");
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kEnvironment);
  EXPECT_NE(session.error().ToString().find("make tvm"), std::string::npos);
  EXPECT_NE(session.error().ToString().find("/nowhere/libopass_tvm.so"), std::string::npos);
}

TEST(LoadTest, RefusesAFileThatIsNoLibrary) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "no_library.so").string();
  std::ofstream(path) << "not a library";
  const auto session = OpenSessionAt(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kEnvironment);
  EXPECT_NE(session.error().message.find("cannot load"), std::string::npos);
}

}  // namespace
}  // namespace opass::tvm
