#include "opass/allocators/blocks.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "opass/support/bytes.h"

namespace opass::allocators {
namespace {

using memory::Lifetime;
using memory::OpId;
using memory::StorageId;
using memory::ValueId;

// The maximum of step_bytes over intervals: a table of the powers of two.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::vector<std::int64_t> step_bytes) : levels_{std::move(step_bytes)} {
    for (std::size_t width = 1; 2 * width <= levels_[0].size(); width *= 2) {
      const std::vector<std::int64_t>& half = levels_.back();
      std::vector<std::int64_t> level;
      for (std::size_t i = 0; i + width < half.size(); ++i) {
        level.push_back(std::max(half[i], half[i + width]));
      }
      levels_.push_back(std::move(level));
    }
  }

  std::int64_t Of(std::int64_t first, std::int64_t last) const {
    const auto steps = static_cast<std::size_t>(last - first);
    const auto level = static_cast<std::size_t>(std::bit_width(steps) - 1);
    const std::size_t end = static_cast<std::size_t>(last) - (std::size_t{1} << level);
    return std::max(levels_[level][static_cast<std::size_t>(first)], levels_[level][end]);
  }

 private:
  std::vector<std::vector<std::int64_t>> levels_;
};

// The fields that follow from the pieces.
void Measure(Block& block, const RangeMaximum& pressure) {
  block.first = block.pieces.front().first;
  for (const Piece& piece : block.pieces) {
    block.first = std::min(block.first, piece.first);
    block.last = std::max(block.last, piece.last);
  }
  block.pressure_bytes = pressure.Of(block.first, block.last);
  for (const Piece& piece : block.pieces) {
    block.size_bytes = std::max(block.size_bytes, piece.delta_bytes + piece.size_bytes);
    const auto area = CheckedMul(piece.size_bytes, piece.last - piece.first);
    const auto sum = area ? CheckedAdd(block.area, *area) : std::nullopt;
    block.area = sum.value_or(std::numeric_limits<std::int64_t>::max());
  }
}

class BlockMaker {
 public:
  BlockMaker(const memory::StorageGraph& graph, const memory::Schedule& schedule)
      : graph_(graph), schedule_(schedule), lifetimes_(memory::StorageLifetimes(graph, schedule)) {}

  BlockProblem Make() {
    made_.alignment = graph_.problem().alignment;
    made_.num_steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(graph_.num_ops()));
    made_.peak_bytes = schedule_.peak_bytes;
    made_.place_of_storage.resize(graph_.num_storages());
    made_.place_of_workspace.resize(graph_.num_ops());
    for (std::size_t i = 0; i < graph_.num_storages(); ++i) {
      if (!graph_.storage(StorageId(i)).producer.valid()) Place(StorageId(i));
    }
    // Along the order, the bytes that an output takes over are placed before it.
    for (std::size_t k = 0; k < schedule_.order.size(); ++k) {
      const OpId id = schedule_.order[k];
      for (const StorageId output : graph_.op(id).outputs) Place(output);
      const std::int64_t workspace = graph_.op(id).workspace_bytes;
      if (workspace == 0) continue;
      const std::int64_t step = static_cast<std::int64_t>(k);
      made_.place_of_workspace[id.index()] = {made_.blocks.size(), 0};
      made_.blocks.emplace_back().pieces.push_back({0, workspace, step, step + 1});
    }
    MeasureBlocks(
        schedule_.step_bytes.empty() ? std::vector{schedule_.peak_bytes} : schedule_.step_bytes,
        made_.blocks);
    return std::move(made_);
  }

 private:
  void Place(StorageId id) {
    const memory::Storage& storage = graph_.storage(id);
    Lifetime lifetime = lifetimes_[id.index()];
    if (lifetime.first == lifetime.last) return;
    const ValueId taken = schedule_.takes_over[storage.root.index()];
    BlockProblem::Place& place = made_.place_of_storage[id.index()];
    if (taken.valid()) {
      place = made_.place_of_storage[graph_.storage_of(taken).index()];
      place.delta_bytes += graph_.offset_in_storage(taken);
      ++lifetime.first;  // in the step of the takeover the old bytes cover the new ones
      if (lifetime.first == lifetime.last) return;
    } else {
      place = {made_.blocks.size(), 0};
      made_.blocks.emplace_back();
    }
    made_.blocks[place.block].pieces.push_back(
        {place.delta_bytes, storage.size_bytes, lifetime.first, lifetime.last});
  }

  const memory::StorageGraph& graph_;
  const memory::Schedule& schedule_;
  std::vector<Lifetime> lifetimes_;
  BlockProblem made_;
};

}  // namespace

BlockProblem MakeBlocks(const memory::StorageGraph& graph, const memory::Schedule& schedule) {
  return BlockMaker(graph, schedule).Make();
}

BlockProblem MakePlainBlocks(std::span<const Piece> pieces) {
  BlockProblem made;
  made.num_steps = 1;
  for (const Piece& piece : pieces) made.num_steps = std::max(made.num_steps, piece.last);
  std::vector<std::int64_t> step_bytes(static_cast<std::size_t>(made.num_steps) + 1, 0);
  for (const Piece& piece : pieces) {
    step_bytes[static_cast<std::size_t>(piece.first)] += piece.size_bytes;
    step_bytes[static_cast<std::size_t>(piece.last)] -= piece.size_bytes;
    made.blocks.emplace_back().pieces.push_back(piece);
  }
  std::partial_sum(step_bytes.begin(), step_bytes.end(), step_bytes.begin());
  made.peak_bytes = *std::max_element(step_bytes.begin(), step_bytes.end());
  MeasureBlocks(std::move(step_bytes), made.blocks);
  return made;
}

void MeasureBlocks(std::vector<std::int64_t> step_bytes, std::vector<Block>& blocks) {
  const RangeMaximum pressure(std::move(step_bytes));
  for (Block& block : blocks) Measure(block, pressure);
}

std::int64_t AlignedUp(const Block& block, std::int64_t base) {
  if (block.modulus_bytes == 1) return base;
  const std::int64_t above = (base - block.residue_bytes) % block.modulus_bytes;
  return above == 0 ? base : base + (above > 0 ? block.modulus_bytes - above : -above);
}

memory::Placement PlaceBlocks(const BlockProblem& problem, std::span<const std::int64_t> bases) {
  const auto offset = [&](const BlockProblem::Place& place) {
    return place.block == BlockProblem::kNoBlock ? 0 : bases[place.block] + place.delta_bytes;
  };
  memory::Placement placement;
  for (const auto& place : problem.place_of_storage) {
    placement.storage_offsets.push_back(offset(place));
  }
  for (const auto& place : problem.place_of_workspace) {
    placement.workspace_offsets.push_back(offset(place));
  }
  return placement;
}

std::int64_t ArenaBytes(const BlockProblem& problem, std::span<const std::int64_t> bases) {
  std::int64_t arena = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    arena = std::max(arena, bases[i] + problem.blocks[i].size_bytes);
  }
  return arena;
}

}  // namespace opass::allocators
