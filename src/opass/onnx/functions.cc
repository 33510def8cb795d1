#include "opass/onnx/functions.h"

#include <algorithm>
#include <exception>
#include <map>
#include <tuple>

#include "onnx/checker.h"
#include "onnx/inliner/inliner.h"
#include "opass/onnx/check.h"

namespace opass::onnxlib {
namespace {

constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 30;

struct Size {
  std::int64_t nodes = 0;
  std::int64_t bytes = 0;
};

// What the calls of a graph or a function expand to, each function measured once (the checker has
// ruled out circles before). Saturates above the limits.
class Expansion {
 public:
  explicit Expansion(const ::onnx::ModelProto& proto) {
    for (const auto& function : proto.functions()) {
      functions_[{function.domain(), function.name(), function.overload()}] = &function;
    }
  }

  template <typename Nodes>
  Size OfNodes(const Nodes& nodes) {
    Size total;
    for (const auto& node : nodes) {
      Add(total, {1, static_cast<std::int64_t>(node.ByteSizeLong())});
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) Add(total, OfNodes(attribute.g().node()));
      }
      const Key key(node.domain(), node.op_type(), node.overload());
      if (functions_.contains(key)) Add(total, OfFunction(key));
    }
    return total;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;

  static void Add(Size& total, const Size& size) {
    total.nodes = std::min(total.nodes + size.nodes, kMaxNodes + 1);
    total.bytes = std::min(total.bytes + size.bytes, kMaxBytes + 1);
  }

  Size OfFunction(const Key& key) {
    if (const auto known = sizes_.find(key); known != sizes_.end()) return known->second;
    const Size size = OfNodes(functions_.at(key)->node());
    sizes_.emplace(key, size);
    return size;
  }

  std::map<Key, const ::onnx::FunctionProto*> functions_;
  std::map<Key, Size> sizes_;
};

void CheckFunctions(const ::onnx::ModelProto& proto) {
  ::onnx::checker::CheckerContext context;
  context.set_ir_version(static_cast<int>(proto.ir_version()));
  std::unordered_map<std::string, int> opsets;
  for (const auto& entry : proto.opset_import()) {
    opsets[entry.domain()] = static_cast<int>(entry.version());
  }
  context.set_opset_imports(std::move(opsets));
  ::onnx::checker::check_model_local_functions(proto, context, {});
}

}  // namespace

Status InlineFunctions(::onnx::ModelProto& proto, const std::string& where) {
  if (proto.functions().empty()) return {};
  const auto bad = [&](std::string message) {
    return WithReason(InvalidInput(std::move(message), where), "bad-function");
  };
  try {
    ::onnx::checker::check_function_call_cycles(proto);
    CheckFunctions(proto);
    const Size size = Expansion(proto).OfNodes(proto.graph().node());
    if (size.nodes > kMaxNodes || size.bytes > kMaxBytes) {
      return bad("the calls of its local functions multiply beyond all measure");
    }
    ::onnx::inliner::InlineLocalFunctions(proto, /*convert_version=*/true);
  } catch (const std::exception& exception) {
    return bad("local functions: " + OneLine(exception.what()));
  }
  if (!proto.functions().empty()) {
    return bad("the local function '" + proto.functions(0).name() +
               "' imports other operator sets than the model");
  }
  return {};
}

}  // namespace opass::onnxlib
