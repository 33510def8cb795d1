#include "opass/schedulers/search/narrow_plan.h"

#include <algorithm>

namespace opass::schedulers {
namespace {

// Few nodes first: often one of the ends answers at once and the other never.
constexpr std::uint64_t kFirstNodes = 2000;
constexpr std::uint64_t kMoreNodes = 8;
// Most problems are far easier from one of their ends: beyond so many nodes the other gets less.
constexpr std::uint64_t kEqualNodes = 16'000;
constexpr std::uint64_t kSecondShare = 4;

}  // namespace

std::uint64_t NarrowPlan::PlainNodes() const {
  return std::min(options_.max_nodes, options_.nodes_before_implied.value_or(options_.max_nodes));
}

std::optional<NarrowPlan::Question> NarrowPlan::Next(std::int64_t low_bytes,
                                                     std::int64_t high_bytes) {
  if (low_bytes > high_bytes) return std::nullopt;
  const std::int64_t low = options_.grid.Cell(low_bytes);
  const std::int64_t high = options_.grid.Cell(high_bytes);
  // An answer elsewhere may have settled the cell.
  if (cell_ && (*cell_ < low || *cell_ > high)) cell_.reset();
  if (!cell_ && !ChooseCell(low, high)) return std::nullopt;
  Question question;
  question.budget_bytes = std::min(options_.grid.LastOf(*cell_), high_bytes);
  question.with_implied_edges = implied_;
  question.reverse = options_.reverse_first != second_end_;
  question.max_nodes = implied_ ? options_.max_nodes : std::min(nodes_, PlainNodes());
  if (second_end_ && nodes_ > kEqualNodes) {
    question.max_nodes = std::max(kEqualNodes, question.max_nodes / kSecondShare);
  }
  return question;
}

bool NarrowPlan::ChooseCell(std::int64_t low, std::int64_t high) {
  if (lowest_unknown_ && (*lowest_unknown_ > high || *highest_unknown_ < low)) {
    lowest_unknown_.reset();
    highest_unknown_.reset();
  }
  if (!lowest_unknown_) {
    cell_ = options_.at_bound_first ? low : low + (high - low) / 2;
  } else if (*highest_unknown_ < high) {
    cell_ = *highest_unknown_ + (high - *highest_unknown_ + 1) / 2;
  } else if (low < *lowest_unknown_) {
    cell_ = low + (*lowest_unknown_ - 1 - low) / 2;
  } else {
    return false;
  }
  options_.at_bound_first = false;
  nodes_ = kFirstNodes;
  second_end_ = false;
  implied_ = PlainNodes() == 0;
  return true;
}

void NarrowPlan::Record(Answer answer) {
  if (answer != Answer::kUnknown) {
    if (!implied_) options_.reverse_first = options_.reverse_first != second_end_;
    cell_.reset();
    return;
  }
  if (implied_) return GiveUpCell();
  if (!second_end_ && options_.from_both_ends) {
    second_end_ = true;
    return;
  }
  second_end_ = false;
  if (nodes_ < PlainNodes()) {
    nodes_ *= kMoreNodes;
  } else if (PlainNodes() < options_.max_nodes) {
    implied_ = true;
  } else {
    GiveUpCell();
  }
}

void NarrowPlan::GiveUpCell() {
  lowest_unknown_ = std::min(*cell_, lowest_unknown_.value_or(*cell_));
  highest_unknown_ = std::max(*cell_, highest_unknown_.value_or(*cell_));
  cell_.reset();
}

}  // namespace opass::schedulers
