#include "opass/planner/placer.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/allocators/best_order.h"
#include "opass/allocators/blocks.h"
#include "opass/planner/relax_takeovers.h"
#include "opass/support/interrupt.h"

namespace opass::planner {

using allocators::Allocator;
using allocators::BlockProblem;

constexpr std::string_view kForMany = "best_fit";

Result<std::vector<const Allocator*>> ChooseAllocators(const std::string& name) {
  std::vector<const Allocator*> chosen;
  std::string known = "auto";
  for (const Allocator& allocator : allocators::Allocators()) {
    known += fmt::format(", {}", allocator.name);
    if (name == "auto" || name == allocator.name) chosen.push_back(&allocator);
  }
  // The one that takes longest comes last.
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const Allocator* each) { return each->name != "exact"; });
  if (!chosen.empty()) return chosen;
  return InvalidInput(fmt::format("there is no allocator '{}'", name), "", "one of " + known);
}

Status Placer::Run(const std::vector<NamedSchedule>& candidates) {
  for (const NamedSchedule& candidate : candidates) OPASS_RETURN_IF_ERROR(Try(candidate));
  for (const NamedSchedule& candidate : candidates) {
    if (done_) break;
    const NamedSchedule relaxed{candidate.scheduler, RelaxTakeovers(graph_, candidate.schedule)};
    if (relaxed.schedule.takes_over == candidate.schedule.takes_over) continue;
    OPASS_RETURN_IF_ERROR(Try(relaxed));
  }
  return {};
}

Status Placer::Try(const NamedSchedule& candidate) {
  if (done_) return {};
  const BlockProblem blocks = allocators::MakeBlocks(graph_, candidate.schedule);
  allocators::AllocatorOptions options;
  options.seed = options_.seed;
  const bool is_many = blocks.blocks.size() > allocators::kManyBlocks;
  for (const Allocator* allocator : allocators_) {
    // Of the others none finds more in the time that it takes.
    if (is_many && allocators_.size() > 1 && allocator->name != kForMany) continue;
    if (options_.on_progress) {
      options_.on_progress(
          {std::string(allocator->name), candidate.schedule.peak_bytes, bound_bytes_});
    }
    OPASS_ASSIGN_OR_RETURN(const auto bases, allocator->run(blocks, options));
    const std::int64_t arena = allocators::ArenaBytes(blocks, bases);
    tried_.push_back({candidate.scheduler, std::string(allocator->name), arena});
    if (best_.allocator.empty() || arena < best_.arena_bytes) {
      best_ = {candidate.scheduler, std::string(allocator->name), arena, candidate.schedule,
               allocators::PlaceBlocks(blocks, bases)};
    }
    done_ = best_.arena_bytes == blocks.peak_bytes || Interrupted();
    if (done_) return {};
  }
  return {};
}

}  // namespace opass::planner
