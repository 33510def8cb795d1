#include <algorithm>
#include <optional>
#include <set>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

// An undirected graph: neighbours in ascending order.
using Wiring = std::vector<std::set<std::int64_t>>;

constexpr std::int64_t kOpsPerNode = 6;
constexpr std::int64_t kChannels = 8;

std::int64_t NumNodes(std::int64_t size) { return std::max<std::int64_t>(4, size / kOpsPerNode); }

std::set<std::int64_t>& At(Wiring& wiring, std::int64_t node) {
  return wiring[static_cast<std::size_t>(node)];
}

void Join(Wiring& wiring, std::int64_t a, std::int64_t b) {
  At(wiring, a).insert(b);
  At(wiring, b).insert(a);
}

// Moves the edge's far end to a random node that is not a neighbour yet.
void Rewire(FamilyBuilder& b, Wiring& wiring, std::int64_t node, std::int64_t neighbour) {
  const auto num_nodes = static_cast<std::int64_t>(wiring.size());
  for (int tries = 0; tries < 100; ++tries) {
    const std::int64_t target = b.Draw(0, num_nodes - 1);
    if (target == node || At(wiring, node).contains(target)) continue;
    At(wiring, node).erase(neighbour);
    At(wiring, neighbour).erase(node);
    Join(wiring, node, target);
    return;
  }
}

// A ring in which everyone knows the two next ones; three edges of four are rewired.
Wiring WattsStrogatz(FamilyBuilder& b, std::int64_t num_nodes) {
  Wiring wiring(static_cast<std::size_t>(num_nodes));
  for (int distance = 1; distance <= 2; ++distance) {
    for (std::int64_t i = 0; i < num_nodes; ++i) Join(wiring, i, (i + distance) % num_nodes);
  }
  for (int distance = 1; distance <= 2; ++distance) {
    for (std::int64_t i = 0; i < num_nodes; ++i) {
      const std::int64_t neighbour = (i + distance) % num_nodes;
      if (b.Draw(0, 99) < 75 && At(wiring, i).contains(neighbour)) Rewire(b, wiring, i, neighbour);
    }
  }
  return wiring;
}

// Everyone joins two others, those with many neighbours more likely.
Wiring BarabasiAlbert(FamilyBuilder& b, std::int64_t num_nodes) {
  Wiring wiring(static_cast<std::size_t>(num_nodes));
  std::vector<std::int64_t> ends;
  for (std::int64_t i = 0; i < num_nodes; ++i) {
    std::set<std::int64_t> targets;
    while (static_cast<std::int64_t>(targets.size()) < std::min<std::int64_t>(i, 2)) {
      const bool by_degree = !ends.empty() && b.Draw(0, 3) != 0;
      targets.insert(by_degree ? ends[static_cast<std::size_t>(
                                     b.Draw(0, static_cast<std::int64_t>(ends.size()) - 1))]
                               : b.Draw(0, i - 1));
    }
    for (const std::int64_t target : targets) {
      Join(wiring, i, target);
      ends.push_back(i);
      ends.push_back(target);
    }
  }
  return wiring;
}

// Everyone joins two others that are at most twelve away.
Wiring ErdosRenyi(FamilyBuilder& b, std::int64_t num_nodes) {
  Wiring wiring(static_cast<std::size_t>(num_nodes));
  for (std::int64_t i = 0; i < num_nodes; ++i) {
    for (int k = 0; k < 2; ++k) {
      const std::int64_t j =
          b.Draw(std::max<std::int64_t>(0, i - 12), std::min(num_nodes - 1, i + 12));
      if (j != i) Join(wiring, i, j);
    }
  }
  return wiring;
}

// Edges lead from lower to higher nodes. A node weighs and adds what it reads, then computes.
void BuildNet(FamilyBuilder& b, const Wiring& wiring, bool random_sizes) {
  const std::size_t num_nodes = wiring.size();
  const ValueId x = b.Input(4 * kChannels);
  std::vector<std::int64_t> sizes(num_nodes, kChannels);
  if (random_sizes) {
    for (std::int64_t& size : sizes) size = b.Draw(2, 16);
  }
  std::vector<ValueId> outputs(num_nodes);
  std::vector<bool> is_read(num_nodes, false);
  for (std::size_t v = 0; v < num_nodes; ++v) {
    ValueId sum;
    for (const std::int64_t neighbour : wiring[v]) {
      const auto u = static_cast<std::size_t>(neighbour);
      if (u >= v) continue;
      is_read[u] = true;
      const ValueId weighted = b.Op({outputs[u]}, sizes[v], Kind::kElementwise);
      sum = sum.valid() ? b.Op({sum, weighted}, sizes[v], Kind::kElementwise) : weighted;
    }
    if (!sum.valid()) sum = x;
    const ValueId relu = b.Op({sum}, b.size(sum), Kind::kElementwise);
    outputs[v] = b.Op({b.Op({relu}, b.size(relu))}, sizes[v]);
  }
  ValueId sum;
  for (std::size_t v = 0; v < num_nodes; ++v) {
    if (is_read[v]) continue;
    sum = sum.valid() ? b.Op({sum, outputs[v]}, kChannels, Kind::kElementwise) : outputs[v];
  }
  b.Op({sum}, 1);
}

}  // namespace

void BuildWattsStrogatz(FamilyBuilder& b, std::int64_t size) {
  BuildNet(b, WattsStrogatz(b, NumNodes(size)), /*random_sizes=*/false);
}

void BuildWattsStrogatzRandomSizes(FamilyBuilder& b, std::int64_t size) {
  BuildNet(b, WattsStrogatz(b, NumNodes(size)), /*random_sizes=*/true);
}

void BuildBarabasiAlbert(FamilyBuilder& b, std::int64_t size) {
  BuildNet(b, BarabasiAlbert(b, NumNodes(size)), /*random_sizes=*/false);
}

void BuildErdosRenyi(FamilyBuilder& b, std::int64_t size) {
  BuildNet(b, ErdosRenyi(b, NumNodes(size)), /*random_sizes=*/false);
}

}  // namespace opass::bench
