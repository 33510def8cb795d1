#include <algorithm>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

constexpr std::int64_t kWidth = 6;
constexpr std::int64_t kLocalWidth = 8;

Kind DrawKind(FamilyBuilder& b) { return b.DrawBool() ? Kind::kElementwise : Kind::kCompute; }

std::vector<ValueId> DrawInputs(FamilyBuilder& b, std::int64_t width) {
  std::vector<ValueId> inputs;
  for (std::int64_t i = 0; i < width; ++i) inputs.push_back(b.Input(b.Draw(1, 64)));
  return inputs;
}

}  // namespace

void BuildLayered(FamilyBuilder& b, std::int64_t size) {
  std::vector<ValueId> last = DrawInputs(b, kWidth);
  std::vector<ValueId> last_but_one = last;
  for (std::int64_t layer = 0; layer < std::max<std::int64_t>(2, size / kWidth); ++layer) {
    std::vector<ValueId> current;
    for (std::int64_t i = 0; i < kWidth; ++i) {
      std::vector<ValueId> inputs;
      const std::int64_t num_inputs = b.Draw(1, 3);
      for (std::int64_t k = 0; k < num_inputs; ++k) {
        const std::vector<ValueId>& from = b.Draw(0, 3) != 0 ? last : last_but_one;
        inputs.push_back(from[static_cast<std::size_t>(b.Draw(0, kWidth - 1))]);
      }
      const std::int64_t bytes = b.Draw(1, 64);
      current.push_back(b.Op(inputs, bytes, DrawKind(b)));
    }
    last_but_one = last;
    last = current;
  }
}

void BuildLayeredLocal(FamilyBuilder& b, std::int64_t size) {
  std::vector<ValueId> last = DrawInputs(b, kLocalWidth);
  for (std::int64_t layer = 0; layer < std::max<std::int64_t>(2, size / kLocalWidth); ++layer) {
    std::vector<ValueId> current;
    for (std::int64_t i = 0; i < kLocalWidth; ++i) {
      std::vector<ValueId> inputs;
      const std::int64_t num_inputs = b.Draw(1, 2);
      for (std::int64_t k = 0; k < num_inputs; ++k) {
        const std::int64_t neighbour = (i + b.Draw(-1, 1) + kLocalWidth) % kLocalWidth;
        inputs.push_back(last[static_cast<std::size_t>(neighbour)]);
      }
      const std::int64_t bytes = std::int64_t{1} << b.Draw(0, 6);
      current.push_back(b.Op(inputs, bytes, DrawKind(b)));
    }
    last = current;
  }
}

}  // namespace opass::bench
