#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/memory/problem.h"

namespace opass::memory {

enum class AliasKind { kNone, kView, kInPlace, kConcatSlice };

// Which kinds of sharing a plan may use.
struct Sharing {
  bool view = true;
  bool in_place = true;
  bool concat_slice = false;  // not yet planned by any allocator
};

// Where one value lives. Steps are half-open [first, last) and of the value itself, not of its
// aliases: from its producer's step (0 for a resident input, the first reader's step for one that
// arrives at its first use) to just after its last reader, or to the number of steps (at least 1)
// when it is an output or preserved. An input that nobody reads or keeps has [0, 0) and size 0.
struct Buffer {
  ValueId value;  // invalid: the workspace of `workspace_of`
  OpId workspace_of;
  std::int64_t offset_bytes = 0;
  std::int64_t size_bytes = 0;  // of the value itself, rounded up to the alignment
  std::int64_t first = 0;
  std::int64_t last = 0;
  ValueId alias_of;  // its direct source; invalid when alias_kind is kNone
  AliasKind alias_kind = AliasKind::kNone;
};

// The answer to a Problem: an order, and a place in one arena for every buffer.
struct Plan {
  std::string target;
  Sharing sharing;
  std::int64_t alignment = 64;
  // How the problem counts graph inputs and outputs (docs/memory_model.md), so that whoever has the
  // model can pose the same problem.
  InputArrival inputs = InputArrival::kResident;
  bool preserve_inputs = false;
  bool exclude_io = false;
  bool deterministic = true;
  std::int64_t arena_bytes = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t lower_bound_bytes = 0;
  bool proven_optimal = false;
  std::int64_t weights_bytes = 0;
  std::int64_t sum_bytes = 0;  // all non-constant values, no reuse, unrounded
  std::int64_t sum_with_weights_bytes = 0;
  std::int64_t file_order_peak_bytes = 0;  // of the input model after binding
  std::vector<OpId> order;
  std::vector<Buffer> buffers;  // values in order of `first`, then of id
  std::vector<std::string> unplanned_values;
  Certificate certificate;
};

}  // namespace opass::memory
