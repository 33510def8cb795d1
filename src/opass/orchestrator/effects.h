#pragma once

#include <cstdint>
#include <vector>

#include "opass/orchestrator/transfer_graph.h"

namespace opass::orchestrator {

// What actions of a kind are worth, learnt while searching one graph: the direct effect is the
// gain of the objective, the implicit effect is the worth of the kinds that an action makes
// possible less the worth of those that it makes impossible, discounted
// (docs/orchestration.md). Gains are fractions of the start's peak.
//
// What was learnt on other graphs would come in here: as AddDirect before the search.
class Effects {
 public:
  explicit Effects(const TransferGraph& graph, bool implicit)
      : graph_(graph), implicit_(implicit) {}

  void AddDirect(KindId kind, double gain);

  // The mean gain, drawn towards the mean of its pass while little was seen; 0 of a pass of which
  // nothing was seen.
  double Direct(KindId kind) const;
  // Discounted; from the worths of the kinds as of the last Refresh.
  double Implicit(KindId kind) const;
  // The sum, as of the last Refresh; 0 of a kind that came later.
  double Worth(KindId kind) const {
    return kind.index() < worth_.size() ? worth_[kind.index()] : 0;
  }

  // Propagates what is known to the kinds that enabled and destroyed it: after news.
  void Refresh();

 private:
  struct Sum {
    double gain = 0;
    std::int64_t count = 0;
  };

  const TransferGraph& graph_;
  bool implicit_;
  std::vector<Sum> by_kind_;
  std::vector<Sum> by_pass_;
  std::vector<double> worth_;  // by kind
};

}  // namespace opass::orchestrator
