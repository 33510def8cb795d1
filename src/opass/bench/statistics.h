#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace opass::bench {

// All of them 0 of no values.

// The upper one of two middles.
inline double MedianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

inline double SumOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

inline double MeanOf(const std::vector<double>& values) {
  return values.empty() ? 0 : SumOf(values) / static_cast<double>(values.size());
}

inline double MostOf(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace opass::bench
