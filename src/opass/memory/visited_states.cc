#include "opass/memory/visited_states.h"

#include <algorithm>

namespace opass::memory::check {

bool VisitedStates::Insert(const std::uint64_t* state) {
  if (size_ * 2 >= slots_.size()) Grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = HashOf(state) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (std::equal(state, state + num_words_, At(slots_[slot] - 1))) return false;
  }
  if (size_ % kPerBlock == 0) {
    blocks_.push_back(std::make_unique<std::uint64_t[]>(kPerBlock * num_words_));
  }
  std::copy(state, state + num_words_, blocks_.back().get() + size_ % kPerBlock * num_words_);
  slots_[slot] = static_cast<std::uint32_t>(++size_);
  return true;
}

std::size_t VisitedStates::num_bytes() const {
  return blocks_.size() * kPerBlock * num_words_ * sizeof(std::uint64_t) +
         slots_.size() * sizeof(std::uint32_t);
}

std::size_t VisitedStates::HashOf(const std::uint64_t* state) const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < num_words_; ++i) {
    hash = (hash ^ state[i]) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash ^ (hash >> 32);
}

void VisitedStates::Grow() {
  slots_.assign(std::max<std::size_t>(1024, slots_.size() * 2), 0);
  for (std::size_t i = 0; i < size_; ++i) {
    std::size_t slot = HashOf(At(i)) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace opass::memory::check
