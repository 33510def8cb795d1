#include "opass/ort/scratch.h"

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::ort {

std::int64_t ScratchLayout::Allocate(std::int64_t size_bytes) {
  // An empty block takes a granule too: its address must be its own.
  const std::int64_t size = RoundUp(std::max<std::int64_t>(size_bytes, 1), kGranuleBytes);
  std::int64_t offset = 0;
  for (const auto& [begin, length] : blocks_) {
    if (begin - offset >= size) break;
    offset = begin + length;
  }
  blocks_.emplace(offset, size);
  extent_bytes_ = std::max(extent_bytes_, offset + size);
  return offset;
}

void ScratchLayout::Clear() {
  blocks_.clear();
  extent_bytes_ = 0;
}

}  // namespace opass::ort
