#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/support/result.h"

// Schedulers answer a memory problem with an order of low peak memory. One algorithm a file: a file
// of this folder registers by its name (registry.cc).
namespace opass::schedulers {

struct SchedulerOptions {
  std::uint64_t seed = 0;
  // States that `beam` keeps per number of operators taken; 0: more and
  // more, as far as its work allows, fewer for larger problems.
  int beam_width = 0;
};

struct Scheduler {
  std::string_view name;
  std::string_view summary;  // one line
  // A topological permutation of all operators: the best found so far when interrupted. Says
  // nothing about its peak; the caller evaluates it, and compares it with the file order.
  Result<std::vector<memory::OpId>> (*run)(const memory::StorageGraph& graph,
                                           const SchedulerOptions& options);
};

// All schedulers, by name.
std::span<const Scheduler> Schedulers();
// Null when there is none of that name.
const Scheduler* FindScheduler(std::string_view name);

}  // namespace opass::schedulers
