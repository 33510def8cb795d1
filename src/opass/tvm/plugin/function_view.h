#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "opass/tvm/plugin/reflect.h"

// The main function of a Relax module as a straight line of bindings, imported or lowered, and
// which bytes every variable may name.
namespace opass::tvm {

// Bytes of one tensor.
struct Root {
  std::string name;
  std::int64_t size_bytes = 0;
  bool is_outside = false;  // a parameter, a graph output, or made by the runtime
  bool is_written = false;
  std::size_t allocation = 0;  // the binding that allocates it; of lowered functions only
};

// The roots that a variable may name, by the fields of its type: a tensor has one field.
using Aliases = std::vector<std::vector<std::size_t>>;

struct BoundVar {
  Object binding;
  Object var;
  Object value;
  std::vector<const ffi::Object*> uses;  // variables in `value`
  bool is_step = false;                  // else an allocation or another name for what is there
};

// A call that computes.
struct Step {
  std::size_t binding = 0;
  std::string name;
  std::vector<std::size_t> reads;    // roots, ascending, without those of `writes`
  std::vector<std::size_t> writes;   // roots that hold nothing before
  std::vector<std::size_t> updates;  // of `reads`: overwritten in place
  // What a kernel of an imported function makes for itself while it runs: scratch that is seen
  // before it is lowered, such as what lies between operators that were fused.
  std::int64_t scratch_bytes = 0;
  // Per root of `writes` its place among the arguments; of lowered functions only.
  std::vector<std::size_t> written_arguments;
};

struct FunctionView {
  std::vector<BoundVar> bindings;
  std::vector<Root> roots;
  std::vector<Step> steps;
  std::unordered_map<const ffi::Object*, std::size_t> binding_of;  // of a variable
};

// Throws ffi::Error on control flow and on sizes that are not known.
FunctionView ViewMain(const Object& module);

// Bytes of a tensor type.
std::int64_t TensorBytes(const Object& type);

}  // namespace opass::tvm
