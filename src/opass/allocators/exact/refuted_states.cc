#include "opass/allocators/exact/refuted_states.h"

#include <algorithm>
#include <bit>

namespace opass::allocators::exact_offsets {

RefutedStates::RefutedStates(std::size_t num_buffers, std::size_t key_words,
                             std::size_t max_bytes) {
  const std::size_t bytes = sizeof(Key) + 4 * key_words;
  // Few buffers have few states.
  const std::size_t most = std::size_t{16} << std::min<std::size_t>(num_buffers, 13);
  slots_.resize(std::bit_floor(std::clamp<std::size_t>(max_bytes / bytes, 16, most)));
}

std::size_t RefutedStates::SlotOf(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint32_t word : key) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash) & (slots_.size() - 1);
}

}  // namespace opass::allocators::exact_offsets
