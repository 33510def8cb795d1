#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/ir/tensor.h"
#include "opass/support/result.h"

// What is known of the ReBench graphs from executing them in TVM: FOLDER/expected.
namespace opass::bench {

// An input: element j is made from a counter (rebench_inputs.h).
struct ExpectedInput {
  std::string name;
  std::uint64_t seed = 0;
  bool positive = false;  // floats in [0.25, 1.25) instead of [-1, 1)
  int scale_log2 = 0;     // floats are multiplied by this power of two
  std::vector<double> first4;
};

// An output, flattened. Where it is not stored whole, a few elements of it are known.
struct ExpectedOutput {
  std::string type;  // "float32"
  std::vector<std::int64_t> dims;
  double mean = 0;
  double l2 = 0;
  double absmax = 0;
  std::vector<double> first8;
  std::vector<double> samples64;  // flat index floor(i*n/64)
  ir::TensorPtr stored;           // null: not stored
};

// A parameter or a binding, one row a tensor.
struct ExpectedVariable {
  std::string name;   // "%3"
  std::string field;  // its place in a tuple; empty: no tuple
  std::string op;
  std::string type;
  std::string shape;  // "1x3", "scalar"
  double mean = 0;
  double l2 = 0;
};

struct Expected {
  std::vector<ExpectedInput> inputs;
  std::vector<ExpectedOutput> outputs;
  std::vector<ExpectedVariable> variables;  // empty: no such table
};

// Of the graph "05", or "transformer". Error: a missing or malformed file.
Result<Expected> ReadExpected(const std::string& folder, const std::string& graph);

}  // namespace opass::bench
