#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "opass/allocators/disjunctive/instance.h"
#include "opass/allocators/exact/answer.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::disjunctive {

// The order in which blocks of equal least bases are tried.
struct PlaceSettings {
  std::uint64_t seed = 0;
  double noise = 0;          // of the keys, relative
  int key = 0;               // which one, below kNumKeys
  bool use_symmetry = true;  // off only to test the rule
};

// Does everything fit below a capacity? Depth-first over canonical layouts, as CanonicalSearch of
// folder exact does for plain buffers: blocks are placed by ascending base, each at the least one
// that is left to it beside what is placed, fixed and forbidden; or it is postponed, and then lies
// above one that is not placed yet and could be in its way there.
//
// Complete where any two blocks that meet have one conflict only, because of all layouts the one
// with the least sum of bases is such a one: what could lie lower would. Blocks with several (of
// pieces at different heights) may rest on each other in a circle: then a search that ends proves
// nothing.
class PlaceSearch {
 public:
  static constexpr int kNumKeys = 4;

  explicit PlaceSearch(const Instance& instance, const exact_offsets::Stop* stop = nullptr);

  // Looks at no more than about `max_work` conflicts and pieces.
  exact_offsets::Answer Run(std::int64_t capacity, const PlaceSettings& settings,
                            std::uint64_t max_work);

  // Per block of the instance, after kFits.
  const std::vector<std::int64_t>& bases() const { return bases_; }
  std::uint64_t work() const { return work_; }  // of all runs

 private:
  struct Neighbour {
    std::uint32_t block = 0;
    std::int64_t low = 0;  // of this one's base less the neighbour's
    std::int64_t high = 0;
  };
  struct Place {
    std::int64_t section = 0;
    std::int64_t delta_bytes = 0;
    std::int64_t size_bytes = 0;
  };
  using Blocks = std::vector<std::uint32_t>;  // not placed yet
  struct Change {
    std::uint32_t block;
    std::int64_t natural;
    std::int64_t least;
  };

  void DrawUpOrder(const PlaceSettings& settings);
  bool Solve(std::size_t depth);
  bool SolveParts(std::size_t depth);
  bool Branch(std::size_t depth);
  std::int64_t Choose(const Blocks& blocks) const;
  bool PutAndSolve(std::size_t depth, std::uint32_t block);
  bool Postpone(std::uint32_t block);
  void MakeWay(std::uint32_t block, const Neighbour& placed);
  bool HasRoom(Blocks& blocks);
  std::int64_t HeldAbove(const Section& section, std::int64_t begin) const;
  void Set(std::uint32_t block, std::int64_t natural, std::int64_t least);
  void UndoTo(std::size_t mark);
  Blocks& BlocksAt(std::size_t depth);

  const Instance& instance_;
  const exact_offsets::Stop* stop_;
  bool is_complete_ = true;
  std::vector<std::vector<Neighbour>> neighbours_;  // per block
  std::vector<std::vector<Place>> places_;
  std::vector<std::pair<std::int64_t, std::int64_t>> hulls_;  // first and last section + 1
  std::vector<std::int64_t> twins_;                           // the one before that is alike, or -1
  std::vector<double> ranks_;
  std::vector<std::int64_t> bases_;
  std::vector<std::int64_t> natural_;  // the least base beside what is placed, fixed, forbidden
  std::vector<std::int64_t> least_;    // the same or above, when it was postponed
  std::vector<bool> is_placed_;
  std::vector<Change> trail_;
  std::pair<std::int64_t, std::int64_t> touched_;  // sections of blocks that moved since HasRoom
  std::deque<Blocks> blocks_;                      // per depth
  std::vector<std::int64_t> rest_;                 // work space, per section
  std::vector<std::int64_t> bottom_;
  std::int64_t capacity_ = 0;
  bool use_symmetry_ = true;
  bool aborted_ = false;
  std::uint64_t work_ = 0;
  std::uint64_t most_work_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace opass::allocators::disjunctive
