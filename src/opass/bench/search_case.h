#pragma once

#include <cstdint>
#include <string>

#include "opass/bench/model_folder.h"
#include "opass/orchestrator/found.h"
#include "opass/orchestrator/search.h"
#include "opass/support/result.h"

namespace opass::bench {

// A model as a search gets it: imported and cleaned up.
struct SearchCase {
  std::string name;
  ir::Model model;
};
Result<SearchCase> ReadSearchCase(const ModelFile& file);

struct SearchSetting {
  std::string strategy;
  std::int64_t evaluations = 50;
  std::uint64_t seed = 0;
  // Each of these can be off, to see what it is worth.
  bool implicit_effects = true;
  bool macros = true;
  bool norm = true;
  bool staging = true;
};

struct SearchRun {
  orchestrator::Found found;
  std::int64_t best_at = 0;  // the evaluation that found the peak
  std::int64_t arena_bytes = 0;
  double seconds = 0;  // of the search
};

// One search from a fresh state, with the options of `opass optimize` else, and the arena of its
// result.
Result<SearchRun> RunSearch(const SearchCase& from, const SearchSetting& setting);

// 1234567 -> "1205.6", in KiB.
std::string Kib(std::int64_t bytes);

}  // namespace opass::bench
