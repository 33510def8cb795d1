#include "opass/ort/allocator.h"

#include <gtest/gtest.h>

#include <vector>

namespace opass::ort {
namespace {

TEST(ScratchLayoutTest, FillsTheFirstGapThatIsLargeEnough) {
  ScratchLayout layout;
  EXPECT_EQ(layout.Allocate(100), 0);  // 128 bytes
  EXPECT_EQ(layout.Allocate(64), 128);
  EXPECT_EQ(layout.Allocate(1), 192);
  layout.Free(0);
  EXPECT_EQ(layout.Allocate(129), 256);  // the gap of 128 is too small
  EXPECT_EQ(layout.Allocate(0), 0);      // an empty block has a place of its own
  EXPECT_EQ(layout.Allocate(64), 64);
  EXPECT_EQ(layout.extent_bytes(), 448);
}

class AllocatorTest : public testing::Test {
 protected:
  void* Alloc(std::size_t size) { return allocator_.get()->Alloc(allocator_.get(), size); }
  void Free(void* pointer) { allocator_.get()->Free(allocator_.get(), pointer); }

  CountingAllocator allocator_{nullptr};
  alignas(64) std::byte region_[256];
};

TEST_F(AllocatorTest, ARegionThatIsAlignedToLessServesFromItsFirstAlignedByte) {
  allocator_.BeginStep(std::span(region_).subspan(16));
  void* served = Alloc(64);
  void* next = Alloc(128);
  EXPECT_EQ(served, region_ + 64);
  EXPECT_EQ(next, region_ + 128);
  void* outside = Alloc(1);
  Free(served);
  Free(next);
  Free(outside);
  EXPECT_EQ(allocator_.EndStep().misses, 1);
}

TEST_F(AllocatorTest, CountsWhatAStepNeeds) {
  void* before = Alloc(1000);
  allocator_.BeginStep({});
  void* a = Alloc(100);
  void* b = Alloc(64);
  Free(a);
  Free(b);
  Free(before);
  const StepUse use = allocator_.EndStep();
  EXPECT_EQ(use.scratch_bytes, 192);
  EXPECT_EQ(use.outside_bytes, 164);
  EXPECT_EQ(use.allocations, 2);
  EXPECT_EQ(use.misses, 2);
  EXPECT_EQ(use.retained_bytes, 0);
  EXPECT_EQ(allocator_.in_use_bytes(), 0);
}

TEST_F(AllocatorTest, TheMeasuredRegionServesTheSameRequests) {
  for (const std::size_t region : {std::size_t{0}, std::size_t{256}}) {
    allocator_.BeginStep(std::span(region_, region));
    void* a = Alloc(100);
    void* b = Alloc(100);
    EXPECT_EQ(a == region_, region > 0);
    Free(a);
    void* c = Alloc(60);
    Free(b);
    Free(c);
    const StepUse use = allocator_.EndStep();
    EXPECT_EQ(use.scratch_bytes, 256);
    EXPECT_EQ(use.misses, region > 0 ? 0 : 3);
    EXPECT_FALSE(use.region_in_use);
  }
}

TEST_F(AllocatorTest, WhatDoesNotFitComesFromOutside) {
  allocator_.BeginStep(region_);
  void* a = Alloc(200);
  void* b = Alloc(200);
  Free(a);
  Free(b);
  const StepUse use = allocator_.EndStep();
  EXPECT_EQ(use.misses, 1);
  EXPECT_EQ(use.outside_bytes, 200);
  EXPECT_EQ(use.scratch_bytes, 512);
}

TEST_F(AllocatorTest, SeesBlocksThatOutliveTheStep) {
  allocator_.BeginStep(region_);
  void* kept = Alloc(10);
  const StepUse use = allocator_.EndStep();
  EXPECT_EQ(use.retained_bytes, 10);
  EXPECT_TRUE(use.region_in_use);
  Free(kept);
}

TEST_F(AllocatorTest, EveryAddressIsAligned) {
  std::vector<void*> blocks;
  for (std::size_t size = 0; size < 200; size += 7) blocks.push_back(Alloc(size));
  for (void* block : blocks) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0U);
    Free(block);
  }
}

TEST_F(AllocatorTest, ImpossibleSizesGetNull) { EXPECT_EQ(Alloc(std::size_t{1} << 60), nullptr); }

}  // namespace
}  // namespace opass::ort
