#include "opass/allocators/list_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "opass/allocators/list_bounds.h"

namespace opass::allocators {
namespace {

constexpr std::size_t kMostPiecesOfGroup = 4096;

void AddPieces(const ListedBuffer& buffer, std::int64_t delta_bytes, std::vector<Piece>& pieces) {
  if (buffer.size_bytes == 0) return;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    if (first < last) pieces.push_back({delta_bytes, buffer.size_bytes, first, last});
  };
  std::int64_t first = buffer.first;
  for (const Gap& gap : buffer.gaps) {
    add(first, gap.first);
    first = gap.last;
  }
  add(first, buffer.last);
}

// The bytes that pieces hold in a step, ascending and apart.
std::vector<ByteRange> BytesAt(std::span<const Piece> by_delta, std::int64_t step) {
  std::vector<ByteRange> held;
  for (const Piece& piece : by_delta) {
    if (step < piece.first || step >= piece.last) continue;
    const std::int64_t end = piece.delta_bytes + piece.size_bytes;
    if (!held.empty() && piece.delta_bytes <= held.back().end) {
      held.back().end = std::max(held.back().end, end);
    } else {
      held.push_back({piece.delta_bytes, end});
    }
  }
  return held;
}

// The same bytes in the same steps, without overlaps.
std::vector<Piece> Disjoint(std::vector<Piece> pieces) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.delta_bytes < b.delta_bytes; });
  std::vector<std::int64_t> steps;
  for (const Piece& piece : pieces) steps.insert(steps.end(), {piece.first, piece.last});
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<Piece> made;
  std::vector<std::size_t> current;  // numbers in `made` of those that live on
  for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
    std::vector<std::size_t> next;
    auto before = current.begin();
    for (const ByteRange& range : BytesAt(pieces, steps[k])) {
      while (before != current.end() && made[*before].delta_bytes < range.begin) ++before;
      const Piece piece{range.begin, range.end - range.begin, steps[k], steps[k + 1]};
      if (before != current.end() && made[*before].delta_bytes == piece.delta_bytes &&
          made[*before].size_bytes == piece.size_bytes) {
        made[*before].last = piece.last;
        next.push_back(*before);
      } else {
        next.push_back(made.size());
        made.push_back(piece);
      }
    }
    current = std::move(next);
  }
  return made;
}

// Asks for a base that is `residue` more than a multiple of `modulus`, beside what the block asks
// for already. False: there is none. Both moduli are at most 2^30, so that products fit.
bool AddModulus(Block& block, std::int64_t modulus, std::int64_t residue) {
  const std::int64_t common = std::gcd(block.modulus_bytes, modulus);
  if ((residue - block.residue_bytes) % common != 0) return false;
  // base = old residue + k * old modulus; k counts modulo `turns`.
  const std::int64_t turns = modulus / common;
  const std::int64_t stride = block.modulus_bytes / common % turns;
  const std::int64_t missing = ((residue - block.residue_bytes) / common % turns + turns) % turns;
  std::int64_t inverse = 0;  // of stride modulo turns, by Euclid
  std::int64_t next = 1;
  for (std::int64_t a = turns, b = stride; b != 0;) {
    inverse = std::exchange(next, inverse - a / b * next);
    a = std::exchange(b, a % b);
  }
  const std::int64_t k = missing * ((inverse % turns + turns) % turns) % turns;
  block.residue_bytes += k * block.modulus_bytes;
  block.modulus_bytes *= turns;
  return true;
}

std::int64_t Modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

// Alignment and pin of one buffer.
Status Constrain(const ListedBuffer& buffer, std::int64_t delta_bytes, Block& block) {
  const auto fail = [&](std::string_view what) {
    return InvalidInput(fmt::format("{} of group '{}' contradict each other", what, buffer.group),
                        buffer.name);
  };
  const std::int64_t alignment = buffer.alignment;
  if (!AddModulus(block, alignment, Modulo(-delta_bytes, alignment))) return fail("the alignments");
  if (block.modulus_bytes > kMostAlignment) {
    return InvalidInput(
        fmt::format("the alignments of group '{}' together exceed 2^30", buffer.group),
        buffer.name);
  }
  if (!buffer.pinned_offset) return {};
  const std::int64_t base = *buffer.pinned_offset - delta_bytes;
  if (base < 0) {
    return InvalidInput(fmt::format("its pin puts another of group '{}' below 0", buffer.group),
                        buffer.name);
  }
  if (block.fixed_base && *block.fixed_base != base) return fail("the pins");
  block.fixed_base = base;
  return {};
}

