#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "opass/memory/buffers.h"
#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"

// What allocators place. A storage with everything that later takes over its bytes is one block:
// its parts lie at fixed distances. Each part is checked by itself, so that the bytes which a
// smaller output leaves free after a takeover can be used, and an arena equal to the peak stays
// reachable.
namespace opass::allocators {

// Bytes [base + delta, base + delta + size) during the steps [first, last).
struct Piece {
  std::int64_t delta_bytes = 0;
  std::int64_t size_bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Block {
  std::vector<Piece> pieces;    // by time; at least one; none of size 0 or of no steps
  std::int64_t size_bytes = 0;  // the end of the highest piece
  std::int64_t first = 0;       // the hull of the pieces
  std::int64_t last = 0;
  std::int64_t pressure_bytes = 0;  // the most bytes live in a step of the hull
  std::int64_t area = 0;            // bytes times steps of all pieces, at most the largest int64

  // Of lists with constraints (list_blocks.h). The base is `residue_bytes` more than a multiple of
  // `modulus_bytes`; when it is fixed, it is this one.
  std::int64_t modulus_bytes = 1;
  std::int64_t residue_bytes = 0;
  std::optional<std::int64_t> fixed_base = std::nullopt;
};

// [begin, end).
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct BlockProblem {
  std::int64_t alignment = 1;  // all sizes and deltas are multiples of it
  std::int64_t num_steps = 0;
  std::int64_t peak_bytes = 0;  // no placement needs less
  std::vector<Block> blocks;
  std::vector<ByteRange> forbidden;  // no piece lies there; ascending and apart

  static constexpr std::size_t kNoBlock = static_cast<std::size_t>(-1);
  struct Place {
    std::size_t block = kNoBlock;  // none for a storage that is never used
    std::int64_t delta_bytes = 0;
  };
  std::vector<Place> place_of_storage;
  std::vector<Place> place_of_workspace;  // per operator
};

BlockProblem MakeBlocks(const memory::StorageGraph& graph, const memory::Schedule& schedule);

// A block for every piece, of alignment 1: buffers without views and takeovers. Steps are numbered
// from 0; all sizes together fit in an int64.
BlockProblem MakePlainBlocks(std::span<const Piece> pieces);

// Sets the fields of all blocks that follow from their pieces. `step_bytes`: live bytes per step.
void MeasureBlocks(std::vector<std::int64_t> step_bytes, std::vector<Block>& blocks);

// The least base of the block that is not below `base`, as far as its modulus goes.
std::int64_t AlignedUp(const Block& block, std::int64_t base);

// Where everything lies when block b has base `bases[b]`.
memory::Placement PlaceBlocks(const BlockProblem& problem, std::span<const std::int64_t> bases);

// The end of the highest block.
std::int64_t ArenaBytes(const BlockProblem& problem, std::span<const std::int64_t> bases);

}  // namespace opass::allocators
