#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "opass/allocators/disjunctive/instance.h"
#include "opass/allocators/disjunctive/state.h"
#include "opass/allocators/exact/answer.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::disjunctive {

using exact_offsets::Answer;

struct SearchSettings {
  bool use_symmetry = true;  // off only to test the rule
  double noise = 0;          // of the choice of conflicts, relative
  std::uint64_t seed = 0;
};

// Does everything fit below a capacity? Depth-first over the sides of conflicts: when all blocks
// lie at their least bases and no conflict is broken, that is a layout; else one that is broken is
// decided, first so that more room is left, then the other way. Complete for blocks of all kinds,
// because every layout has a side for each conflict, and for given sides there are least bases.
class Search {
 public:
  explicit Search(const Instance& instance, const exact_offsets::Stop* stop = nullptr)
      : instance_(instance), stop_(stop), state_(instance), failures_(instance.blocks.size(), 1) {}

  // Looks at no more than about `max_work` conflicts and pieces.
  Answer Run(std::int64_t capacity, const SearchSettings& settings, std::uint64_t max_work);

  // Per block of the instance, after kFits.
  const std::vector<std::int64_t>& bases() const { return state_.least(); }
  std::uint64_t work() const { return state_.work(); }  // of all runs
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Decision {
    std::size_t conflict;
    Side other;  // the side to try next; kOpen: both were
    std::size_t mark;
  };

  std::size_t Choose(const SearchSettings& settings);
  bool Backtrack();

  const Instance& instance_;
  const exact_offsets::Stop* stop_;
  State state_;
  std::vector<Decision> decisions_;
  std::vector<double> failures_;  // per block: of decisions about it
  std::mt19937_64 random_;
  std::uint64_t nodes_ = 0;
};

}  // namespace opass::allocators::disjunctive
