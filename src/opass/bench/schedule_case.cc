#include "opass/bench/schedule_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "opass/memory/storage.h"
#include "opass/planner/order_search.h"
#include "opass/reports/report.h"

namespace opass::bench {

double ScheduleCase::gap_percent() const { return 100 * reports::Gap(peak_bytes, bound_bytes); }

std::string ScheduleCase::GapText() const {
  return proven() ? "proven" : fmt::format("{:.2f} %", gap_percent());
}

std::int64_t ScheduleCase::PeakOf(const std::string& scheduler) const {
  const auto found = std::ranges::find(tried, scheduler, &planner::SchedulerPeak::scheduler);
  return found == tried.end() ? 0 : found->peak_bytes;
}

Result<ScheduleCase> SolveCase(const memory::Problem& problem) {
  OPASS_RETURN_IF_ERROR(memory::Validate(problem));
  const auto start = std::chrono::steady_clock::now();
  const memory::StorageGraph graph(problem);
  OPASS_ASSIGN_OR_RETURN(planner::OrderSearch found, planner::SearchOrders(graph, {}));
  ScheduleCase solved;
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  solved.name = problem.name;
  solved.num_ops = graph.num_ops();
  solved.file_order_bytes = found.file_order.peak_bytes;
  solved.peak_bytes = found.best.front().schedule.peak_bytes;
  solved.bound_bytes = found.bound.bytes;
  solved.nodes = found.bound.search.nodes;
  for (const auto& segment : found.bound.segments) solved.nodes += segment.bound.search.nodes;
  solved.tried = std::move(found.tried);
  return solved;
}

}  // namespace opass::bench
