#include "opass/planner/order_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "opass/bounds/lower_bound.h"
#include "opass/bounds/simple_bounds.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/exact.h"
#include "opass/schedulers/search/sweep.h"
#include "opass/schedulers/search/window_starts.h"
#include "opass/support/interrupt.h"

namespace opass::planner {
namespace {

using schedulers::Scheduler;

// These take milliseconds. The others run only when a lower bound leaves room.
constexpr std::string_view kQuick[] = {"file_order", "depth_first", "greedy"};
// Starts from the best order of all others, and proves as well.
constexpr std::string_view kExact = "exact";
// Lowers the quick orders in milliseconds.
constexpr std::string_view kSweep = "sweep";
// Lowers them further, and what the exact search found late. Smaller problems are searched as a
// whole.
constexpr std::string_view kWindows = "windows";
constexpr std::size_t kMinOpsForWindows = 1000;
// Nodes before the slower schedulers run: many problems need no more, and few are lost with it.
constexpr std::uint64_t kQuickNodes = 100'000;
// Large problems that are not proven early are not proven late either.
constexpr std::size_t kLarge = 2000;
constexpr std::uint64_t kQuickNodesOfLarge = 30'000;
constexpr std::uint64_t kNodesOfProbe = 10'000;
constexpr std::uint64_t kNodesOfLarge = 250'000;

Error UnknownScheduler(const std::string& name) {
  std::string known = "auto";
  for (const Scheduler& scheduler : schedulers::Schedulers()) {
    known += fmt::format(", {}", scheduler.name);
  }
  return InvalidInput(fmt::format("there is no scheduler '{}'", name), "", "one of " + known);
}

class Search {
 public:
  Search(const memory::StorageGraph& graph, const PlanOptions& options)
      : graph_(graph), options_(options) {}

  Result<OrderSearch> Run() {
    std::vector<memory::OpId> file_order;
    for (std::size_t i = 0; i < graph_.num_ops(); ++i) file_order.emplace_back(i);
    OPASS_ASSIGN_OR_RETURN(found_.file_order, memory::Evaluate(graph_, std::move(file_order)));
    if (options_.scheduler == "auto") {
      OPASS_RETURN_IF_ERROR(RunAll());
      return std::move(found_);
    }
    const Scheduler* scheduler = schedulers::FindScheduler(options_.scheduler);
    if (scheduler == nullptr) return UnknownScheduler(options_.scheduler);
    OPASS_RETURN_IF_ERROR(Try(*scheduler));
    Bound();
    if (options_.scheduler == kExact) OPASS_RETURN_IF_ERROR(Prove({}));
    return std::move(found_);
  }

 private:
  std::int64_t peak() const { return found_.best.front().schedule.peak_bytes; }

  void Tell(std::string_view stage) const {
    if (!options_.on_progress) return;
    PlanProgress progress{std::string(stage), std::nullopt, std::nullopt};
    if (!found_.best.empty()) progress.peak_bytes = peak();
    if (found_.bound.bytes > 0) progress.lower_bound_bytes = found_.bound.bytes;
    options_.on_progress(progress);
  }

  Status RunAll() {
    const std::int64_t at_least =
        std::max(bounds::ResidentBound(graph_).bytes, bounds::LargestOperatorBound(graph_).bytes);
    for (const std::string_view name : kQuick) {
      const Scheduler* scheduler = schedulers::FindScheduler(name);
      if (scheduler == nullptr) continue;
      OPASS_RETURN_IF_ERROR(Try(*scheduler));
      if (peak() == at_least || Interrupted()) break;
    }
    Bound();
    OPASS_RETURN_IF_ERROR(SweepAll());
    OPASS_RETURN_IF_ERROR(Probe());
    OPASS_RETURN_IF_ERROR(Windows(orders_));
    schedulers::ExactOptions quick;
    quick.max_nodes = graph_.num_ops() > kLarge ? kQuickNodesOfLarge : kQuickNodes;
    OPASS_RETURN_IF_ERROR(Prove(quick));
    for (const Scheduler& scheduler : schedulers::Schedulers()) {
      if (std::find(std::begin(kQuick), std::end(kQuick), scheduler.name) != std::end(kQuick) ||
          scheduler.name == kSweep || scheduler.name == kExact || scheduler.name == kWindows) {
        continue;
      }
      if (peak() == found_.bound.bytes || Interrupted()) return {};
      OPASS_RETURN_IF_ERROR(Try(scheduler));
    }
    schedulers::ExactOptions full;
    if (graph_.num_ops() > kLarge) full.max_nodes = kNodesOfLarge;
    const std::int64_t before = peak();
    OPASS_RETURN_IF_ERROR(Prove(full));
    if (peak() == before) return {};
    const std::vector<memory::OpId> better = found_.best.front().schedule.order;
    return Windows({&better, 1});
  }

