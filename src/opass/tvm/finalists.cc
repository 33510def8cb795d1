#include "opass/tvm/finalists.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::tvm {
namespace {

// Of the largest output: passes that add in another order differ by much less, wrong ones by more.
constexpr double kMaxRelative = 1e-3;

}  // namespace

Result<const Finalist*> Finalists::Confirm(ModuleId module) {
  const std::uint64_t hash = session_.Hash(module);
  if (const auto known = by_hash_.find(hash); known != by_hash_.end()) return &known->second;
  Finalist finalist;
  OPASS_ASSIGN_OR_RETURN(finalist.stock, session_.CompileStock(module, Pipeline::kDefault));
  OPASS_ASSIGN_OR_RETURN(finalist.stock_run, session_.Run(finalist.stock.executable, run_));
  OPASS_ASSIGN_OR_RETURN(finalist.planned, PlanModule(session_, finalist.stock.lowered, plan_));
  OPASS_ASSIGN_OR_RETURN(finalist.stock_live_bytes, LivePeak(finalist.planned.problem));
  OPASS_ASSIGN_OR_RETURN(finalist.run, session_.Run(finalist.planned.compiled.executable, run_));
  OPASS_RETURN_IF_ERROR(CheckWrites(finalist.planned, finalist.run.writes));
  OPASS_ASSIGN_OR_RETURN(const Difference difference,
                         Compare(finalist.stock_run.outputs, finalist.run.outputs));
  if (!difference.is_bit_equal) {
    return Error{ErrorCode::kRefused, "with our plan the outputs are not those of TVM's own plan",
                 "", "", ""};
  }
  session_.Release(finalist.stock.lowered);
  session_.Release(finalist.planned.laid_out);
  if (start_ != nullptr) {
    OPASS_ASSIGN_OR_RETURN(finalist.difference, Compare(start_->run.outputs, finalist.run.outputs));
  }
  return &(by_hash_[hash] = std::move(finalist));
}

Result<const Finalist*> Finalists::Start(ModuleId start) {
  OPASS_ASSIGN_OR_RETURN(start_, Confirm(start));
  return start_;
}

std::optional<std::string> Finalists::WhyNot(const Finalist& finalist) const {
  const auto is_above = [](std::int64_t a, std::int64_t b, const char* what) {
    return a > b ? std::optional(fmt::format("{} {} instead of {}", what, a, b)) : std::nullopt;
  };
  if (auto why = is_above(finalist.planned.plan.arena_bytes, start_->planned.plan.arena_bytes,
                          "planned bytes")) {
    return why;
  }
  if (auto why = is_above(finalist.planned.compiled.workspace_bytes,
                          start_->planned.compiled.workspace_bytes, "hidden workspace")) {
    return why;
  }
  const double allowed = kMaxRelative * std::max(1.0, finalist.difference.largest);
  if (finalist.difference.max_absolute > allowed) {
    return fmt::format("outputs differ by {:.2g}", finalist.difference.max_absolute);
  }
  return std::nullopt;
}

Result<Finalists::Chosen> Finalists::Choose(std::span<const Candidate> candidates) {
  Chosen chosen;
  for (const Candidate& candidate : candidates) {
    const Result<const Finalist*> finalist = Confirm(candidate.module);
    if (!finalist.ok() && finalist.error().code != ErrorCode::kNotPossible) {
      return finalist.error();
    }
    const std::optional<std::string> why =
        finalist.ok() ? WhyNot(**finalist) : finalist.error().message;
    if (!why) {
      chosen.finalist = *finalist;
      chosen.candidate = &candidate;
      return chosen;
    }
    chosen.rejected.push_back(fmt::format("{}: {}", fmt::join(candidate.passes, ", "), *why));
  }
  return NotPossible("no module on the way of the search is as good as the model without passes");
}

}  // namespace opass::tvm
