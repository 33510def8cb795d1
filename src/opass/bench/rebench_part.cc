#include "opass/bench/rebench_part.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::bench {

std::vector<std::string> ChosenGraphs(const RebenchSettings& settings) {
  constexpr int kNumGraphs = 36;
  std::vector<std::string> graphs;
  for (int i = 1; i <= kNumGraphs; ++i) graphs.push_back(fmt::format("{:02}", i));
  graphs.insert(graphs.end(), {"transformer", "resnet18_train"});
  if (settings.only.empty()) return graphs;
  std::erase_if(graphs, [&](const std::string& graph) {
    return std::ranges::count(settings.only, graph) == 0;
  });
  return graphs;
}

}  // namespace opass::bench
