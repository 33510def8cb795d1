#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "opass/allocators/exact/answer.h"
#include "opass/allocators/exact/canonical_search.h"
#include "opass/allocators/exact/fit_search.h"
#include "opass/allocators/exact/portfolio.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::exact_offsets {

enum class LaneKind {
  kPlain,      // the canonical search in fixed orders, with limits that double
  kCanonical,  // the same in drawn orders, many short runs
  kFit,        // FitSearch in drawn orders, many short runs
};

// Settings that found something, the oldest first.
struct Winners {
  std::vector<CanonicalDraw> canonical;
  std::vector<FitDraw> fit;
};

// A search with what it remembers and draws, one run after the other. Lanes know nothing of each
// other: what they find depends on their seeds and on the capacities they are given.
class Lane {
 public:
  Lane(const Instance& instance, LaneKind kind, std::uint64_t seed, bool use_symmetry);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Draws the settings of the next run, some of those that won before.
  void Prepare(std::int32_t capacity, const Winners& winners);
  // At most `max_nodes`, and the limit of this run.
  void Run(std::uint64_t max_nodes);
  void AddTo(Winners& winners) const;

  LaneKind kind() const { return kind_; }
  std::int32_t capacity() const { return capacity_; }
  Answer answer() const { return answer_; }  // of the last run
  void Forget() { answer_ = Answer::kUnknown; }
  const std::vector<std::int32_t>& offsets() const;
  std::uint64_t nodes() const { return canonical_.nodes() + fit_.nodes(); }
  Stop& stop() { return stop_; }
  std::mt19937_64& random() { return random_; }

 private:
  std::uint64_t Limit() const;

  const Instance& instance_;
  const LaneKind kind_;
  const bool use_symmetry_;
  Stop stop_;
  std::mt19937_64 random_;
  CanonicalSearch canonical_;
  FitSearch fit_;
  CanonicalDraw canonical_draw_;
  FitDraw fit_draw_;
  std::uint64_t num_runs_ = 0;
  std::int32_t capacity_ = 0;
  Answer answer_ = Answer::kUnknown;
};

}  // namespace opass::allocators::exact_offsets
