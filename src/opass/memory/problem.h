#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/support/id.h"
#include "opass/support/result.h"

// The narrow waist of opass: whoever can say "these operators read and write these values" poses a
// Problem and gets a Plan. Pure data; docs/memory_model.md defines every word.
namespace opass::memory {

using ValueId = Id<struct ProblemValueTag>;
using OpId = Id<struct ProblemOpTag>;

// The value's bytes are a part of another value's bytes: it must share its storage.
struct View {
  ValueId source;                 // itself possibly a view
  std::int64_t offset_bytes = 0;  // from the start of `source`; a multiple of the alignment
};

struct Value {
  std::string name;             // unique
  std::int64_t size_bytes = 0;  // as stored, before rounding up to the alignment
  OpId producer;                // invalid: an input of the graph
  bool is_output = false;       // read by the caller after the last step: live to the end
  // An input that must keep its bytes to the end: live to the end, never overwritten.
  bool is_preserved = false;
  // False: the caller or the runtime owns the bytes; counts nothing and shares with nobody.
  bool in_arena = true;
  std::optional<View> view;  // only on outputs of an operator that reads `view->source`
};

// `output` may land at the address of `input` when `input` dies at this very step, through all its
// aliases. `output` is not larger than `input`.
struct InPlace {
  ValueId output;
  ValueId input;
};

struct Op {
  std::string name;             // unique
  std::vector<ValueId> inputs;  // no duplicates; values captured by subgraphs included
  std::vector<ValueId> outputs;
  std::vector<InPlace> in_place;     // candidates, preferred first
  std::int64_t workspace_bytes = 0;  // scratch that lives during the step only
};

inline constexpr std::int64_t kMaxAlignment = std::int64_t{1} << 30;

enum class InputArrival {
  kResident,  // inputs are live from step 0 (the caller wrote them before the run)
  kFirstUse,  // an input becomes live at its first reader
};

struct Problem {
  std::string name;
  std::int64_t alignment = 64;  // sizes and offsets are multiples of it
  InputArrival inputs = InputArrival::kResident;
  std::vector<Value> values;
  std::vector<Op> ops;  // in file order, which is topological

  const Value& value(ValueId id) const { return values[id.index()]; }
  Value& value(ValueId id) { return values[id.index()]; }
  const Op& op(OpId id) const { return ops[id.index()]; }
  Op& op(OpId id) { return ops[id.index()]; }
};

// What the structs promise: ids in range, file order topological, one producer a value, unique
// names, sizes within limits, views aligned, inside their source and without cycles, in-place pairs
// of this operator that fit, nothing shared with values outside the arena.
Status Validate(const Problem& problem);

}  // namespace opass::memory
