#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// The names of a whole model, subgraphs included, while it is read: values keep theirs, nodes
// without a name or with a repeated one get a new one.
class UniqueNames {
 public:
  // Takes note of every name in the file, so that none is invented.
  explicit UniqueNames(const ::onnx::GraphProto& main) { Collect(main); }

  // A value name close to `wish` that nobody has.
  std::string InventValueName(const std::string& wish);
  // The node's own name if it has one and is the first to have it, otherwise a new one.
  std::string NodeName(const std::string& given, const std::string& op_type);

  // Tells the graph and its subgraphs all names of the model: what Graph::FreshName gives must meet
  // none of them. Error: names times subgraphs are beyond all measure.
  Status Reserve(ir::Graph& graph, const std::string& where);

 private:
  void Collect(const ::onnx::GraphProto& graph);

  std::unordered_set<std::string> value_names_;
  std::unordered_set<std::string> given_node_names_;
  std::unordered_set<std::string> used_node_names_;
  std::unordered_map<std::string, int> next_value_suffix_;
  std::unordered_map<std::string, int> next_node_suffix_;
  std::size_t num_reserved_ = 0;
};

}  // namespace opass::onnxlib
