#include "opass/runtime/arena.h"

#include <gtest/gtest.h>

namespace opass::runtime {
namespace {

TEST(ArenaTest, HasExactlyTheBytesAskedFor) {
  for (const std::int64_t size : {0, 1, 63, 64, 4095, 4096, 4097, 100'000}) {
    const auto arena = Arena::Make(size);
    ASSERT_TRUE(arena.ok());
    EXPECT_EQ(static_cast<std::int64_t>((*arena)->bytes().size()), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*arena)->bytes().data()) % 64, 0U);
    (*arena)->Poison(0, size);
    for (const std::byte byte : (*arena)->bytes()) ASSERT_EQ(byte, std::byte{0xFF});
    EXPECT_TRUE((*arena)->CanaryIsIntact());
  }
}

TEST(ArenaTest, ACanarySeesWritesBesideIt) {
  const auto arena = Arena::Make(100);
  ASSERT_TRUE(arena.ok());
  std::byte* start = (*arena)->bytes().data();
  const std::byte before = start[-1];
  start[-1] = std::byte{0};
  EXPECT_FALSE((*arena)->CanaryIsIntact());
  start[-1] = before;
  EXPECT_TRUE((*arena)->CanaryIsIntact());
  start[100] = std::byte{0};  // the 28 bytes up to the guard page
  EXPECT_FALSE((*arena)->CanaryIsIntact());
}

TEST(ArenaTest, RefusesImpossibleSizes) {
  EXPECT_EQ(Arena::Make(-1).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(Arena::Make(std::int64_t{1} << 60).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(Arena::Make(std::int64_t{1} << 45).error().reason, "no-memory");
}

using ArenaDeathTest = testing::Test;

TEST(ArenaDeathTest, GuardPagesEndAnOverrun) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto arena = Arena::Make(6400);
  ASSERT_TRUE(arena.ok());
  volatile std::byte* bytes = (*arena)->bytes().data();
  EXPECT_DEATH(bytes[6400] = std::byte{1}, "");
  EXPECT_DEATH(bytes[-3 * 4096] = std::byte{1}, "");
}

}  // namespace
}  // namespace opass::runtime