  // From here on the schedulers' orders are the swept ones: windows start there.
  Status SweepAll() {
    if (peak() == found_.bound.bytes || Interrupted()) return {};
    Tell(kSweep);
    for (std::vector<memory::OpId>& order : orders_) {
      order = schedulers::Sweep(graph_, order, found_.bound.bytes);
      OPASS_RETURN_IF_ERROR(Keep(std::string(kSweep), order));
    }
    return {};
  }

  // Raises the bound by what few nodes refute: where windows would look for what is not there.
  Status Probe() {
    if (graph_.num_ops() < kMinOpsForWindows) return {};
    schedulers::ExactOptions probe;
    probe.rules.split = false;
    probe.rules.components = false;
    probe.max_nodes = kNodesOfProbe;
    probe.max_cut_work = 0;
    return Prove(probe);
  }

  Status Windows(std::span<const std::vector<memory::OpId>> starts) {
    if (peak() == found_.bound.bytes || graph_.num_ops() < kMinOpsForWindows || Interrupted()) {
      return {};
    }
    Tell(kWindows);
    return Keep(std::string(kWindows),
                schedulers::BestByWindows(graph_, starts, found_.bound.bytes));
  }

  // Narrows the gap from both sides by the exact search.
  Status Prove(schedulers::ExactOptions exact_options) {
    if (peak() == found_.bound.bytes || Interrupted()) return {};
    Tell(kExact);
    exact_options.threads = options_.threads;
    if (options_.on_progress) {
      exact_options.on_progress = [this](std::int64_t peak_bytes, std::int64_t bound_bytes) {
        options_.on_progress({std::string(kExact), std::min(peak_bytes, peak()), bound_bytes});
      };
    }
    schedulers::ExactResult result = schedulers::FindExact(
        graph_, found_.best.front().schedule.order, std::move(found_.bound), exact_options);
    found_.bound = std::move(result.bound);
    return Keep(std::string(kExact), std::move(result.order));
  }

  Status Try(const Scheduler& scheduler) {
    Tell(scheduler.name);
    schedulers::SchedulerOptions scheduler_options;
    scheduler_options.seed = options_.seed;
    OPASS_ASSIGN_OR_RETURN(std::vector<memory::OpId> order,
                           scheduler.run(graph_, scheduler_options));
    orders_.push_back(order);
    return Keep(std::string(scheduler.name), std::move(order));
  }

  Status Keep(const std::string& name, std::vector<memory::OpId> order) {
    OPASS_ASSIGN_OR_RETURN(memory::Schedule schedule, memory::Evaluate(graph_, std::move(order)));
    const auto same =
        std::find_if(found_.tried.begin(), found_.tried.end(),
                     [&](const SchedulerPeak& tried) { return tried.scheduler == name; });
    if (same == found_.tried.end()) {
      found_.tried.push_back({name, schedule.peak_bytes});
    } else {
      same->peak_bytes = std::min(same->peak_bytes, schedule.peak_bytes);
    }
    if (!found_.best.empty()) {
      if (schedule.peak_bytes > peak()) return {};
      if (schedule.peak_bytes < peak()) found_.best.clear();
      for (const NamedSchedule& other : found_.best) {
        if (other.schedule.order == schedule.order) return {};
      }
    }
    found_.best.push_back({name, std::move(schedule)});
    return {};
  }

  void Bound() {
    Tell("lower bound");
    bounds::LowerBoundOptions bound_options;
    bound_options.stop_at = peak();
    bound_options.order = found_.best.front().schedule.order;
    found_.bound = bounds::LowerBound(graph_, bound_options);
  }

  const memory::StorageGraph& graph_;
  const PlanOptions& options_;
  OrderSearch found_;
  std::vector<std::vector<memory::OpId>> orders_;  // of the quick schedulers
};

}  // namespace

Result<OrderSearch> SearchOrders(const memory::StorageGraph& graph, const PlanOptions& options) {
  return Search(graph, options).Run();
}

Result<std::vector<NamedSchedule>> OtherOrders(const memory::StorageGraph& graph,
                                               const PlanOptions& options, OrderSearch& search) {
  std::vector<NamedSchedule> others;
  if (options.scheduler != "auto") return others;
  const std::int64_t peak = search.best.front().schedule.peak_bytes;
  for (const Scheduler& scheduler : schedulers::Schedulers()) {
    const std::string name(scheduler.name);
    const bool was_tried =
        std::ranges::find(search.tried, name, &SchedulerPeak::scheduler) != search.tried.end();
    if (was_tried || name == kExact || name == kWindows || Interrupted()) continue;
    schedulers::SchedulerOptions scheduler_options;
    scheduler_options.seed = options.seed;
    OPASS_ASSIGN_OR_RETURN(auto order, scheduler.run(graph, scheduler_options));
    OPASS_ASSIGN_OR_RETURN(memory::Schedule schedule, memory::Evaluate(graph, std::move(order)));
    search.tried.push_back({name, schedule.peak_bytes});
    if (schedule.peak_bytes == peak) others.push_back({name, std::move(schedule)});
  }
  return others;
}

}  // namespace opass::planner
