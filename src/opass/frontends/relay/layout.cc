// layout_transform: axes are reordered, split (NCHW to NCHW4c) and merged again.
//
// The elements go through a shape in which every small axis follows its large one:
//   NCHW4c -> Transpose -> N,C/4,4,H,W -> Reshape -> N,C/8,8,H,W -> Transpose -> NCHW8c
#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

constexpr std::int64_t kMaxFactor = 1 << 20;

struct LayoutAxis {
  char letter = 0;          // upper case
  std::int64_t factor = 0;  // of a small axis; 0: the large one
};

// "NCHW4c" as its axes; nothing when it is no layout.
std::optional<std::vector<LayoutAxis>> ParseLayout(std::string_view text) {
  std::vector<LayoutAxis> axes;
  std::int64_t factor = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      factor = factor * 10 + (c - '0');
      if (factor > kMaxFactor) return std::nullopt;
      continue;
    }
    const bool is_small = c >= 'a' && c <= 'z';
    if (is_small != (factor > 0) || (!is_small && (c < 'A' || c > 'Z'))) return std::nullopt;
    axes.push_back({static_cast<char>(is_small ? c - 'a' + 'A' : c), factor});
    factor = 0;
  }
  for (const LayoutAxis& axis : axes) {
    const auto is_same = [&](const LayoutAxis& other) {
      return other.letter == axis.letter && (other.factor > 0) == (axis.factor > 0);
    };
    const auto is_large = [&](const LayoutAxis& other) {
      return other.letter == axis.letter && other.factor == 0;
    };
    if (std::ranges::count_if(axes, is_same) != 1) return std::nullopt;
    if (std::ranges::none_of(axes, is_large)) return std::nullopt;
  }
  return factor == 0 ? std::optional(axes) : std::nullopt;
}

// The axes of a layout in the order of these letters, each large one with its small one behind it,
// as positions in the layout.
Dims InOrder(const std::vector<LayoutAxis>& axes, std::string_view letters) {
  Dims positions;
  for (const char letter : letters) {
    for (const bool small : {false, true}) {
      for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].letter == letter && (axes[i].factor > 0) == small) {
          positions.push_back(static_cast<std::int64_t>(i));
        }
      }
    }
  }
  return positions;
}

// 0: the layout does not split the axis.
std::int64_t FactorOf(const std::vector<LayoutAxis>& axes, char letter) {
  for (const LayoutAxis& axis : axes) {
    if (axis.letter == letter && axis.factor > 0) return axis.factor;
  }
  return 0;
}

std::string LettersOf(const std::vector<LayoutAxis>& axes) {
  std::string letters;
  for (const LayoutAxis& axis : axes) {
    if (axis.factor == 0) letters += axis.letter;
  }
  return letters;
}

Dims Inverse(const Dims& permutation) {
  Dims inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
  }
  return inverse;
}

bool SameLetters(std::string a, std::string b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

// The shape between the two transposes; nothing when a size is no multiple of its factor.
std::optional<Dims> SplitDims(const std::vector<LayoutAxis>& from,
                              const std::vector<LayoutAxis>& to, const Dims& dims) {
  Dims split;
  for (const char letter : LettersOf(from)) {
    Dims parts;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i].letter != letter) continue;
      if (from[i].factor > 0 && dims[i] != from[i].factor) return std::nullopt;
      parts.push_back(dims[i]);
    }
    const auto size = Product(parts);
    const std::int64_t factor = FactorOf(to, letter);
    if (!size || *size % std::max<std::int64_t>(factor, 1) != 0) return std::nullopt;
    split.push_back(*size / std::max<std::int64_t>(factor, 1));
    if (factor > 0) split.push_back(factor);
  }
  return split;
}

Item LayoutTransform(Call& call) {
  Builder& builder = call.builder();
  const std::string source = call.Text("src_layout", "");
  const std::string target = call.Text("dst_layout", "");
  const auto from = ParseLayout(source);
  const auto to = ParseLayout(target);
  if (call.failed()) return {};
  if (!from || !to || !SameLetters(LettersOf(*from), LettersOf(*to))) {
    return call.Fail(fmt::format("no way from layout \"{}\" to \"{}\" is known", source, target));
  }
  call.ExpectRank(0, from->size());
  if (call.failed()) return {};
  const auto split = SplitDims(*from, *to, call.DimsOf(0));
  if (!split) {
    return call.Fail(fmt::format("{} does not fit the layouts \"{}\" and \"{}\"",
                                 builder.Describe(call.argument(0)), source, target));
  }
  const std::string letters = LettersOf(*from);
  const ir::ValueId together = builder.Transpose(call.argument(0), InOrder(*from, letters));
  return builder.Transpose(builder.Reshape(together, *split), Inverse(InOrder(*to, letters)));
}

constexpr Operator kRows[] = {{"layout_transform", 1, 1, LayoutTransform}};

}  // namespace

std::span<const Operator> LayoutOperators() { return kRows; }

}  // namespace opass::frontends::relay
