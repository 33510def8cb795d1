#pragma once

#include <cstdint>
#include <map>

namespace opass::ort {

// Where the blocks of one step would stand in a region that is as large as it must be: first fit at
// multiples of 64 bytes. The same requests in the same order get the same places, so that the
// extent measured in one run is exactly the region that serves the next one.
class ScratchLayout {
 public:
  static constexpr std::int64_t kGranuleBytes = 64;

  // The offset of a new block of `size_bytes` >= 0.
  std::int64_t Allocate(std::int64_t size_bytes);
  // `offset` came from Allocate.
  void Free(std::int64_t offset) { blocks_.erase(offset); }
  void Clear();

  // The largest end of any block since Clear.
  std::int64_t extent_bytes() const { return extent_bytes_; }

 private:
  std::map<std::int64_t, std::int64_t> blocks_;  // offset -> rounded size
  std::int64_t extent_bytes_ = 0;
};

}  // namespace opass::ort
