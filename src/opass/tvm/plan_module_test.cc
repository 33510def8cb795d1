#include "opass/tvm/plan_module.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "opass/tvm/difference.h"

namespace opass::tvm {
namespace {

constexpr std::uint64_t kBase = 4096;

// Two values of 128 and 60 bytes at 0 and 128 in an arena of 192.
PlannedModule TwoValues() {
  PlannedModule planned;
  planned.plan.arena_bytes = 192;
  const std::pair<const char*, std::int64_t> sizes[] = {{"a", 128}, {"b", 60}};
  std::int64_t offset = 0;
  for (const auto& [name, bytes] : sizes) {
    memory::Value value;
    value.name = name;
    value.size_bytes = bytes;
    memory::Buffer buffer;
    buffer.value = memory::ValueId(planned.problem.values.size());
    buffer.offset_bytes = offset;
    offset += bytes;
    planned.problem.values.push_back(value);
    planned.plan.buffers.push_back(buffer);
  }
  return planned;
}

std::vector<Write> Writes(std::uint64_t a, std::uint64_t b) {
  return {{memory::ValueId(0), a}, {memory::ValueId(1), b}};
}

TEST(CheckWritesTest, AcceptsValuesAtTheirOffsets) {
  EXPECT_TRUE(CheckWrites(TwoValues(), Writes(kBase, kBase + 128)).ok());
}

TEST(CheckWritesTest, RefusesAValueElsewhere) {
  const Status status = CheckWrites(TwoValues(), Writes(kBase, kBase + 192));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kRefused);
  EXPECT_EQ(status.error().where, "b");
}

TEST(CheckWritesTest, RefusesAValueThatNobodyWrote) {
  const Status status = CheckWrites(TwoValues(), {{memory::ValueId(1), kBase + 128}});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().where, "a");
}

TEST(CheckWritesTest, RefusesAnArenaLargerThanWhatIsUsed) {
  PlannedModule planned = TwoValues();
  planned.plan.arena_bytes = 256;
  const Status status = CheckWrites(planned, Writes(kBase, kBase + 128));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("span 192 bytes of an arena of 256"), std::string::npos);
}

Tensor Floats(std::vector<float> values) {
  Tensor tensor{"float32", {static_cast<std::int64_t>(values.size())}, {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  tensor.bytes.assign(bytes, bytes + values.size() * sizeof(float));
  return tensor;
}

TEST(CompareTest, TellsBitsAndTheLargestDifference) {
  const auto same = Compare({Floats({1, 2})}, {Floats({1, 2})});
  ASSERT_TRUE(same.ok());
  EXPECT_TRUE(same->is_bit_equal);
  const auto other = Compare({Floats({1, 2})}, {Floats({1.5F, 1})});
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->is_bit_equal);
  EXPECT_EQ(other->max_absolute, 1);
}

TEST(CompareTest, RefusesOtherShapes) {
  EXPECT_FALSE(Compare({Floats({1, 2})}, {Floats({1})}).ok());
  EXPECT_FALSE(Compare({Floats({1, 2})}, {}).ok());
}

}  // namespace
}  // namespace opass::tvm
