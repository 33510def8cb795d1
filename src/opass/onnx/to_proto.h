#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"

namespace opass::onnxlib {

// What a proto says about one constant.
struct Placement {
  enum class Kind : std::uint8_t {
    kEmbed,     // an initializer with its bytes
    kLeaveOut,  // nothing: the caller writes it another way
    kDeclare,   // only its type, as a value_info (dumps)
    kInput,     // a typed input of the main graph instead (skeletons)
    kExternal,  // an initializer whose bytes stand in the file `external`
  };
  Kind kind = Kind::kEmbed;
  ir::ExternalData external;
};
// Asked once for every constant that is written; `is_main`: it belongs to the main graph.
using PlaceConstant = std::function<Placement(const ir::Tensor& tensor, bool is_main)>;

// The model as a message: nodes in graph order, initializers by value id, captured values by their
// outer name. Constants that nothing reads are left out.
::onnx::ModelProto ModelToProto(const ir::Model& model, const PlaceConstant& place);

// A skeleton: constants that shape inference and checks have no use for (floats above 1 KiB,
// integers above 64 KiB) are inputs of the main graph. `weights` lists those inputs by name.
struct Skeleton {
  ::onnx::ModelProto proto;
  std::vector<std::pair<std::string, ir::TensorPtr>> weights;
};
Skeleton ModelToSkeleton(const ir::Model& model);

// For every value: does the graph read it, list it as an output, or name it in an annotation?
std::vector<bool> UsedValues(const ir::Graph& graph);

// Name, doc string and metadata of a constant, without type and content.
void DescribeConstant(const ir::Value& value, const std::string& name, ::onnx::TensorProto* proto);

}  // namespace opass::onnxlib
