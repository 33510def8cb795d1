#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace opass::schedulers {

// A set of sets of operators (bit sets of one width), for states that a search has refuted. Members
// are kept in full and compared in full: two sets with one hash cannot be mistaken for each other,
// so that a proof does not rest on luck.
class StateSet {
 public:
  explicit StateSet(std::size_t words_per_state) : words_per_state_(words_per_state) {}

  bool Contains(std::span<const std::uint64_t> state, std::uint64_t hash) const;
  // Equal sets must come with equal hashes.
  void Insert(std::span<const std::uint64_t> state, std::uint64_t hash);
  std::size_t size() const { return size_; }
  std::size_t num_bytes() const {
    return words_.size() * sizeof(words_[0]) + slots_.size() * sizeof(slots_[0]);
  }

 private:
  struct Slot {
    std::uint32_t number = 0;  // of the state, from 1; 0: free
    std::uint32_t tag = 0;     // a part of the hash, to skip most comparisons
  };

  std::size_t Find(std::span<const std::uint64_t> state, std::uint64_t hash) const;
  void Grow();

  std::size_t words_per_state_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> hashes_;  // per state
  std::vector<Slot> slots_;            // a power of two, at most half full
};

}  // namespace opass::schedulers
