#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::bench {

// What a generated operator is to sharing and to differentiation.
enum class Kind {
  kCompute,      // a convolution, a matrix product: has parameters, never in place
  kElementwise,  // may take over an input that is large enough
};

// Writes the memory problem of a generated network, operator after operator. Sizes are small
// numbers of bytes, the alignment is 1, every operator has one output.
class FamilyBuilder {
 public:
  FamilyBuilder(std::string name, std::uint64_t seed, bool in_place);

  // A number of [low, high]; the same sequence on every machine.
  std::int64_t Draw(std::int64_t low, std::int64_t high);
  bool DrawBool() { return Draw(0, 1) == 1; }

  memory::ValueId Input(std::int64_t size_bytes);
  memory::ValueId Op(std::vector<memory::ValueId> inputs, std::int64_t size_bytes,
                     Kind kind = Kind::kCompute);
  std::int64_t size(memory::ValueId id) const { return problem_.value(id).size_bytes; }
  std::size_t num_ops() const { return problem_.ops.size(); }
  std::size_t num_values() const { return problem_.values.size(); }
  bool IsRead(memory::ValueId id) const { return is_read_[id.index()]; }

  // Reverse-mode differentiation: for every operator, last first, the gradients of what it reads
  // and (kCompute) of its parameters, which are outputs.
  void Differentiate(memory::ValueId loss);

  // The valid problem; what nobody reads is an output.
  memory::Problem Finish();

 private:
  memory::ValueId SumOf(const std::vector<memory::ValueId>& gradients, std::int64_t size_bytes);

  memory::Problem problem_;
  std::vector<Kind> kind_;     // per operator
  std::vector<bool> is_read_;  // per value
  std::mt19937_64 random_;
  bool in_place_;
};

}  // namespace opass::bench
