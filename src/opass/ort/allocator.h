#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>

#include "opass/ort/abi.h"
#include "opass/ort/scratch.h"

namespace opass::ort {

// What one step (one Run of one node) asked of the allocator.
struct StepUse {
  std::int64_t scratch_bytes = 0;   // region that would serve all of it (ScratchLayout's extent)
  std::int64_t retained_bytes = 0;  // still in use at the end of the step: outputs made by ORT
  std::int64_t outside_bytes = 0;   // high-water mark of what the region did not serve
  std::int64_t allocations = 0;
  std::int64_t misses = 0;     // allocations that the region did not serve
  bool region_in_use = false;  // a block in the region outlived the step: a bug to report
};

// The memory of every session of an Environment: 64-byte aligned, thread-safe, counted. Between
// BeginStep and EndStep blocks come from the given region where they fit, else from malloc.
class CountingAllocator {
 public:
  // `info` belongs to the caller and must outlive the allocator.
  explicit CountingAllocator(const OrtMemoryInfo* info);
  CountingAllocator(const CountingAllocator&) = delete;
  CountingAllocator& operator=(const CountingAllocator&) = delete;

  OrtAllocator* get() { return &interface_.table; }

  // `region` may be empty (only measure). Bytes before its first multiple of 64 (a plan may be
  // aligned to less) serve nothing.
  void BeginStep(std::span<std::byte> region);
  StepUse EndStep();
  std::int64_t in_use_bytes() const;

 private:
  struct Block {
    std::int64_t size_bytes;
    std::int64_t layout_offset;  // -1: made outside of a step
    bool in_region;
    std::uint64_t step;
  };
  // What the C interface calls; the table stands first, so that its address leads back here.
  struct Interface {
    OrtAllocator table;
    CountingAllocator* self;
    const OrtMemoryInfo* info;
  };

  void* Allocate(std::size_t size_bytes, bool count_in_step);
  void Free(void* pointer);

  Interface interface_;
  mutable std::mutex mutex_;
  std::unordered_map<void*, Block> blocks_;
  std::int64_t in_use_bytes_ = 0;
  bool in_step_ = false;
  std::uint64_t step_ = 0;
  std::span<std::byte> region_;
  ScratchLayout layout_;
  std::int64_t step_in_use_bytes_ = 0;
  std::int64_t outside_in_use_bytes_ = 0;
  StepUse use_;
};

}  // namespace opass::ort
