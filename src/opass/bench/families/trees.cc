#include <algorithm>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

ValueId BuildPart(FamilyBuilder& b, ValueId x, std::int64_t num_ops);

// Up to four parts beside each other between a fork and a join.
ValueId BuildParallel(FamilyBuilder& b, ValueId x, std::int64_t num_ops) {
  const std::int64_t num_branches = std::min(num_ops, b.Draw(2, 4));
  const ValueId fork = b.Op({x}, b.Draw(1, 40));
  std::vector<ValueId> branches;
  std::int64_t total = 0;
  std::int64_t left = num_ops;
  for (std::int64_t i = 0; i < num_branches; ++i) {
    std::int64_t share = left;
    if (i < num_branches - 1) {
      const std::int64_t wish = b.Draw(1, std::max<std::int64_t>(1, 2 * num_ops / num_branches));
      share = std::max<std::int64_t>(1, std::min(left - (num_branches - 1 - i), wish));
    }
    left -= share;
    branches.push_back(BuildPart(b, fork, share));
    total += b.size(branches.back());
  }
  return b.Op(branches, b.DrawBool() ? total : b.Draw(1, 40));
}

ValueId BuildPart(FamilyBuilder& b, ValueId x, std::int64_t num_ops) {
  if (num_ops <= 1) {
    const Kind kind = b.Draw(0, 2) == 0 ? Kind::kElementwise : Kind::kCompute;
    return b.Op({x}, b.Draw(1, 40), kind);
  }
  if (!b.DrawBool()) return BuildParallel(b, x, num_ops);
  const std::int64_t first = b.Draw(1, num_ops - 1);
  return BuildPart(b, BuildPart(b, x, first), num_ops - first);
}

}  // namespace

void BuildInTree(FamilyBuilder& b, std::int64_t size) {
  std::vector<ValueId> roots;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(2, size / 2); ++i) {
    const ValueId nothing = b.Input(0);
    roots.push_back(b.Op({nothing}, b.Draw(1, 50)));
  }
  while (roots.size() > 1) {
    const std::int64_t num_children =
        std::min(static_cast<std::int64_t>(roots.size()), b.Draw(1, 3));
    std::vector<ValueId> children;
    for (std::int64_t i = 0; i < num_children; ++i) {
      const auto k =
          static_cast<std::size_t>(b.Draw(0, static_cast<std::int64_t>(roots.size()) - 1));
      children.push_back(roots[k]);
      roots[k] = roots.back();
      roots.pop_back();
    }
    roots.push_back(b.Op(children, b.Draw(1, 50)));
  }
}

// The shape that makes the problem hard (Jin et al., arXiv 2312.13526).
void BuildOutTree(FamilyBuilder& b, std::int64_t size) {
  std::vector<ValueId> nodes{b.Op({b.Input(0)}, 20)};
  while (static_cast<std::int64_t>(b.num_ops()) < size * 2 / 3) {
    const auto last = static_cast<std::int64_t>(nodes.size()) - 1;
    const std::int64_t parent = b.Draw(std::max<std::int64_t>(0, last - 11), last);
    nodes.push_back(b.Op({nodes[static_cast<std::size_t>(parent)]}, b.Draw(1, 50)));
  }
  std::vector<ValueId> leaves;
  for (const ValueId node : nodes) {
    if (!b.IsRead(node)) leaves.push_back(b.Op({node}, b.Draw(1, 4)));
  }
  b.Op(leaves, 1);
}

void BuildSeriesParallel(FamilyBuilder& b, std::int64_t size) {
  BuildPart(b, b.Input(10), size * 3 / 4);
}

}  // namespace opass::bench
