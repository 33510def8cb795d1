#include <algorithm>
#include <array>
#include <set>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

constexpr Kind kElementwise = Kind::kElementwise;

// How one block of a cell joins two earlier values.
struct Gene {
  std::array<std::int64_t, 2> input;      // which: 0 and 1 are what the cell reads
  std::array<std::int64_t, 2> operation;  // 0: none, 1: one, 2: two separable, 3: one separable
};

std::vector<Gene> DrawGenes(FamilyBuilder& b) {
  std::vector<Gene> genes(5);
  std::int64_t last = 1;
  for (Gene& gene : genes) {
    for (std::int64_t& input : gene.input) input = b.Draw(0, last);
    for (std::int64_t& operation : gene.operation) operation = b.Draw(0, 3);
    ++last;
  }
  return genes;
}

ValueId Operate(FamilyBuilder& b, ValueId y, std::int64_t operation, std::int64_t bytes) {
  if (operation == 0) return y;
  if (operation == 1) return b.Op({y}, bytes);
  for (int k = 0; k < (operation == 2 ? 2 : 1); ++k) {
    y = b.Op({y}, bytes, kElementwise);
    y = b.Op({b.Op({y}, bytes)}, bytes);
  }
  return y;
}

ValueId Cell(FamilyBuilder& b, const std::vector<Gene>& genes, ValueId last_but_one, ValueId last,
             std::int64_t bytes) {
  std::vector<ValueId> values;
  for (const ValueId input : {last_but_one, last}) {
    values.push_back(b.Op({b.Op({input}, b.size(input), kElementwise)}, bytes));
  }
  std::set<std::int64_t> used;
  for (const Gene& gene : genes) {
    std::array<ValueId, 2> operands;
    for (std::size_t i = 0; i < 2; ++i) {
      used.insert(gene.input[i]);
      operands[i] =
          Operate(b, values[static_cast<std::size_t>(gene.input[i])], gene.operation[i], bytes);
    }
    values.push_back(b.Op({operands[0], operands[1]}, bytes, kElementwise));
  }
  std::vector<ValueId> unused;
  for (std::size_t i = 2; i < values.size(); ++i) {
    if (!used.contains(static_cast<std::int64_t>(i))) unused.push_back(values[i]);
  }
  if (unused.size() < 2) unused = {values[5], values[6]};
  return b.Op(unused, bytes * static_cast<std::int64_t>(unused.size()));
}

// Two reductions on the way: four times fewer pixels, twice the channels. Returns the loss.
ValueId Net(FamilyBuilder& b, std::int64_t num_cells) {
  std::int64_t channels = 16;
  std::int64_t pixels = 64;
  ValueId last = b.Op({b.Input(48)}, pixels * channels / 8);
  ValueId last_but_one = last;
  const std::vector<Gene> genes = DrawGenes(b);
  for (std::int64_t i = 0; i < num_cells; ++i) {
    if (num_cells >= 3 && (i == num_cells / 3 || i == 2 * num_cells / 3)) {
      channels *= 2;
      pixels /= 4;
    }
    const ValueId output = Cell(b, genes, last_but_one, last, pixels * channels / 8);
    last_but_one = last;
    last = output;
  }
  return b.Op({last}, 1);
}

}  // namespace

void BuildNasCell(FamilyBuilder& b, std::int64_t size) {
  Net(b, std::max<std::int64_t>(1, size / 45));
}

void BuildTrainNas(FamilyBuilder& b, std::int64_t size) {
  b.Differentiate(Net(b, std::max<std::int64_t>(1, size / 150)));
}

}  // namespace opass::bench
