#include "opass/allocators/exact/fit_state.h"

#include <algorithm>

namespace opass::allocators::exact_offsets {
namespace {

std::size_t Index(std::int32_t i) { return static_cast<std::size_t>(i); }

void CopyPart(const std::vector<std::int32_t>& from, const Part& part,
              std::vector<std::int32_t>& to) {
  to.resize(from.size());
  std::copy(from.begin() + part.low, from.begin() + part.high, to.begin() + part.low);
}

// Raises heads in `changed`; the sections of all buffers whose head rose, with `changed`.
Part RaiseHeads(const Instance& instance, const Part& changed, FitState& state) {
  Part touched = changed;
  for (const std::int32_t b : state.buffers) {
    const std::int32_t first = instance.first[Index(b)];
    const std::int32_t last = instance.last[Index(b)];
    if (first >= changed.high || last <= changed.low) continue;
    const std::int32_t end = std::min(last, changed.high);
    std::int32_t head = state.head[Index(b)];
    for (std::int32_t s = std::max(first, changed.low); s < end; ++s) {
      head = std::max(head, state.floor[Index(s)]);
    }
    if (head == state.head[Index(b)]) continue;
    state.head[Index(b)] = head;
    touched = {std::min(touched.low, first), std::max(touched.high, last)};
  }
  return touched;
}

// By head, the highest first: few are out of place.
void SortByHead(FitState& state) {
  std::vector<std::int32_t>& buffers = state.buffers;
  for (std::size_t i = 1; i < buffers.size(); ++i) {
    const std::int32_t b = buffers[i];
    std::size_t at = i;
    for (; at > 0 && state.head[Index(buffers[at - 1])] < state.head[Index(b)]; --at) {
      buffers[at] = buffers[at - 1];
    }
    buffers[at] = b;
  }
}

}  // namespace

void FitState::CopyFrom(const FitState& other, const Part& part) {
  CopyPart(other.floor, part, floor);
  CopyPart(other.rest, part, rest);
  head = other.head;
  tops = other.tops;
}

bool Propagate(const Instance& instance, const Part& part, const Part& changed,
               std::int32_t capacity, FitState& state) {
  Part touched = RaiseHeads(instance, changed, state);
  SortByHead(state);
  touched = {std::max(touched.low, part.low), std::min(touched.high, part.high)};
  const std::int32_t* heads = state.head.data();
  std::int32_t* rest = state.rest.data();
  std::int32_t* floor = state.floor.data();
  std::fill(rest + touched.low, rest + touched.high, 0);
  for (const std::int32_t b : state.buffers) {
    const std::int32_t first = std::max(instance.first[Index(b)], touched.low);
    const std::int32_t last = std::min(instance.last[Index(b)], touched.high);
    if (first >= last) continue;
    const std::int32_t size = instance.size[Index(b)];
    const std::int32_t head = heads[b];
    std::int32_t most = 0;
    for (std::int32_t s = first; s < last; ++s) {
      rest[s] += size;
      most = std::max(most, rest[s]);
      floor[s] = head;  // the last to write has the least head of the section
    }
    if (most > capacity - head) return false;
  }
  return true;
}

}  // namespace opass::allocators::exact_offsets
