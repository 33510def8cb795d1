#include "opass/orchestrator/native/power_mean.h"

#include <algorithm>
#include <cmath>

namespace opass::orchestrator {
namespace {

// Of x in [0, 1], by Newton's method from above. Numbers whose 24th root matters here are not
// smaller than what so many steps reach.
double CubeRoot(double x) {
  constexpr int kMaxSteps = 100;
  double root = 1;
  for (int i = 0; i < kMaxSteps && x > 0; ++i) root -= (root - x / (root * root)) / 3;
  return x > 0 ? root : 0;
}

}  // namespace

double PowerMean(std::span<const std::int64_t> step_bytes, std::size_t num_steps) {
  if (step_bytes.empty() || num_steps == 0) return 0;
  const auto largest = static_cast<double>(*std::ranges::max_element(step_bytes));
  if (largest <= 0) return 0;
  double sum = 0;
  for (const std::int64_t bytes : step_bytes) {
    const double x = static_cast<double>(bytes) / largest;
    const double x3 = x * x * x;
    const double x6 = x3 * x3;
    const double x12 = x6 * x6;
    sum += x12 * x12;
  }
  const double mean = std::min(1.0, sum / static_cast<double>(num_steps));
  return largest * CubeRoot(std::sqrt(std::sqrt(std::sqrt(mean))));
}

}  // namespace opass::orchestrator
