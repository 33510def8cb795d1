#include "opass/passes/transposes.h"

#include <algorithm>

#include "opass/passes/rewrite.h"

namespace opass::passes {

std::optional<Perm> PermOf(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("Transpose") || !HasOneResult(node)) return std::nullopt;
  const auto dims = DimsOf(graph, node.inputs[0]);
  if (!dims) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(dims->size());
  Perm perm;
  if (const auto* given = node.Ints("perm")) {
    perm = *given;
  } else {
    for (std::int64_t i = rank; i-- > 0;) perm.push_back(i);
  }
  Perm sorted = perm;
  std::ranges::sort(sorted);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(sorted.size()); ++i) {
    if (sorted[static_cast<std::size_t>(i)] != i) return std::nullopt;
  }
  return static_cast<std::int64_t>(perm.size()) == rank ? std::optional(perm) : std::nullopt;
}

Perm Compose(const Perm& first, const Perm& second) { return PermuteDims(first, second); }

Perm Inverse(const Perm& perm) {
  Perm inverse(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) {
    inverse[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  }
  return inverse;
}

bool IsIdentity(const Perm& perm) { return std::ranges::is_sorted(perm); }

bool SwapsLastTwo(const Perm& perm) {
  if (perm.size() < 2) return false;
  Perm swapped = perm;
  std::swap(swapped[perm.size() - 1], swapped[perm.size() - 2]);
  return IsIdentity(swapped);
}

std::vector<std::int64_t> PermuteDims(const std::vector<std::int64_t>& dims, const Perm& perm) {
  std::vector<std::int64_t> permuted;
  for (const std::int64_t axis : perm) permuted.push_back(dims[static_cast<std::size_t>(axis)]);
  return permuted;
}

}  // namespace opass::passes
