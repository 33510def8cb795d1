#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// A model for a runtime that is given large weights in memory: in the bytes they are external data
// of a file that does not exist.
struct WeightsApart {
  std::string bytes;
  std::vector<std::pair<std::string, ir::TensorPtr>> weights;  // by initializer name
};

// Weights of the main graph of `min_bytes` and more stay apart, if their memory is aligned to
// `alignment`. Error: the rest is above protobuf's 2 GB.
Result<WeightsApart> SerializeWeightsApart(const ir::Model& model, std::int64_t min_bytes,
                                           std::int64_t alignment);

}  // namespace opass::onnxlib
