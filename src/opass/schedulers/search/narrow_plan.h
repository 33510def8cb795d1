#pragma once

#include <cstdint>
#include <optional>

#include "opass/schedulers/search/byte_grid.h"

namespace opass::schedulers {

// What a search is asked next, to narrow what is known of an optimum: which budget, from which end,
// with how many nodes. A value: a copy can be asked what would come after an answer that is not
// known yet.
class NarrowPlan {
 public:
  enum class Answer { kFound, kRefuted, kUnknown };

  struct Question {
    std::int64_t budget_bytes = 0;
    bool reverse = false;
    std::uint64_t max_nodes = 0;
    // From both ends, with the precedences that every order within the budget respects.
    bool with_implied_edges = false;
    friend bool operator==(const Question&, const Question&) = default;
  };

  struct Options {
    std::uint64_t max_nodes = 0;  // of one question
    ByteGrid grid = {};           // of two budgets in one cell only one is asked about
    bool from_both_ends = true;
    bool reverse_first = true;    // the end that has its turn first, and more nodes
    bool at_bound_first = false;  // the bound is often the optimum
    // Without an answer after so many nodes, implied precedences are tried; none: never.
    std::optional<std::uint64_t> nodes_before_implied = {};
  };

  explicit NarrowPlan(const Options& options) : options_(options) {}

  // Budgets below the low one are refuted or of no use, those above the high one are kept by a
  // known order.
  // Nothing: all of them are, or have no answer.
  std::optional<Question> Next(std::int64_t low_bytes, std::int64_t high_bytes);
  // The answer to the question that Next gave last.
  void Record(Answer answer);

  bool reverse_first() const { return options_.reverse_first; }

 private:
  bool ChooseCell(std::int64_t low, std::int64_t high);
  void GiveUpCell();
  std::uint64_t PlainNodes() const;

  Options options_;
  // Cells of the grid from here on. Those without an answer lie between these: refuting is easier
  // below them and finding an order easier above.
  std::optional<std::int64_t> lowest_unknown_;
  std::optional<std::int64_t> highest_unknown_;
  // The cell that is asked about, if one is, and how far that has come.
  std::optional<std::int64_t> cell_;
  std::uint64_t nodes_ = 0;
  bool second_end_ = false;
  bool implied_ = false;
};

}  // namespace opass::schedulers
