#include "opass/bench/rebench_inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "opass/runtime/elements.h"

namespace opass::bench {
namespace {

using ir::DataType;

// Vigna's SplitMix64 at position `place`.
std::uint64_t Draw(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed + (place + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

float FloatOf(std::uint64_t z, const ExpectedInput& input) {
  const auto k = static_cast<float>(z >> 40U);
  const float value = input.positive ? (k + 0x1p22F) / 0x1p24F : (k - 0x1p23F) / 0x1p23F;
  return std::ldexp(value, input.scale_log2);
}

template <typename Element, typename Make>
std::string Fill(std::int64_t count, Make make) {
  std::string bytes(static_cast<std::size_t>(count) * sizeof(Element), '\0');
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const Element element = make(i);
    std::memcpy(bytes.data() + i * sizeof(Element), &element, sizeof(Element));
  }
  return bytes;
}

}  // namespace

ir::TensorPtr MakeExpectedInput(const ExpectedInput& input, const ir::Type& type) {
  const std::int64_t count = type.NumElements().value_or(0);
  const auto small = [&](std::uint64_t place) { return Draw(input.seed, place) >> 33U; };
  std::string bytes;
  switch (type.elem) {
    case DataType::kFloat:
      bytes = Fill<float>(count, [&](auto i) { return FloatOf(Draw(input.seed, i), input); });
      break;
    case DataType::kInt8:
      bytes = Fill<std::int8_t>(count, [&](auto i) {
        const std::uint64_t k = small(i);
        return static_cast<std::int8_t>(input.positive ? static_cast<int>(k % 8) + 1
                                                       : static_cast<int>(k % 17) - 8);
      });
      break;
    case DataType::kUint8:
      bytes = Fill<std::uint8_t>(count,
                                 [&](auto i) { return static_cast<std::uint8_t>(small(i) % 17); });
      break;
    case DataType::kInt32:
      bytes = Fill<std::int32_t>(
          count, [&](auto i) { return static_cast<std::int32_t>(small(i) % 4) + 1; });
      break;
    case DataType::kInt64:
      bytes = Fill<std::int64_t>(
          count, [&](auto i) { return static_cast<std::int64_t>(small(i) % 4) + 1; });
      break;
    default:
      return nullptr;
  }
  return ir::Tensor::Make(type.elem, *type.StaticDims(), std::move(bytes));
}

Result<std::map<std::string, ir::TensorPtr>> MakeExpectedInputs(
    const ir::Graph& graph, const std::vector<ExpectedInput>& inputs) {
  std::map<std::string, ir::TensorPtr> tensors;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    if (i >= inputs.size() || inputs[i].name != value.name) {
      return InvalidInput("nothing is known of this input", value.name);
    }
    ir::TensorPtr tensor = MakeExpectedInput(inputs[i], value.type);
    const auto elements = tensor == nullptr ? std::nullopt : runtime::ToDoubles(*tensor);
    if (!elements) return InvalidInput("an input of an unexpected type", value.name);
    for (std::size_t j = 0; j < inputs[i].first4.size(); ++j) {
      if (j >= elements->size() || (*elements)[j] != inputs[i].first4[j]) {
        return InvalidInput(fmt::format("element {} is not the one TVM had", j), value.name);
      }
    }
    tensors[value.name] = std::move(tensor);
  }
  return tensors;
}

}  // namespace opass::bench
