#include "opass/onnx/check.h"

#include <exception>

#include "onnx/checker.h"
#include "opass/onnx/axes.h"
#include "opass/onnx/einsum.h"
#include "opass/onnx/to_proto.h"
#include "opass/onnx/utf8.h"

namespace opass::onnxlib {

namespace {

void AddShape(::onnx::ValueInfoProto& info) {
  if (info.type().has_tensor_type()) info.mutable_type()->mutable_tensor_type()->mutable_shape();
}

}  // namespace

std::string OneLine(std::string_view text) {
  constexpr std::size_t kMaxLength = 400;
  std::string line;
  for (const char c : text) {
    const bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
    if (line.size() >= kMaxLength) return Printable(line + "...");
  }
  while (line.ends_with(' ')) line.pop_back();
  return Printable(std::move(line));
}

Status CheckModel(const ir::Model& model, const std::string& where) {
  OPASS_RETURN_IF_ERROR(CheckEinsum(model.graph, where));
  OPASS_RETURN_IF_ERROR(CheckAxes(model.graph, where));
  Skeleton skeleton = ModelToSkeleton(model);
  // Types of outputs are inferred and shapes of inputs may be bound later; runtimes do not ask for
  // them either.
  auto* graph = skeleton.proto.mutable_graph();
  for (auto& output : *graph->mutable_output()) {
    if (!output.has_type()) output.mutable_type()->mutable_tensor_type()->set_elem_type(1);
    AddShape(output);
  }
  for (auto& input : *graph->mutable_input()) AddShape(input);
  try {
    ::onnx::checker::check_model(skeleton.proto);
  } catch (const std::exception& exception) {
    return WithReason(InvalidInput(OneLine(exception.what()), where), "invalid-model");
  }
  return {};
}

}  // namespace opass::onnxlib
