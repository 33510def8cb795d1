#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/allocators/disjunctive/bases.h"

// Searches for blocks of all kinds: of several pieces, aligned, beside fixed blocks and forbidden
// bytes. Plain buffers are searched better by folder exact.
namespace opass::allocators::disjunctive {

// Of two blocks that meet in time: the base of `b` less that of `a` is not strictly between `low`
// and `high`. Either b lies above a (by `high` or more) or below (at most `low`).
struct Conflict {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// A piece in a section.
struct Job {
  std::uint32_t block = 0;
  std::int64_t delta_bytes = 0;
  std::int64_t size_bytes = 0;
};

// Pieces that live together, and the bytes that what is fixed or forbidden holds then.
struct Section {
  std::vector<Job> jobs;
  std::vector<ByteRange> held;  // ascending and apart
};

struct Instance {
  std::vector<std::size_t> blocks;  // their numbers in the problem; others here are by position
  std::vector<std::int64_t> size_bytes;
  std::vector<Bases> bases;
  std::vector<Conflict> conflicts;
  std::vector<Section> sections;
  // Per conflict: between two blocks that are alike and could change places; the first may then be
  // the lower one.
  std::vector<bool> is_of_twins;
};

// `blocks` are not fixed. Nothing when the instance would be too large to search.
std::optional<Instance> MakeInstance(const BlockProblem& problem,
                                     std::span<const std::size_t> blocks);

// The blocks that are not fixed, in parts that no two blocks of different ones meet; by their first
// numbers.
std::vector<std::vector<std::size_t>> PartsOf(const BlockProblem& problem);

}  // namespace opass::allocators::disjunctive
