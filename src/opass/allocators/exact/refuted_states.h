#pragma once

#include <cstdint>
#include <vector>

namespace opass::allocators::exact_offsets {

// States that were searched to the end without a solution. Keys are kept and compared in full, so a
// proof does not rest on a hash; a new state replaces another one of the same slot.
class RefutedStates {
 public:
  using Key = std::vector<std::uint32_t>;

  // About `max_bytes` when all slots hold keys of `key_words`.
  RefutedStates(std::size_t num_buffers, std::size_t key_words, std::size_t max_bytes);

  bool Has(const Key& key) const { return slots_[SlotOf(key)] == key; }
  void Add(const Key& key) { slots_[SlotOf(key)] = key; }

 private:
  std::size_t SlotOf(const Key& key) const;

  std::vector<Key> slots_;  // a power of two; empty keys are free slots
};

}  // namespace opass::allocators::exact_offsets
