#include "opass/memory/testing/problem_builder.h"

#include <fmt/format.h>

#include <cstdlib>

namespace opass::memory::testing {

ProblemBuilder::ProblemBuilder(std::int64_t alignment) {
  problem_.name = "test";
  problem_.alignment = alignment;
}

ValueId ProblemBuilder::Add(std::int64_t size_bytes, OpId producer) {
  const ValueId id(problem_.values.size());
  Value value;
  value.name = fmt::format("v{}", id.index());
  value.size_bytes = size_bytes;
  value.producer = producer;
  problem_.values.push_back(std::move(value));
  return id;
}

ValueId ProblemBuilder::Input(std::int64_t size_bytes) { return Add(size_bytes, OpId()); }

std::vector<ValueId> ProblemBuilder::Ops(std::vector<ValueId> inputs,
                                         const std::vector<std::int64_t>& sizes) {
  const OpId id(problem_.ops.size());
  memory::Op op;
  op.name = fmt::format("op{}", id.index());
  op.inputs = std::move(inputs);
  for (const std::int64_t size : sizes) op.outputs.push_back(Add(size, id));
  problem_.ops.push_back(op);
  return op.outputs;
}

ValueId ProblemBuilder::Op(std::vector<ValueId> inputs, std::int64_t size_bytes) {
  return Ops(std::move(inputs), {size_bytes}).front();
}

ValueId ProblemBuilder::View(ValueId source, std::int64_t offset_bytes, std::int64_t size_bytes) {
  const ValueId view = Op({source}, size_bytes);
  problem_.value(view).view = memory::View{source, offset_bytes};
  return view;
}

ValueId ProblemBuilder::InPlace(std::vector<ValueId> inputs, std::int64_t size_bytes) {
  const ValueId output = Op(inputs, size_bytes);
  for (const ValueId input : inputs) {
    if (problem_.value(input).size_bytes >= size_bytes) Candidate(output, input);
  }
  return output;
}

ProblemBuilder& ProblemBuilder::Output(ValueId value) {
  problem_.value(value).is_output = true;
  return *this;
}

ProblemBuilder& ProblemBuilder::Preserve(ValueId value) {
  problem_.value(value).is_preserved = true;
  return *this;
}

ProblemBuilder& ProblemBuilder::Outside(ValueId value) {
  problem_.value(value).in_arena = false;
  return *this;
}

ProblemBuilder& ProblemBuilder::Workspace(ValueId of_producer, std::int64_t bytes) {
  problem_.op(problem_.value(of_producer).producer).workspace_bytes = bytes;
  return *this;
}

ProblemBuilder& ProblemBuilder::Candidate(ValueId output, ValueId input) {
  problem_.op(problem_.value(output).producer).in_place.push_back({output, input});
  return *this;
}

Problem ProblemBuilder::Build() const {
  const Status status = Validate(problem_);
  if (!status.ok()) {
    fmt::print(stderr, "the test's problem is wrong: {}\n", status.error().ToString());
    std::abort();
  }
  return problem_;
}

}  // namespace opass::memory::testing
