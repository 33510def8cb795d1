#include <cmath>

#include "opass/bench/families/builders.h"

namespace opass::bench {

using memory::ValueId;

void BuildButterfly(FamilyBuilder& b, std::int64_t size) {
  int stages = 1;
  while ((stages + 1) * (std::int64_t{1} << stages) <= size) ++stages;
  const std::size_t width = std::size_t{1} << stages;
  std::vector<ValueId> row;
  for (std::size_t i = 0; i < width; ++i) row.push_back(b.Input(1));
  for (int stage = 0; stage < stages; ++stage) {
    std::vector<ValueId> next(width);
    for (std::size_t i = 0; i < width; ++i) {
      next[i] = b.Op({row[i], row[i ^ (std::size_t{1} << stage)]}, 1, Kind::kElementwise);
    }
    row = next;
  }
}

void BuildPyramid(FamilyBuilder& b, std::int64_t size) {
  std::int64_t height = 2;
  while (height * (height + 1) / 2 < size) ++height;
  std::vector<ValueId> row;
  for (std::int64_t i = 0; i < height; ++i) {
    const ValueId nothing = b.Input(0);
    row.push_back(b.Op({nothing}, b.Draw(1, 4)));
  }
  while (row.size() > 1) {
    std::vector<ValueId> next;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      next.push_back(b.Op({row[i], row[i + 1]}, b.Draw(1, 4)));
    }
    row = next;
  }
}

void BuildGrid(FamilyBuilder& b, std::int64_t size) {
  auto width =
      std::max<std::int64_t>(2, static_cast<std::int64_t>(std::sqrt(static_cast<double>(size))));
  if (width > 60) width = 24;
  const std::int64_t height = std::max<std::int64_t>(2, size / width);
  const ValueId x = b.Input(1);
  std::vector<ValueId> above(static_cast<std::size_t>(width));
  for (std::int64_t i = 0; i < height; ++i) {
    ValueId left;
    for (ValueId& cell : above) {
      std::vector<ValueId> inputs;
      if (cell.valid()) inputs.push_back(cell);
      if (left.valid()) inputs.push_back(left);
      if (inputs.empty()) inputs.push_back(x);
      cell = b.Op(inputs, b.Draw(1, 9));
      left = cell;
    }
  }
}

}  // namespace opass::bench
