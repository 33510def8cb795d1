#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "opass/allocators/disjunctive/instance.h"

namespace opass::allocators::disjunctive {

enum class Side : std::uint8_t { kOpen, kBelow, kAbove };

// For every block the least and the greatest base that it can still have, and for every conflict
// its side, as far as they are decided. What follows from a decision is drawn at once:
//  - a side is taken when the other one is impossible,
//  - bases follow from the sides,
//  - in every section what has to lie within some bytes needs room there: a section is a machine,
//    its pieces are jobs with release dates and due dates (Carlier, 1982).
class State {
 public:
  explicit State(const Instance& instance);

  // Everything open below a capacity. False when that is refuted at once.
  bool Start(std::int64_t capacity, bool use_symmetry);
  // Takes a side and draws what follows. False when it is refuted, or `work` ended first.
  bool Decide(std::size_t conflict, Side side);

  std::size_t Mark() const { return trail_.size(); }
  void UndoTo(std::size_t mark);

  // If all blocks lay at their least bases, would the conflict be kept?
  bool IsKept(std::size_t conflict) const;
  // How much the bases can still move apart when a side is taken.
  std::int64_t Room(std::size_t conflict, Side side) const;

  const std::vector<std::int64_t>& least() const { return least_; }
  std::uint64_t work() const { return work_; }
  void LimitWork(std::uint64_t most) { most_work_ = most; }
  bool IsSpent() const { return work_ >= most_work_; }

 private:
  struct Change {
    enum Kind : std::uint8_t { kLeast, kGreatest, kSide } kind;
    std::uint32_t index;
    std::int64_t before;
  };

  bool SetSide(std::size_t conflict, Side side);
  bool Raise(std::uint32_t block, std::int64_t base);
  bool Lower(std::uint32_t block, std::int64_t base);
  void Touch(std::uint32_t block);
  void Forget();
  bool Propagate();
  bool PropagateBases();
  bool Examine(std::size_t conflict);
  bool HasCircle() const;
  bool SectionFits(const Section& section);
  bool FitsAbove(const Section& section);
  bool FitsBelow(const Section& section);

  const Instance& instance_;
  std::vector<std::vector<std::uint32_t>> conflicts_of_;  // per block
  std::vector<std::vector<std::uint32_t>> sections_of_;
  std::vector<std::int64_t> least_;
  std::vector<std::int64_t> greatest_;
  std::vector<Side> sides_;
  std::vector<Change> trail_;
  std::vector<std::uint32_t> queue_;  // blocks that moved
  std::vector<bool> is_queued_;
  std::vector<std::uint32_t> moves_;           // per block, while it propagates
  std::vector<std::uint32_t> dirty_sections_;  // whose blocks moved
  std::vector<bool> is_dirty_;
  std::vector<std::pair<std::int64_t, std::int64_t>> jobs_;  // work space: key, size
  std::uint64_t work_ = 0;
  std::uint64_t most_work_ = ~std::uint64_t{0};
};

}  // namespace opass::allocators::disjunctive
