#include "opass/schedulers/search/state_set.h"

#include <algorithm>

namespace opass::schedulers {
namespace {

constexpr std::size_t kFirstSlots = 1024;

std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

bool StateSet::Contains(std::span<const std::uint64_t> state, std::uint64_t hash) const {
  return size_ > 0 && slots_[Find(state, hash)].number != 0;
}

void StateSet::Insert(std::span<const std::uint64_t> state, std::uint64_t hash) {
  if (2 * (size_ + 1) > slots_.size()) Grow();
  Slot& slot = slots_[Find(state, hash)];
  if (slot.number != 0) return;
  slot = {static_cast<std::uint32_t>(++size_), Tag(hash)};
  words_.insert(words_.end(), state.begin(), state.end());
  hashes_.push_back(hash);
}

// The slot of the state, or the free one where it belongs.
std::size_t StateSet::Find(std::span<const std::uint64_t> state, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == 0) return at;
    if (slot.tag != Tag(hash)) continue;
    const std::uint64_t* words = words_.data() + (slot.number - 1) * words_per_state_;
    if (std::equal(state.begin(), state.end(), words)) return at;
  }
}

void StateSet::Grow() {
  slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), Slot());
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < size_; ++i) {
    std::size_t at = hashes_[i] & mask;
    while (slots_[at].number != 0) at = (at + 1) & mask;
    slots_[at] = {static_cast<std::uint32_t>(i + 1), Tag(hashes_[i])};
  }
}

}  // namespace opass::schedulers
