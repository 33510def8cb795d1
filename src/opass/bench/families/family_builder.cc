#include "opass/bench/families/family_builder.h"

#include <algorithm>

namespace opass::bench {

using memory::OpId;
using memory::ValueId;

FamilyBuilder::FamilyBuilder(std::string name, std::uint64_t seed, bool in_place)
    // One seed of the study gives one graph: its numbers are those of the same generator.
    : random_(seed * 1000003 + 17), in_place_(in_place) {
  problem_.name = std::move(name);
  problem_.alignment = 1;
}

std::int64_t FamilyBuilder::Draw(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
}

ValueId FamilyBuilder::Input(std::int64_t size_bytes) {
  const ValueId id(problem_.values.size());
  memory::Value value;
  value.name = "v" + std::to_string(id.index());
  value.size_bytes = size_bytes;
  problem_.values.push_back(std::move(value));
  is_read_.push_back(false);
  return id;
}

ValueId FamilyBuilder::Op(std::vector<ValueId> inputs, std::int64_t size_bytes, Kind kind) {
  std::ranges::sort(inputs);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  const OpId id(problem_.ops.size());
  const ValueId output = Input(size_bytes);
  problem_.value(output).producer = id;
  memory::Op op;
  op.name = "o" + std::to_string(id.index());
  for (const ValueId input : inputs) {
    is_read_[input.index()] = true;
    if (in_place_ && kind == Kind::kElementwise && size(input) >= size_bytes) {
      op.in_place.push_back({output, input});
    }
  }
  op.inputs = std::move(inputs);
  op.outputs = {output};
  problem_.ops.push_back(std::move(op));
  kind_.push_back(kind);
  return output;
}

ValueId FamilyBuilder::SumOf(const std::vector<ValueId>& gradients, std::int64_t size_bytes) {
  ValueId sum = gradients[0];
  for (std::size_t i = 1; i < gradients.size(); ++i) {
    sum = Op({sum, gradients[i]}, size_bytes, Kind::kElementwise);
  }
  return sum;
}

void FamilyBuilder::Differentiate(ValueId loss) {
  const std::size_t num_forward = problem_.ops.size();
  std::vector<std::vector<ValueId>> gradients(problem_.values.size());
  gradients[loss.index()].push_back(Op({loss}, size(loss)));
  for (std::size_t i = num_forward; i-- > 0;) {
    const ValueId output = problem_.ops[i].outputs[0];
    if (gradients[output.index()].empty()) continue;
    const ValueId gradient = SumOf(gradients[output.index()], size(output));
    const std::vector<ValueId> inputs = problem_.ops[i].inputs;  // Op() moves the operators
    for (const ValueId input : inputs) {
      const bool is_activation = problem_.value(input).producer.valid();
      if (kind_[i] == Kind::kCompute) {
        const std::int64_t parameters = std::max<std::int64_t>(1, size(input) / 8);
        problem_.value(Op({gradient, input}, parameters)).is_output = true;
        if (is_activation) gradients[input.index()].push_back(Op({gradient}, size(input)));
      } else if (is_activation) {
        const Kind kind = size(input) == size(output) ? Kind::kElementwise : Kind::kCompute;
        gradients[input.index()].push_back(Op({gradient, output}, size(input), kind));
      }
    }
  }
}

memory::Problem FamilyBuilder::Finish() {
  for (std::size_t i = 0; i < problem_.values.size(); ++i) {
    if (!is_read_[i]) problem_.values[i].is_output = true;
  }
  return std::move(problem_);
}

}  // namespace opass::bench
