#include "opass/ort/allocator.h"

#include <algorithm>
#include <cstdlib>

#include "opass/support/bytes.h"

namespace opass::ort {
namespace {

constexpr std::size_t kAlignment = 64;

// The part of the region that starts where kernels expect their memory to.
std::span<std::byte> AlignedPart(std::span<std::byte> region) {
  const auto past = reinterpret_cast<std::uintptr_t>(region.data()) % kAlignment;
  const std::size_t skip = past == 0 ? 0 : kAlignment - past;
  return region.subspan(std::min(skip, region.size()));
}

}  // namespace

CountingAllocator::CountingAllocator(const OrtMemoryInfo* info)
    : interface_{
          {kApiVersion,
           [](OrtAllocator* self, std::size_t size) {
             return reinterpret_cast<Interface*>(self)->self->Allocate(size, true);
           },
           [](OrtAllocator* self, void* pointer) {
             reinterpret_cast<Interface*>(self)->self->Free(pointer);
           },
           [](const OrtAllocator* self) { return reinterpret_cast<const Interface*>(self)->info; },
           [](OrtAllocator* self, std::size_t size) {
             return reinterpret_cast<Interface*>(self)->self->Allocate(size, false);
           },
           nullptr, nullptr, nullptr},
          this,
          info} {}

void CountingAllocator::BeginStep(std::span<std::byte> region) {
  const std::lock_guard lock(mutex_);
  in_step_ = true;
  ++step_;
  region_ = AlignedPart(region);
  layout_.Clear();
  step_in_use_bytes_ = 0;
  outside_in_use_bytes_ = 0;
  use_ = {};
}

StepUse CountingAllocator::EndStep() {
  const std::lock_guard lock(mutex_);
  in_step_ = false;
  region_ = {};
  use_.scratch_bytes = layout_.extent_bytes();
  use_.retained_bytes = step_in_use_bytes_;
  if (step_in_use_bytes_ > 0) {
    for (const auto& [pointer, block] : blocks_) use_.region_in_use |= block.in_region;
  }
  return use_;
}

std::int64_t CountingAllocator::in_use_bytes() const {
  const std::lock_guard lock(mutex_);
  return in_use_bytes_;
}

void* CountingAllocator::Allocate(std::size_t size_bytes, bool count_in_step) {
  if (size_bytes > static_cast<std::size_t>(kMaxBytes)) return nullptr;
  const auto size = static_cast<std::int64_t>(size_bytes);
  const std::lock_guard lock(mutex_);
  const bool in_step = in_step_ && count_in_step;
  const std::int64_t offset = in_step ? layout_.Allocate(size) : -1;
  const bool in_region = in_step && offset + std::max<std::int64_t>(size, 1) <=
                                        static_cast<std::int64_t>(region_.size());
  void* pointer =
      in_region ? region_.data() + offset
                : std::aligned_alloc(kAlignment, static_cast<std::size_t>(RoundUp(
                                                     std::max<std::int64_t>(size, 1), kAlignment)));
  if (pointer == nullptr) {
    if (offset >= 0) layout_.Free(offset);
    return nullptr;
  }
  blocks_[pointer] = {size, offset, in_region, step_};
  if (!in_region) in_use_bytes_ += size;
  if (in_step) {
    ++use_.allocations;
    step_in_use_bytes_ += size;
    if (!in_region) {
      ++use_.misses;
      outside_in_use_bytes_ += size;
      use_.outside_bytes = std::max(use_.outside_bytes, outside_in_use_bytes_);
    }
  }
  return pointer;
}

void CountingAllocator::Free(void* pointer) {
  if (pointer == nullptr) return;
  const std::lock_guard lock(mutex_);
  const auto it = blocks_.find(pointer);
  if (it == blocks_.end()) return;
  const Block block = it->second;
  blocks_.erase(it);
  if (in_step_ && block.step == step_ && block.layout_offset >= 0) {
    layout_.Free(block.layout_offset);
    step_in_use_bytes_ -= block.size_bytes;
    if (!block.in_region) outside_in_use_bytes_ -= block.size_bytes;
  }
  if (!block.in_region) {
    in_use_bytes_ -= block.size_bytes;
    std::free(pointer);
  }
}

}  // namespace opass::ort
