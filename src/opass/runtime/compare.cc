#include "opass/runtime/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "opass/runtime/elements.h"

namespace opass::runtime {
namespace {

using ir::DataType;

bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

bool IsFloat(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble || type == DataType::kFloat16 ||
         type == DataType::kBfloat16;
}

double AbsoluteError(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double error = std::fabs(a - b);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

// Bytes are equal wherever not both elements are NaN.
bool EqualButForNans(const ir::Tensor& a, const ir::Tensor& b, const std::vector<double>& x,
                     const std::vector<double>& y) {
  if (x.empty() || a.bytes.size() % x.size() != 0) return false;  // packed: NaN has one form
  const std::size_t width = a.bytes.size() / x.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    const std::size_t at = i * width;
    if (!SameBytes(a.bytes.subspan(at, width), b.bytes.subspan(at, width))) return false;
  }
  return true;
}

// "constant" and "saturated" of compare.h. Most tensors show in their first elements that they are
// neither, and are not decoded any further.
std::string SaysNothing(const ir::Tensor& tensor) {
  constexpr std::int64_t kProbe = 64;
  const std::int64_t count = tensor.num_elements();
  if (count < 2) return "";
  if (count > kProbe) {
    ir::Tensor head;
    head.type = tensor.type;
    head.dims = {kProbe};
    head.bytes =
        tensor.bytes.first(static_cast<std::size_t>(*ir::SizeBytes(tensor.type, head.dims)));
    if (SaysNothing(head).empty()) return "";
  }
  const std::optional<std::vector<double>> elements = ToDoubles(tensor);
  const double first = (*elements)[0];
  if (std::ranges::all_of(*elements, [&](double e) {
        return e == first || (std::isnan(e) && std::isnan(first));
      })) {
    return "constant";
  }
  const bool two_valued = std::ranges::all_of(*elements, [](double e) { return e == 0 || e == 1; });
  return IsFloat(tensor.type) && two_valued ? "saturated" : "";
}

void CompareElements(const std::vector<double>& x, const std::vector<double>& y,
                     TensorComparison& out) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i])) out.largest = std::max(out.largest, std::fabs(x[i]));
    const double error = AbsoluteError(x[i], y[i]);
    if (error == 0) continue;
    ++out.num_different;
    if (error > out.max_abs_error) {
      out.max_abs_error = error;
      out.worst_index = static_cast<std::int64_t>(i);
    }
    const double scale = std::fabs(x[i]);
    const double relative = scale > 0 ? error / scale : std::numeric_limits<double>::infinity();
    out.max_rel_error = std::max(out.max_rel_error, std::isnan(relative) ? INFINITY : relative);
  }
}

}  // namespace

TensorComparison CompareTensors(std::string name, const ir::Tensor& a, const ir::Tensor& b) {
  TensorComparison out;
  out.name = std::move(name);
  out.same_type = a.type == b.type && a.dims == b.dims;
  if (!out.same_type) {
    out.mismatch = fmt::format("{} against {}", ir::Type::Tensor(a.type, a.dims).ToString(),
                               ir::Type::Tensor(b.type, b.dims).ToString());
    out.max_abs_error = std::numeric_limits<double>::infinity();
    return out;
  }
  if (a.type == DataType::kString) {
    const auto at = std::ranges::mismatch(a.strings, b.strings).in1;
    out.bit_equal = a.strings == b.strings;
    out.worst_index = out.bit_equal ? 0 : at - a.strings.begin();
    out.max_abs_error = out.bit_equal ? 0 : std::numeric_limits<double>::infinity();
    return out;
  }
  out.num_elements = a.num_elements();
  out.says_nothing = SaysNothing(a);
  out.bit_equal = SameBytes(a.bytes, b.bytes);
  if (out.bit_equal) return out;
  const std::optional<std::vector<double>> x = ToDoubles(a);
  const std::optional<std::vector<double>> y = ToDoubles(b);
  if (!x || !y || x->size() != y->size()) return out;
  out.bit_equal = EqualButForNans(a, b, *x, *y);
  CompareElements(*x, *y, out);
  return out;
}

bool Comparison::same_types() const {
  return std::ranges::all_of(tensors, &TensorComparison::same_type);
}
bool Comparison::bit_equal() const {
  return std::ranges::all_of(tensors, &TensorComparison::bit_equal);
}

const TensorComparison* Comparison::worst() const {
  const TensorComparison* worst = nullptr;
  for (const TensorComparison& tensor : tensors) {
    if (!tensor.same_type) return &tensor;
    const bool worse =
        worst == nullptr || tensor.max_abs_error > worst->max_abs_error ||
        (tensor.max_abs_error == worst->max_abs_error && worst->bit_equal && !tensor.bit_equal);
    if (worse) worst = &tensor;
  }
  return worst;
}

double Comparison::max_abs_error() const { return worst() == nullptr ? 0 : worst()->max_abs_error; }

double Comparison::max_rel_error() const {
  double error = 0;
  for (const TensorComparison& tensor : tensors) error = std::max(error, tensor.max_rel_error);
  return error;
}

bool WithinReassociation(const TensorComparison& comparison, DataType type,
                         double least_magnitude) {
  if (!comparison.same_type || comparison.bit_equal) return comparison.same_type;
  const double magnitude = std::max(comparison.largest, least_magnitude);
  switch (type) {
    case DataType::kFloat:
    case DataType::kDouble:
      return comparison.max_abs_error <= 1e-4 * magnitude;
    case DataType::kFloat16:
      return comparison.max_abs_error <= 1e-2 * magnitude;
    case DataType::kBfloat16:
      return comparison.max_abs_error <= 5e-2 * magnitude;
    case DataType::kInt8:
    case DataType::kUint8:
      return comparison.max_abs_error <= 1;
    default:
      return false;
  }
}

}  // namespace opass::runtime
