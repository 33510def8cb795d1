#include "opass/ort/library.h"

#include <gtest/gtest.h>

#include <fstream>

#include "opass/ort/session.h"
#include "opass/ort/test_skip.h"

namespace opass::ort {
namespace {

TEST(LibraryTest, AMissingFileIsAnEnvironmentErrorThatSaysWhatToDo) {
  const auto library = LoadLibrary("/nowhere/libonnxruntime.so");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::kEnvironment);
  EXPECT_NE(library.error().ToString().find("OPASS_ORT_LIBRARY"), std::string::npos);
}

TEST(LibraryTest, AFileThatIsNoLibraryIsAnEnvironmentError) {
  const std::string path = testing::TempDir() + "/opass_not_a_library.so";
  std::ofstream(path) << "text";
  const auto library = LoadLibrary(path);
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::kEnvironment);
  EXPECT_NE(library.error().message.find("cannot load"), std::string::npos);
}

TEST(LibraryTest, AnotherLibraryIsAnEnvironmentError) {
  const auto library = LoadLibrary("/lib/x86_64-linux-gnu/libm.so.6");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::kEnvironment);
}

TEST(LibraryTest, EveryEntryOfTheTableIsThere) {
  OPASS_SKIP_WITHOUT_ORT();
  const Api& api = LoadedApi();
#define OPASS_ORT_EXPECT(name, position, type, arguments) EXPECT_NE(api.name, nullptr) << #name;
  OPASS_ORT_ENTRIES(OPASS_ORT_EXPECT)
#undef OPASS_ORT_EXPECT
  EXPECT_TRUE((*Library::Get())->version().starts_with("1."));
}

TEST(LibraryTest, AStatusGoesThereAndBack) {
  OPASS_SKIP_WITHOUT_ORT();
  const Answer answer = TakeAnswer(LoadedApi().CreateStatus(9, "no kernel"));
  EXPECT_EQ(answer.code, 9);
  EXPECT_EQ(answer.message, "no kernel");
  EXPECT_TRUE(TakeAnswer(nullptr).ok());
  const Status status = ToStatus(LoadedApi().CreateStatus(9, "no kernel"));
  EXPECT_EQ(status.error().reason, "missing-kernel");
}

TEST(LibraryTest, GarbageIsRefusedQuietly) {
  OPASS_SKIP_WITHOUT_ORT();
  testing::internal::CaptureStderr();
  auto environment = Environment::Get(1);
  ASSERT_TRUE(environment.ok());
  const auto session = Session::Create(*environment, "not a model", 1);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kNotPossible);
  EXPECT_EQ(session.error().reason, "runtime-refused");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace opass::ort
