#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace opass::memory::check {

// A set of states, each a fixed number of words, kept and compared in full: no hash decides.
class VisitedStates {
 public:
  explicit VisitedStates(std::size_t num_words) : num_words_(num_words) {}

  // False when it was there. `state` has the number of words.
  bool Insert(const std::uint64_t* state);
  std::size_t size() const { return size_; }
  std::size_t num_bytes() const;

 private:
  static constexpr std::size_t kPerBlock = 1 << 14;

  const std::uint64_t* At(std::size_t index) const {
    return blocks_[index / kPerBlock].get() + index % kPerBlock * num_words_;
  }
  std::size_t HashOf(const std::uint64_t* state) const;
  void Grow();

  std::size_t num_words_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<std::uint32_t> slots_;  // 1 + index of a state; 0: empty. A power of two
};

}  // namespace opass::memory::check
