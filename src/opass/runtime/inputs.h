#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::runtime {

// Half-open, except that low == high means that one number.
struct InputRange {
  double low = 0;
  double high = 1;
};

// How to make the inputs of a model.
struct InputOptions {
  std::map<std::string, std::string> files;  // by input name: a .npy or .pb (TensorProto) file
  std::map<std::string, InputRange> ranges;
  std::uint64_t seed = 0;
};

// Adds what --input name=file and --input-range name=low:high say. Split at the last '=', because
// names may hold any character. Errors show the form that is expected.
Status ParseInputFlag(std::string_view text, InputOptions& options);
Status ParseInputRangeFlag(std::string_view text, InputOptions& options);

// A tensor of the type from the seed, the same on every machine: floats about normal (mean 0,
// variance 1), integers and 4-bit numbers in [0, 2), because ids and masks are not noise, bools
// either, strings "0" and "1". Nothing for an undefined type or unknown dimensions.
ir::TensorPtr MakeTensor(const ir::Type& type, std::uint64_t seed,
                         const std::optional<InputRange>& range = std::nullopt);

// The graph's inputs by name; initializers that are also inputs are left as they are. Every input
// draws from its own stream, so that the order of inputs does not matter. Errors: kInvalidInput for
// a name the graph does not have, a file of another type or shape, unknown dimensions; kNotPossible
// with the reason "unsupported-input" for a sequence, an optional or another kind of input, and
// with "no-memory" for one that does not fit this machine.
Result<std::map<std::string, ir::TensorPtr>> MakeInputs(const ir::Graph& graph,
                                                        const InputOptions& options);

}  // namespace opass::runtime
