#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/support/result.h"

namespace opass::allocators {

// Steps [first, last) of a buffer's life in which its bytes are free for others.
struct Gap {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// A buffer to place: `size_bytes` during the steps [first, last). The rest are constraints; without
// them it is a plain one.
struct ListedBuffer {
  std::string name;
  std::int64_t first = 0;
  std::int64_t last = 0;  // above first
  std::int64_t size_bytes = 0;

  std::int64_t alignment = 1;                                // its offset is a multiple
  std::optional<std::int64_t> pinned_offset = std::nullopt;  // the only one it may have
  std::vector<Gap> gaps = {};                                // ascending and apart
  std::string pool = "";                                     // empty: see BufferList
  // The buffers of a group lie at fixed distances: their offsets less their deltas are equal. They
  // may share bytes with each other. Empty: of no group.
  std::string group = "";
  std::int64_t delta_bytes = 0;
};

// A memory of its own, with offsets from 0 up.
struct Pool {
  std::string name;  // empty: the only one
  std::optional<std::int64_t> capacity_bytes = std::nullopt;
  std::vector<ByteRange> forbidden = {};  // no buffer lies there; in any order
};

// Buffers and the pools they lie in. Pools that only buffers name have no limits. A buffer that
// names none goes to one of the named pools, or, if there are none, to the only one.
struct BufferList {
  std::vector<ListedBuffer> buffers;
  std::vector<Pool> pools = {};
};

inline constexpr std::int64_t kMostListBytes = std::int64_t{1} << 62;  // of all sizes together
inline constexpr std::int64_t kMostAlignment = std::int64_t{1} << 30;
inline constexpr std::int64_t kMostPlacedBytes = std::int64_t{1} << 60;  // pins, deltas, forbidden

// Is the buffer by itself as the comments above say? Error (kInvalidInput) without a place.
Status ValidateBuffer(const ListedBuffer& buffer);

// Are there any constraints, or pools with limits? Without, AllocateList places the list.
bool IsPlain(const BufferList& list);

}  // namespace opass::allocators
