#pragma once

#include <cstdint>
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
};

struct BlockProblem {
  std::int64_t alignment = 1;  // all sizes and deltas are multiples of it
  std::int64_t num_steps = 0;
  std::int64_t peak_bytes = 0;  // no placement needs less
  std::vector<Block> blocks;

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

// Where everything lies when block b has base `bases[b]`.
memory::Placement PlaceBlocks(const BlockProblem& problem, std::span<const std::int64_t> bases);

// The end of the highest block.
std::int64_t ArenaBytes(const BlockProblem& problem, std::span<const std::int64_t> bases);

}  // namespace opass::allocators
