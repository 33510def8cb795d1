#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::memory::testing {

// Writes small problems tersely: names are made of the ids (v0, v1, ...; op0, op1, ...). Alignment
// is 1 unless told otherwise, so that sizes in tests read as they are.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(std::int64_t alignment = 1);

  ValueId Input(std::int64_t size_bytes);
  // An operator with one output; returns the output.
  ValueId Op(std::vector<ValueId> inputs, std::int64_t size_bytes);
  // An operator with an output of every size; returns them.
  std::vector<ValueId> Ops(std::vector<ValueId> inputs, const std::vector<std::int64_t>& sizes);
  // An operator whose output is a part of `source`.
  ValueId View(ValueId source, std::int64_t offset_bytes, std::int64_t size_bytes);
  // The operator with one output that may take over any of its inputs it fits in, in order.
  ValueId InPlace(std::vector<ValueId> inputs, std::int64_t size_bytes);

  ProblemBuilder& Output(ValueId value);
  ProblemBuilder& Preserve(ValueId value);
  ProblemBuilder& Outside(ValueId value);
  ProblemBuilder& Workspace(ValueId of_producer, std::int64_t bytes);
  ProblemBuilder& Candidate(ValueId output, ValueId input);

  Problem& problem() { return problem_; }
  // The valid problem; aborts the test when Validate refuses it.
  Problem Build() const;

 private:
  ValueId Add(std::int64_t size_bytes, OpId producer);

  Problem problem_;
};

}  // namespace opass::memory::testing
