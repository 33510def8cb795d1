#include "opass/allocators/disjunctive/bases.h"

#include <algorithm>
#include <utility>

namespace opass::allocators::disjunctive {
namespace {

std::int64_t Modulo(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

}  // namespace

std::vector<OpenRange> Merged(std::vector<OpenRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const OpenRange& a, const OpenRange& b) { return a.low < b.low; });
  std::vector<OpenRange> merged;
  for (const OpenRange& range : ranges) {
    if (!merged.empty() && range.low < merged.back().high) {
      merged.back().high = std::max(merged.back().high, range.high);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

Bases::Bases(std::int64_t modulus, std::int64_t residue, std::vector<OpenRange> blocked)
    : modulus_(modulus), residue_(residue), blocked_(Merged(std::move(blocked))) {}

std::int64_t Bases::AtLeast(std::int64_t base) const {
  base = std::max<std::int64_t>(base, 0);
  auto range = std::upper_bound(
      blocked_.begin(), blocked_.end(), base,
      [](std::int64_t value, const OpenRange& blocked) { return value < blocked.high; });
  for (;; ++range) {
    base += Modulo(residue_ - base, modulus_);
    while (range != blocked_.end() && range->high <= base) ++range;
    if (range == blocked_.end() || base <= range->low) return base;
    base = range->high;
  }
}

std::int64_t Bases::AtMost(std::int64_t base) const {
  auto range = std::lower_bound(
      blocked_.begin(), blocked_.end(), base,
      [](const OpenRange& blocked, std::int64_t value) { return blocked.low < value; });
  while (base >= 0) {
    base -= Modulo(base - residue_, modulus_);
    while (range != blocked_.begin() && std::prev(range)->low >= base) --range;
    if (range == blocked_.begin() || std::prev(range)->high <= base) break;
    base = std::prev(range)->low;
  }
  return std::max<std::int64_t>(base, -1);
}

}  // namespace opass::allocators::disjunctive
