#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

enum class ExternalPolicy : std::uint8_t {
  kKeep,   // weights that came from external files stay there, the others are embedded
  kCopy,   // weights of 1 KiB and more go to one file "<output>.data" beside the output
  kEmbed,  // everything in the one file (at most 2 GB)
};

struct WriteOptions {
  ExternalPolicy external = ExternalPolicy::kKeep;
};

// The model as the bytes of a ModelProto, weights embedded. Error: above protobuf's 2 GB.
Result<std::string> SerializeModel(const ir::Model& model);

// Writes the model, whole or not at all. Weights go to the stream from where they are: no second
// copy of them is made. `warnings` (may be null) hears when kKeep had to become kCopy: the output
// stands in another folder than the model's external data, or the embedded rest is above 2 GB.
Status WriteModelFile(const ir::Model& model, const std::string& path, const WriteOptions& options,
                      std::vector<std::string>* warnings);

}  // namespace opass::onnxlib
