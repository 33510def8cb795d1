#include "opass/bench/rebench_gradients.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "opass/bench/rebench_inputs.h"
#include "opass/ort/evaluate.h"
#include "opass/passes/runner.h"
#include "opass/runtime/elements.h"

namespace opass::bench {
namespace {

using Tensors = std::map<std::string, ir::TensorPtr>;

constexpr std::uint64_t kSeed = 38'000;
constexpr std::size_t kStride = 6;  // every so many gradients one is checked
constexpr double kStep = 0x1p-9;    // relative to the largest magnitude of the input
constexpr double kTolerance = 0.03;

// Weights such that activations neither vanish nor grow: uniform in about +-sqrt(6 / inputs of a
// unit). Variances are positive.
ExpectedInput InputFor(const ir::Value& value, std::size_t place) {
  ExpectedInput input;
  input.name = value.name;
  input.seed = kSeed + place;
  input.positive = value.name.find("var") != std::string::npos;
  const auto dims = *value.type.StaticDims();
  if (dims.size() < 2 || place == 0) return input;
  // A kernel is [out, in, height, width], a matrix [in, out].
  double fan_in = static_cast<double>(dims.size() == 2 ? dims[0] : dims[1]);
  for (std::size_t i = 2; i < dims.size(); ++i) fan_in *= static_cast<double>(dims[i]);
  input.scale_log2 = static_cast<int>(std::lround(std::log2(std::sqrt(6 / fan_in))));
  return input;
}

Tensors InputsFor(const ir::Graph& graph) {
  Tensors inputs;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    inputs[value.name] = MakeExpectedInput(InputFor(value, i), value.type);
  }
  return inputs;
}

double Sum(const ir::Tensor& tensor) {
  double sum = 0;
  for (const double element : runtime::ToDoubles(tensor).value_or(std::vector<double>())) {
    sum += element;
  }
  return sum;
}

bool IsFinite(const ir::Tensor& tensor) {
  for (const double element : runtime::ToDoubles(tensor).value_or(std::vector<double>())) {
    if (!std::isfinite(element)) return false;
  }
  return true;
}

// The tensor moved along random signs, and the derivative of the sum that the gradient promises.
struct Direction {
  std::vector<float> values;
  std::vector<float> signs;
  double promised = 0;
  double step = 0;

  Direction(const ir::Tensor& tensor, const ir::Tensor& gradient, std::uint64_t seed) {
    const auto elements = *runtime::ToDoubles(tensor);
    const auto slopes = *runtime::ToDoubles(gradient);
    double largest = 0;
    ExpectedInput random;
    random.seed = seed;
    const auto noise = *runtime::ToDoubles(
        *MakeExpectedInput(random, ir::Type::Tensor(ir::DataType::kFloat, tensor.dims)));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      values.push_back(static_cast<float>(elements[i]));
      // Along the gradient where it points somewhere: terms that cancel say little.
      signs.push_back(slopes[i] * (noise[i] + 0.5) >= 0 ? 1.F : -1.F);
      promised += slopes[i] * static_cast<double>(signs.back());
      largest = std::max(largest, std::abs(elements[i]));
    }
    step = kStep * largest;
  }

  ir::TensorPtr Moved(const std::vector<std::int64_t>& dims, double by) const {
    std::vector<float> moved = values;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] += static_cast<float>(by) * signs[i];
    }
    return ir::Tensor::FromFloats(dims, moved);
  }
};

// The graph that computes its first output alone.
Result<ir::Model> ForwardPart(const ir::Model& model) {
  ir::Model forward = model;
  forward.graph.outputs.resize(1);
  OPASS_RETURN_IF_ERROR(passes::RunPasses(forward, {"eliminate_dead"}, {}));
  return forward;
}

}  // namespace

Result<GradientCheck> CheckGradients(const ir::Model& model) {
  const ir::Graph& graph = model.graph;
  GradientCheck check;
  Tensors inputs = InputsFor(graph);
  check.num_gradients = graph.outputs.size() - 1;
  if (check.num_gradients != graph.inputs.size()) {
    check.fault = "not one gradient for every input";
    return check;
  }
  OPASS_ASSIGN_OR_RETURN(const auto results, ort::Evaluate(model, inputs));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!IsFinite(*results[i]) && check.fault.empty()) {
      check.fault = fmt::format("output {} is not finite", i);
    }
  }
  OPASS_ASSIGN_OR_RETURN(const ir::Model forward, ForwardPart(model));
  OPASS_ASSIGN_OR_RETURN(auto evaluator, ort::Evaluator::Make(forward));
  for (std::size_t i = 1; i < graph.inputs.size() && check.fault.empty(); i += kStride) {
    const std::string& name = graph.value(graph.inputs[i]).name;
    const ir::TensorPtr given = inputs[name];
    const Direction direction(*given, *results[i + 1], kSeed + 1000 + i);
    double sums[2] = {};
    for (const int side : {0, 1}) {
      inputs[name] = direction.Moved(given->dims, side == 0 ? -direction.step : direction.step);
      OPASS_ASSIGN_OR_RETURN(const auto moved, evaluator.Run(inputs));
      sums[side] = Sum(*moved[0]);
    }
    inputs[name] = given;
    const double measured = (sums[1] - sums[0]) / (2 * direction.step);
    const double error = std::abs(measured - direction.promised) /
                         std::max(std::abs(measured), std::abs(direction.promised));
    ++check.num_checked;
    check.max_error = std::max(check.max_error, error);
    if (!(error <= kTolerance)) {
      check.fault = fmt::format("the derivative along '{}' is {:g}, its gradient says {:g}", name,
                                measured, direction.promised);
    }
  }
  return check;
}

}  // namespace opass::bench
