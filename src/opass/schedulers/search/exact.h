#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/memory/storage.h"
#include "opass/schedulers/search/search_rules.h"

namespace opass::schedulers {

struct ExactOptions {
  SearchRules rules = {};
  // States branched at, over all searches: some seconds. The answer depends on nothing else.
  std::uint64_t max_nodes = 8'000'000;
  // Searches that run at the same time; the answer is the same for any number.
  int threads = 1;
  std::uint64_t max_cut_work = 40'000'000;  // for splits, and again for the bounds of the parts
  // Told the peak and the bound after every part that was narrowed.
  std::function<void(std::int64_t peak_bytes, std::int64_t bound_bytes)> on_progress = {};
};

struct ExactResult {
  std::vector<memory::OpId> order;  // never worse than the one given
  std::int64_t peak_bytes = 0;
  memory::Certificate bound;  // never lower than the one given; equal to the peak when proven
  std::uint64_t nodes = 0;
  std::size_t num_parts = 0;
};

// OPassMem: the exact scheduler (design "scheduling", 1.6). Splits the problem at certified states
// into parts, and narrows each part's optimum between a proved bound and its best order by budgeted
// searches from both ends, until the best order is proved or the nodes run out. `order` is the best
// one known, `bound` a bound that holds.
ExactResult FindExact(const memory::StorageGraph& graph, std::span<const memory::OpId> order,
                      memory::Certificate bound, const ExactOptions& options = {});

}  // namespace opass::schedulers
