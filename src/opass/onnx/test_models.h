#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "onnx/defs/parser.h"
#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"
#include "opass/onnx/read.h"
#include "opass/onnx/text.h"

namespace opass::onnxlib {

// A message from ONNX's textual syntax, as it stands: nothing is checked.
inline ::onnx::ModelProto ProtoFromText(std::string_view text) {
  ::onnx::ModelProto proto;
  const auto status = ::onnx::OnnxParser::Parse(proto, text);
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  if (!proto.has_ir_version()) proto.set_ir_version(10);
  if (proto.opset_import().empty()) proto.add_opset_import()->set_version(21);
  return proto;
}

inline Result<ir::Model> ReadProto(const ::onnx::ModelProto& proto) {
  return ReadModelBytes(proto.SerializeAsString(), "m.onnx", "");
}

inline ir::Model ModelFromText(std::string_view text) {
  auto model = ParseText(text);
  EXPECT_TRUE(model.ok()) << model.error().ToString();
  return model.ok() ? *std::move(model) : ir::Model();
}

inline const ir::Value& ValueNamed(const ir::Graph& graph, std::string_view name) {
  static const ir::Value kNone;
  const auto id = graph.FindValue(name);
  EXPECT_TRUE(id.has_value()) << "no value " << name;
  return id ? graph.value(*id) : kNone;
}

}  // namespace opass::onnxlib
