#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/schedulers/search/narrowed_part.h"
#include "opass/schedulers/search/part.h"

namespace opass::schedulers {

// A part of the problem that is solved apart, and what is known of it.
struct Segment {
  std::size_t first = 0;  // its operators in the order of the whole, half-open
  std::size_t last = 0;
  std::unique_ptr<const Part> part;  // only of those that are searched
  std::vector<memory::OpId> order;   // the best one known, in operators of the part, if made
  std::int64_t peak_bytes = 0;       // of the best order
  memory::Bound bound;               // of the part, in operators of the part

  std::vector<Precedence> twins;             // operators of the part that could change places
  std::unique_ptr<const Part> one_of_twins;  // the part with these precedences, if there are any
  std::vector<NarrowedPart> narrowed;        // for the budgets asked about last

  bool tried = false;         // to narrow it
  bool reverse_first = true;  // the end from which a search answered last

  bool closed() const { return peak_bytes <= bound.bytes; }
  // What is searched: its orders are some of the part's, a best one among them.
  const Part& searched() const { return one_of_twins ? *one_of_twins : *part; }
};

}  // namespace opass::schedulers
