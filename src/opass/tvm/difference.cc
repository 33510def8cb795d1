#include "opass/tvm/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace opass::tvm {
namespace {

template <typename T>
void Count(const Tensor& a, const Tensor& b, Difference& counted) {
  for (std::size_t i = 0; i + sizeof(T) <= a.bytes.size(); i += sizeof(T)) {
    T x;
    T y;
    std::memcpy(&x, a.bytes.data() + i, sizeof(T));
    std::memcpy(&y, b.bytes.data() + i, sizeof(T));
    // A NaN is not larger.
    counted.largest = std::max(counted.largest, std::abs(static_cast<double>(x)));
    if (std::memcmp(&x, &y, sizeof(T)) == 0) continue;
    const double difference = std::abs(static_cast<double>(x) - static_cast<double>(y));
    counted.max_absolute =
        std::max(counted.max_absolute,
                 std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
  }
}

void CountAny(const Tensor& a, const Tensor& b, Difference& counted) {
  if (a.type == "float32") return Count<float>(a, b, counted);
  if (a.type == "float64") return Count<double>(a, b, counted);
  if (a.type == "int64") return Count<std::int64_t>(a, b, counted);
  if (a.type == "int32") return Count<std::int32_t>(a, b, counted);
  // Of other types only equality is told.
  if (a.bytes != b.bytes) counted.max_absolute = std::numeric_limits<double>::infinity();
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
    difference.is_bit_equal = difference.is_bit_equal && a[i].bytes == b[i].bytes;
    CountAny(a[i], b[i], difference);
  }
  return difference;
}

}  // namespace opass::tvm
