#include "opass/bounds/cut_candidates.h"

#include <algorithm>
#include <numeric>

namespace opass::bounds {
namespace {

// The first distance from the best step is this part of the order.
constexpr std::size_t kFirstDistance = 64;

// n in binary, mirrored at the point (van der Corput): 1/2, 1/4, 3/4, 1/8, ... of `size`.
std::size_t Spread(std::uint64_t n, std::size_t size) {
  std::size_t first = 0;
  std::size_t length = size;
  for (; n > 1; n /= 2) {
    const std::size_t half = length / 2;
    first += n % 2 == 1 ? half : 0;
    length = n % 2 == 1 ? length - half : half;
  }
  return first + length / 2;
}

}  // namespace

CutCandidates::CutCandidates(std::span<const std::int64_t> step_bytes)
    : step_bytes_(step_bytes), used_(step_bytes.size(), false), by_bytes_(step_bytes.size()) {
  std::iota(by_bytes_.begin(), by_bytes_.end(), std::size_t{0});
  std::stable_sort(by_bytes_.begin(), by_bytes_.end(),
                   [&](std::size_t a, std::size_t b) { return step_bytes[a] > step_bytes[b]; });
}

std::optional<std::size_t> CutCandidates::Next(std::int64_t bound_bytes) {
  for (int tries = 0; tries < 3; ++tries) {
    const unsigned turn = turn_++ % 3;
    last_ = turn == 0   ? NextHighest(bound_bytes)
            : turn == 1 ? NextSpread(bound_bytes)
                        : NextNear(bound_bytes);
    if (last_ == kNone) continue;
    used_[last_] = true;
    return last_;
  }
  return std::nullopt;
}

void CutCandidates::Raised() {
  best_ = last_;
  distance_ = std::max<std::size_t>(1, step_bytes_.size() / kFirstDistance);
  after_ = true;
}

std::size_t CutCandidates::NextHighest(std::int64_t bound_bytes) {
  for (; next_highest_ < by_bytes_.size(); ++next_highest_) {
    const std::size_t step = by_bytes_[next_highest_];
    if (step_bytes_[step] <= bound_bytes) break;
    if (!used_[step]) return step;
  }
  return kNone;
}

std::size_t CutCandidates::NextSpread(std::int64_t bound_bytes) {
  while (num_spread_ < 2 * step_bytes_.size()) {
    const std::size_t step = Spread(++num_spread_, step_bytes_.size());
    if (Usable(step, bound_bytes)) return step;
  }
  return kNone;
}

std::size_t CutCandidates::NextNear(std::int64_t bound_bytes) {
  while (best_ != kNone && distance_ > 0) {
    const bool after = after_;
    const std::size_t distance = distance_;
    if (!after_) distance_ /= 2;
    after_ = !after_;
    if (after ? distance >= step_bytes_.size() - best_ : distance > best_) continue;
    const std::size_t step = after ? best_ + distance : best_ - distance;
    if (Usable(step, bound_bytes)) return step;
  }
  return kNone;
}

}  // namespace opass::bounds
