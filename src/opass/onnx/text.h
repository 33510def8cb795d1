#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Parses a model in ONNX's own textual syntax (onnx/defs/parser.h; docs/decisions/0002), with all
// checks of a file. A text without a header, or with half of it, gets IR version 10 and opset 21.
// Nothing is inferred.
Result<ir::Model> ParseText(std::string_view text);

struct TextOptions {
  // Larger constants, and those of types the syntax has no elements for (4 and 2 bits, complex),
  // are only declared, with their type; -1: no limit.
  std::int64_t max_elements = 64;
  // Also the types of inner values.
  bool value_types = true;
};

// The model in the same syntax. Without elided constants it parses to the same model, but for
// metadata and doc strings of nodes and values, which the syntax cannot hold.
std::string PrintText(const ir::Model& model, const TextOptions& options = {});

}  // namespace opass::onnxlib
