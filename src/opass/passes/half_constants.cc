#include "opass/passes/half_constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "opass/ir/float16.h"

namespace opass::passes {
namespace {

constexpr float kLargestHalf = 65504;
// From here on nobody means the number itself.
constexpr float kStandsForInfinity = 1e9F;
constexpr std::array<std::string_view, 12> kTakeInfinity = {
    "Add",  "Concat", "Equal",       "Expand", "Greater", "GreaterOrEqual",
    "Less", "Max",    "LessOrEqual", "Min",    "Mul",     "Where"};

std::vector<float> Floats(const ir::Tensor& tensor) {
  std::vector<float> floats(tensor.bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), tensor.bytes.data(), tensor.bytes.size());
  return floats;
}

bool IsOutOfRange(float number) {
  return std::isfinite(number) && std::fabs(number) > kLargestHalf;
}

std::uint16_t SaturatedBits(float number) {
  return ir::ToHalfBits(IsOutOfRange(number) ? std::copysign(kLargestHalf, number) : number);
}

}  // namespace

bool FitsFloat16(const ir::Node& node, const ir::Tensor& tensor) {
  const std::vector<float> floats = Floats(tensor);
  const bool takes_infinity = std::ranges::find(kTakeInfinity, node.op_type) != kTakeInfinity.end();
  bool is_zero = true;
  bool becomes_zero = true;
  for (const float number : floats) {
    if (IsOutOfRange(number) && !node.Is("Clip") &&
        !(takes_infinity && std::fabs(number) >= kStandsForInfinity)) {
      return false;
    }
    is_zero = is_zero && number == 0;
    becomes_zero = becomes_zero && ir::FromHalfBits(SaturatedBits(number)) == 0;
  }
  return is_zero || !becomes_zero;
}

ir::TensorPtr ToFloat16(const ir::Tensor& tensor) {
  const std::vector<float> floats = Floats(tensor);
  std::string content(floats.size() * sizeof(std::uint16_t), '\0');
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const std::uint16_t bits = SaturatedBits(floats[i]);
    std::memcpy(content.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return ir::Tensor::Make(ir::DataType::kFloat16, tensor.dims, std::move(content));
}

}  // namespace opass::passes
