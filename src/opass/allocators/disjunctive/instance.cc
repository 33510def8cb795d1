#include "opass/allocators/disjunctive/instance.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace opass::allocators::disjunctive {
namespace {

constexpr std::size_t kMostConflicts = 100'000;
constexpr std::size_t kMostLooks = 4'000'000;  // at pairs of pieces, and at pieces of sections

bool Meet(const Piece& a, const Piece& b) { return a.first < b.last && b.first < a.last; }

// Of a piece at `delta` beside bytes [begin, end): the bases where they overlap.
OpenRange Overlapping(const Piece& piece, std::int64_t begin, std::int64_t end) {
  return {begin - piece.delta_bytes - piece.size_bytes, end - piece.delta_bytes};
}

bool AreAlike(const Block& a, const Block& b) {
  const auto same = [](const Piece& x, const Piece& y) {
    return std::tie(x.delta_bytes, x.size_bytes, x.first, x.last) ==
           std::tie(y.delta_bytes, y.size_bytes, y.first, y.last);
  };
  return a.modulus_bytes == b.modulus_bytes && a.residue_bytes == b.residue_bytes &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same);
}

class InstanceMaker {
 public:
  InstanceMaker(const BlockProblem& problem, std::span<const std::size_t> blocks)
      : problem_(problem) {
    made_.blocks.assign(blocks.begin(), blocks.end());
    for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
      if (problem.blocks[i].fixed_base) fixed_.push_back(i);
    }
  }

  std::optional<Instance> Make() {
    for (std::uint32_t b = 0; b < made_.blocks.size(); ++b) {
      made_.size_bytes.push_back(BlockOf(b).size_bytes);
      AddBases(BlockOf(b));
      for (std::uint32_t a = 0; a < b; ++a) AddConflicts(a, b);
      if (looks_ > kMostLooks || made_.conflicts.size() > kMostConflicts) return std::nullopt;
    }
    if (!AddSections()) return std::nullopt;
    return std::move(made_);
  }

 private:
  const Block& BlockOf(std::uint32_t b) const { return problem_.blocks[made_.blocks[b]]; }

  void AddBases(const Block& block) {
    std::vector<OpenRange> blocked;
    for (const Piece& piece : block.pieces) {
      for (const ByteRange& range : problem_.forbidden) {
        blocked.push_back(Overlapping(piece, range.begin, range.end));
      }
      for (const std::size_t other : fixed_) {
        for (const Piece& there : problem_.blocks[other].pieces) {
          ++looks_;
          if (!Meet(piece, there)) continue;
          const std::int64_t begin = *problem_.blocks[other].fixed_base + there.delta_bytes;
          blocked.push_back(Overlapping(piece, begin, begin + there.size_bytes));
        }
      }
    }
    made_.bases.emplace_back(block.modulus_bytes, block.residue_bytes, std::move(blocked));
  }

  void AddConflicts(std::uint32_t a, std::uint32_t b) {
    const Block& first = BlockOf(a);
    const Block& second = BlockOf(b);
    ++looks_;
    if (first.first >= second.last || second.first >= first.last) return;
    std::vector<OpenRange> ranges;
    for (const Piece& one : first.pieces) {
      for (const Piece& other : second.pieces) {
        ++looks_;
        const std::int64_t end = one.delta_bytes + one.size_bytes;
        if (Meet(one, other)) ranges.push_back(Overlapping(other, one.delta_bytes, end));
      }
    }
    const bool are_twins = AreAlike(first, second);
    for (const OpenRange& range : Merged(std::move(ranges))) {
      made_.conflicts.push_back({a, b, range.low, range.high});
      made_.is_of_twins.push_back(are_twins);
    }
  }

  // A piece of a block, of a fixed one with its bytes.
  struct Event {
    std::int64_t step;
    bool is_birth;  // deaths come first
    std::size_t piece;
    bool operator<(const Event& other) const {
      return std::tie(step, is_birth, piece) < std::tie(other.step, other.is_birth, other.piece);
    }
  };
  struct LivePiece {
    std::uint32_t block;  // kFixed: of a fixed one
    std::int64_t begin;   // or delta
    std::int64_t size_bytes;
  };
  static constexpr std::uint32_t kFixed = ~std::uint32_t{0};

  void AddEvents(const Block& block, std::uint32_t number) {
    for (const Piece& piece : block.pieces) {
      const std::int64_t begin = block.fixed_base.value_or(0) + piece.delta_bytes;
      events_.push_back({piece.first, true, pieces_.size()});
      events_.push_back({piece.last, false, pieces_.size()});
      pieces_.push_back({number, begin, piece.size_bytes});
    }
  }

  // A section is a run of births that a death ends.
  bool AddSections() {
    for (std::uint32_t b = 0; b < made_.blocks.size(); ++b) AddEvents(BlockOf(b), b);
    for (const std::size_t other : fixed_) AddEvents(problem_.blocks[other], kFixed);
    std::sort(events_.begin(), events_.end());
    std::vector<std::size_t> live;
    bool open = false;
    for (const Event& event : events_) {
      if (event.is_birth) {
        live.push_back(event.piece);
        open = true;
        continue;
      }
      looks_ += live.size();
      if (looks_ > kMostLooks) return false;
      if (open) AddSection(live);
      open = false;
      live.erase(std::find(live.begin(), live.end(), event.piece));
    }
    return true;
  }

  void AddSection(const std::vector<std::size_t>& live) {
    Section section;
    section.held = problem_.forbidden;
    for (const std::size_t number : live) {
      const LivePiece& piece = pieces_[number];
      if (piece.block == kFixed) {
        section.held.push_back({piece.begin, piece.begin + piece.size_bytes});
      } else {
        section.jobs.push_back({piece.block, piece.begin, piece.size_bytes});
      }
    }
    if (section.jobs.size() < 2) return;
    std::sort(section.held.begin(), section.held.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    made_.sections.push_back(std::move(section));
  }

  const BlockProblem& problem_;
  std::vector<std::size_t> fixed_;
  std::size_t looks_ = 0;
  std::vector<LivePiece> pieces_;
  std::vector<Event> events_;
  Instance made_;
};

}  // namespace

std::optional<Instance> MakeInstance(const BlockProblem& problem,
                                     std::span<const std::size_t> blocks) {
  return InstanceMaker(problem, blocks).Make();
}

std::vector<std::vector<std::size_t>> PartsOf(const BlockProblem& problem) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (!problem.blocks[i].fixed_base) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return problem.blocks[a].first < problem.blocks[b].first;
  });
  std::vector<std::vector<std::size_t>> parts;
  std::int64_t end = 0;
  for (const std::size_t i : order) {
    if (parts.empty() || problem.blocks[i].first >= end) parts.emplace_back();
    parts.back().push_back(i);
    end = std::max(end, problem.blocks[i].last);
  }
  for (std::vector<std::size_t>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

}  // namespace opass::allocators::disjunctive
