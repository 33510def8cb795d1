#include "opass/tvm/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace opass::tvm {
namespace {

template <typename T>
double MaxAbsolute(const Tensor& a, const Tensor& b) {
  double largest = 0;
  for (std::size_t i = 0; i + sizeof(T) <= a.bytes.size(); i += sizeof(T)) {
    T x;
    T y;
    std::memcpy(&x, a.bytes.data() + i, sizeof(T));
    std::memcpy(&y, b.bytes.data() + i, sizeof(T));
    if (std::memcmp(&x, &y, sizeof(T)) == 0) continue;
    const double difference = std::abs(static_cast<double>(x) - static_cast<double>(y));
    largest = std::max(
        largest, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
  }
  return largest;
}

double MaxAbsoluteOf(const Tensor& a, const Tensor& b) {
  if (a.type == "float32") return MaxAbsolute<float>(a, b);
  if (a.type == "float64") return MaxAbsolute<double>(a, b);
  if (a.type == "int64") return MaxAbsolute<std::int64_t>(a, b);
  if (a.type == "int32") return MaxAbsolute<std::int32_t>(a, b);
  // Of other types only equality is told.
  return std::numeric_limits<double>::infinity();
}

}  // namespace

Result<Difference> Compare(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  const auto is_alike = [](const Tensor& x, const Tensor& y) {
    return x.type == y.type && x.shape == y.shape && x.bytes.size() == y.bytes.size();
  };
  if (!std::ranges::equal(a, b, is_alike)) {
    return Error{ErrorCode::kRefused, "the outputs differ in number, shape or type", "", "", ""};
  }
  Difference difference;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].bytes == b[i].bytes) continue;
    difference.is_bit_equal = false;
    difference.max_absolute = std::max(difference.max_absolute, MaxAbsoluteOf(a[i], b[i]));
  }
  return difference;
}

}  // namespace opass::tvm
