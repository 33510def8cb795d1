#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"
#include "opass/onnx/external_files.h"
#include "opass/onnx/unique_names.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Turns a GraphProto, subgraphs included, into an ir::Graph. Node and value names become unique,
// Constant nodes and sparse initializers become constants, a captured value is captured by every
// graph on its way, and nodes are sorted topologically. Names in a subgraph that hide an outer one
// are renamed: ONNX forbids them, and renaming keeps their meaning.
class GraphReader {
 public:
  // `where` is the file. Initializers listed as inputs may be overridden from IR version 4 on.
  // Takes the tensors out of the message.
  GraphReader(::onnx::GraphProto& proto, std::string where, std::int64_t ir_version,
              ExternalFiles& files)
      : proto_(proto),
        where_(std::move(where)),
        ir_version_(ir_version),
        files_(files),
        names_(proto) {}

  Result<ir::Graph> Read();

 private:
  struct Scope;

  Result<ir::Graph> ReadGraph(::onnx::GraphProto& proto, Scope* outer, int depth);
  Status ReadTypes(const ::onnx::GraphProto& proto, Scope& scope);
  Status ReadInitializers(::onnx::GraphProto& proto, Scope& scope);
  Status ReadInputs(const ::onnx::GraphProto& proto, Scope& scope);
  Status DefineOutputs(::onnx::NodeProto& node, Scope& scope);
  Status ReadNode(::onnx::NodeProto& proto, Scope& scope, int depth);
  Status ReadOutputs(const ::onnx::GraphProto& proto, Scope& scope);
  Result<ir::Attribute> ReadAttribute(::onnx::AttributeProto& proto, Scope& scope,
                                      const std::string& where, int depth);
  Status CheckInitializerType(const ::onnx::ValueInfoProto& proto, const ir::Type& tensor);

  Result<ir::ValueId> Define(const std::string& name, Scope& scope);
  Result<ir::ValueId> Resolve(const std::string& name, Scope& scope, const std::string& where);
  std::string UniqueValueName(const std::string& wish, const Scope& scope);
  ir::ValueId CopyForOutput(ir::Graph& graph, ir::ValueId id, bool captured);
  Error Wrong(std::string message, std::string_view what, std::string_view name,
              std::string reason) const;

  ::onnx::GraphProto& proto_;
  std::string where_;
  std::int64_t ir_version_;
  ExternalFiles& files_;
  UniqueNames names_;
};

}  // namespace opass::onnxlib
