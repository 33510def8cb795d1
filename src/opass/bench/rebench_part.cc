#include "opass/bench/rebench_part.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::bench {

bool IsReBench(const std::string& graph) { return graph.size() == 2; }

std::vector<std::string> ChosenGraphs(const RebenchSettings& settings) {
  std::vector<std::string> graphs;
  for (std::size_t i = 1; i <= kNumReBench; ++i) graphs.push_back(fmt::format("{:02}", i));
  graphs.insert(graphs.end(), {"transformer", "resnet18_train"});
  if (settings.only.empty()) return graphs;
  std::erase_if(graphs, [&](const std::string& graph) {
    return std::ranges::count(settings.only, graph) == 0;
  });
  return graphs;
}

}  // namespace opass::bench