// Steps where something is born or dies are numbered.
void NumberSteps(BlockProblem& problem) {
  std::vector<std::int64_t> steps;
  for (const Block& block : problem.blocks) {
    for (const Piece& piece : block.pieces) steps.insert(steps.end(), {piece.first, piece.last});
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const auto number = [&](std::int64_t step) {
    return std::lower_bound(steps.begin(), steps.end(), step) - steps.begin();
  };
  for (Block& block : problem.blocks) {
    for (Piece& piece : block.pieces) {
      piece.first = number(piece.first);
      piece.last = number(piece.last);
    }
  }
  problem.num_steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(steps.size()));
}

std::vector<std::int64_t> StepBytes(const BlockProblem& problem) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(problem.num_steps) + 1, 0);
  for (const Block& block : problem.blocks) {
    for (const Piece& piece : block.pieces) {
      bytes[static_cast<std::size_t>(piece.first)] += piece.size_bytes;
      bytes[static_cast<std::size_t>(piece.last)] -= piece.size_bytes;
    }
  }
  std::partial_sum(bytes.begin(), bytes.end(), bytes.begin());
  return bytes;
}

// One above the other, all of them are below 2^62.
Status CheckMeasure(const BlockProblem& problem) {
  std::int64_t ground = problem.forbidden.empty() ? 0 : problem.forbidden.back().end;
  std::int64_t left = kMostListBytes;
  for (const Block& block : problem.blocks) {
    if (block.size_bytes > left - block.modulus_bytes) {
      return InvalidInput("sizes, alignments, deltas and pins together exceed 2^62");
    }
    left -= block.size_bytes + block.modulus_bytes;
    if (block.fixed_base) ground = std::max(ground, *block.fixed_base);
  }
  if (ground > left) {
    return InvalidInput("sizes, alignments, deltas and pins together exceed 2^62");
  }
  return {};
}

}  // namespace

Result<UnitBlock> MakeUnitBlock(std::span<const ListedBuffer> buffers, const Unit& unit) {
  UnitBlock made;
  std::int64_t lowest = buffers[unit.buffers.front()].delta_bytes;
  for (const std::size_t i : unit.buffers) lowest = std::min(lowest, buffers[i].delta_bytes);
  std::vector<Piece> pieces;
  for (const std::size_t i : unit.buffers) {
    made.delta_bytes.push_back(buffers[i].delta_bytes - lowest);
    AddPieces(buffers[i], made.delta_bytes.back(), pieces);
    OPASS_RETURN_IF_ERROR(Constrain(buffers[i], made.delta_bytes.back(), made.block));
  }
  if (made.block.fixed_base &&
      AlignedUp(made.block, *made.block.fixed_base) != made.block.fixed_base) {
    const ListedBuffer& first = buffers[unit.buffers.front()];
    return InvalidInput(
        fmt::format("pins and alignments of group '{}' contradict each other", first.group),
        first.name);
  }
  if (unit.buffers.size() > 1) {
    if (pieces.size() > kMostPiecesOfGroup) {
      const ListedBuffer& first = buffers[unit.buffers.front()];
      return InvalidInput(fmt::format("group '{}' has more than {} buffers and gaps", first.group,
                                      kMostPiecesOfGroup),
                          first.name);
    }
    pieces = Disjoint(std::move(pieces));
  }
  made.block.pieces = std::move(pieces);
  for (const Piece& piece : made.block.pieces) {
    made.block.size_bytes = std::max(made.block.size_bytes, piece.delta_bytes + piece.size_bytes);
  }
  return made;
}

Result<PoolBlocks> MakePoolBlocks(std::vector<Block> blocks, const Pool& pool) {
  PoolBlocks made;
  made.problem.blocks = std::move(blocks);
  made.problem.forbidden = pool.forbidden;
  OPASS_RETURN_IF_ERROR(CheckMeasure(made.problem));
  NumberSteps(made.problem);
  MeasureBlocks(StepBytes(made.problem), made.problem.blocks);
  const ListBounds bounds = BoundsOf(made.problem);
  made.max_live_bytes = bounds.max_live_bytes;
  made.problem.peak_bytes = bounds.lower_bound_bytes;
  return made;
}

}  // namespace opass::allocators
