#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::memory {

// Why no order of some steps can need less than `bytes`: of all of them, or of those between two
// states that some best order passes through (a segment).
struct Bound {
  enum class Kind {
    kNone,           // no bound was computed (bytes = 0)
    kResident,       // the bytes live before the first or after the last of the steps
    kOperator,       // what `op` needs by itself: inputs, outputs, workspace, less what it shares
    kOperatorCut,    // the cheapest state in which `op` can run (a minimum cut)
    kContradiction,  // `edges` follow from a smaller budget, and cannot be kept
    kSearch,         // an exhausted search found no order that needs less
    kSegments,       // of a certificate only: one of its segments needs them
  };

  // What was searched, enough to run it again: a statement, not a proof that can be checked faster
  // than by searching.
  struct Search {
    std::int64_t budget_bytes = 0;  // no order within it was found
    bool reverse = false;           // from the last step to the first
    std::int64_t nodes = 0;         // states branched at
    // Precedences that every order within the budget respects, by cuts; 0 when not needed.
    std::int64_t implied_edges = 0;
    std::vector<std::string> rules;  // that were in force

    friend bool operator==(const Search&, const Search&) = default;
  };

  // Every order that needs less than `bytes` runs `first` before `then`: the cheapest state in
  // which `cut`, one of the two, can run needs that much if the other is on the wrong side, given
  // the edges listed before.
  struct Edge {
    OpId first;
    OpId then;
    OpId cut;

    friend bool operator==(const Edge&, const Edge&) = default;
  };

  Kind kind = Kind::kNone;
  std::int64_t bytes = 0;
  // The operator that needs them. kContradiction: given all edges; invalid when they are a cycle.
  OpId op;
  // kOperatorCut: the operators of the steps executed before `op` in the cheapest state, ascending.
  std::vector<OpId> executed;
  Search search = {};            // kSearch
  std::vector<Edge> edges = {};  // kContradiction
};

inline constexpr std::pair<Bound::Kind, std::string_view> kBoundKinds[] = {
    {Bound::Kind::kNone, "none"},
    {Bound::Kind::kResident, "resident"},
    {Bound::Kind::kOperator, "operator"},
    {Bound::Kind::kOperatorCut, "operator_cut"},
    {Bound::Kind::kContradiction, "contradiction"},
    {Bound::Kind::kSearch, "search"},
    {Bound::Kind::kSegments, "segments"}};

// A bound of the whole problem, and what is known of its segments, if it was split: the largest
// bound counts, because an order needs as much as the segment that needs most. Kind kSegments: it
// is one of the segments'; `bytes` says how much.
struct Certificate : Bound {
  struct Segment {
    std::size_t first = 0;  // its operators in `order`, half-open
    std::size_t last = 0;
    std::int64_t peak_bytes = 0;  // of these steps in `order`
    Bound bound;                  // kNone where the peak is not above the certificate's bytes
  };

  // The order that the segments are ranges of; empty: the plan's.
  std::vector<OpId> order = {};
  // Prefixes of the order that some best order executes first, by their numbers of operators. Each
  // is shown within the two nearest ones listed before it (or the ends).
  std::vector<std::size_t> splits = {};
  std::vector<Segment> segments = {};  // between the splits, in order; empty: not split
};

// The bound that counts, and where it is: of equal ones the first that is not a search.
struct DecidingBound {
  const Bound* bound;
  const Certificate::Segment* segment;  // null: of the whole problem
};
DecidingBound Deciding(const Certificate& certificate);

// Whether memory::Check proves the bound again. It follows the splits to a search, and takes on
// trust that the search found nothing.
bool IsCheckable(const Certificate& certificate);

std::string_view NameOf(Bound::Kind kind);

}  // namespace opass::memory
