#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "opass/analysis/pose_problem.h"
#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"
#include "opass/planner/planner.h"
#include "opass/support/result.h"

// How a graph on the way of a search is scheduled: in stages, each dearer and better.
namespace opass::orchestrator {

// The memory problem of a graph, ready for schedulers.
class StateProblem {
 public:
  static Result<std::unique_ptr<const StateProblem>> Make(const ir::Model& model,
                                                          const analysis::PoseOptions& options);

  const analysis::PosedProblem& posed() const { return posed_; }
  const memory::StorageGraph& graph() const { return graph_; }

 private:
  explicit StateProblem(analysis::PosedProblem posed)
      : posed_(std::move(posed)), graph_(posed_.problem) {}

  analysis::PosedProblem posed_;
  memory::StorageGraph graph_;  // of posed_
};

// What no order goes below, by the largest operator, what is resident, and a few minimum cuts.
std::int64_t QuickBound(const memory::StorageGraph& graph);

// The best of the near-linear schedulers.
Result<memory::Schedule> NearLinearSchedule(const memory::StorageGraph& graph);

// `near_linear`, improved by a short exact search where it is above `bound_bytes`.
Result<memory::Schedule> QuickSchedule(const memory::StorageGraph& graph,
                                       const memory::Schedule& near_linear,
                                       std::int64_t bound_bytes);

// The order that the planner finds, never worse than `quick`: of the lowest peak, and of those the
// lowest PowerMean.
Result<memory::Schedule> FullSchedule(const memory::StorageGraph& graph,
                                      const memory::Schedule& quick,
                                      const planner::PlanOptions& options);

// Which values have bytes live at the step of the peak, by ir::ValueId.
std::vector<bool> ValuesAtPeak(const StateProblem& problem, const memory::Schedule& schedule);

}  // namespace opass::orchestrator
