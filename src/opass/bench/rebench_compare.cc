#include "opass/bench/rebench_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opass/runtime/elements.h"

namespace opass::bench {
namespace {

using ir::DataType;

constexpr double kMomentTolerance = 1e-4;

double TwoUnits(double value, int mantissa_bits, int least_exponent) {
  const int exponent = value == 0 ? least_exponent : std::max(std::ilogb(value), least_exponent);
  return 2 * std::ldexp(1.0, exponent - mantissa_bits);
}

double ToleranceOf(DataType type, double expected, double absmax) {
  switch (type) {
    case DataType::kFloat:
      return 1e-5 * absmax + 1e-4 * std::abs(expected);
    case DataType::kFloat16:
      return TwoUnits(expected, 10, -14);
    case DataType::kBfloat16:
      return TwoUnits(expected, 7, -126);
    case DataType::kInt8:
    case DataType::kUint8:
      return 1;
    default:
      return 0;
  }
}

class Comparer {
 public:
  Comparer(const ExpectedOutput& expected, DataType type) : expected_(expected), type_(type) {}

  void Compare(std::size_t index, double expected, double actual) {
    const double error = std::abs(expected - actual);
    const bool is_integer = type_ == DataType::kInt8 || type_ == DataType::kUint8;
    if (error > 0 && is_integer) ++result.num_steps;
    if (expected_.absmax > 0) {
      result.max_error = std::max(result.max_error, error / expected_.absmax);
    }
    // Written so that a NaN is a fault.
    if (error <= ToleranceOf(type_, expected, expected_.absmax) || !result.fault.empty()) return;
    result.fault = fmt::format("element {} is {:.9g}, not {:.9g}", index, actual, expected);
  }

  OutputComparison result;

 private:
  const ExpectedOutput& expected_;
  DataType type_;
};

}  // namespace

Moments MomentsOf(const ir::Tensor& tensor) {
  const auto elements = runtime::ToDoubles(tensor);
  Moments moments;
  if (!elements || elements->empty()) return moments;
  double squares = 0;
  for (const double element : *elements) {
    moments.mean += element;
    squares += element * element;
  }
  moments.mean /= static_cast<double>(elements->size());
  moments.l2 = std::sqrt(squares);
  return moments;
}

bool AreClose(const Moments& expected, const Moments& actual, std::int64_t num_elements) {
  if (num_elements == 0) return true;
  const double root_mean_square = expected.l2 / std::sqrt(static_cast<double>(num_elements));
  return std::abs(expected.l2 - actual.l2) <= kMomentTolerance * expected.l2 &&
         std::abs(expected.mean - actual.mean) <= kMomentTolerance * root_mean_square;
}

OutputComparison CompareOutput(const ExpectedOutput& expected, const ir::Tensor& actual) {
  Comparer comparer(expected, actual.type);
  if (ir::Name(actual.type) != expected.type || actual.dims != expected.dims) {
    comparer.result.fault = "another type or shape";
    return comparer.result;
  }
  const auto elements = runtime::ToDoubles(actual);
  if (expected.stored != nullptr) {
    const auto wanted = runtime::ToDoubles(*expected.stored);
    if (!wanted || !elements || wanted->size() != elements->size()) {
      comparer.result.fault = "the stored output has another size";
      return comparer.result;
    }
    for (std::size_t i = 0; i < wanted->size(); ++i)
      comparer.Compare(i, (*wanted)[i], (*elements)[i]);
    comparer.result.is_whole = true;
    return comparer.result;
  }
  const std::size_t count = elements ? elements->size() : 0;
  for (std::size_t i = 0; i < std::min(expected.first8.size(), count); ++i) {
    comparer.Compare(i, expected.first8[i], (*elements)[i]);
  }
  for (std::size_t i = 0; i < expected.samples64.size() && count > 0; ++i) {
    const std::size_t index = i * count / expected.samples64.size();
    comparer.Compare(index, expected.samples64[i], (*elements)[index]);
  }
  const Moments moments = MomentsOf(actual);
  if (!AreClose({expected.mean, expected.l2}, moments, actual.num_elements()) &&
      comparer.result.fault.empty()) {
    comparer.result.fault =
        fmt::format("the mean is {:.9g}, not {:.9g}, or the length is {:.9g}, not {:.9g}",
                    moments.mean, expected.mean, moments.l2, expected.l2);
  }
  return comparer.result;
}

}  // namespace opass::bench
