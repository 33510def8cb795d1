#pragma once

#include <gtest/gtest.h>

#include <string>

#include "opass/onnx/shape_inference.h"
#include "opass/onnx/text.h"
#include "opass/passes/action.h"

namespace opass::passes::testing {

// The model of a text in ONNX's syntax, types inferred.
inline ir::Model Model(const std::string& text) {
  auto model = onnxlib::ParseText(text);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().ToString()) << "\n" << text;
  if (!model.ok()) return {};
  const Status status = onnxlib::InferTypes(*model);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().ToString());
  return *std::move(model);
}

inline std::string Text(const ir::Model& model) {
  onnxlib::TextOptions options;
  options.value_types = false;
  return onnxlib::PrintText(model, options);
}

// Runs the pass on `before` and expects `after`, both as texts; the graph must verify.
inline PassResult ExpectRewrite(const char* pass, const std::string& before,
                                const std::string& after, const PassOptions& options = {}) {
  ir::Model model = Model(before);
  const auto result = RunPass(*FindPass(pass), model, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().ToString());
  if (!result.ok()) return {};
  const Status verified = ir::Verify(model.graph);
  EXPECT_TRUE(verified.ok()) << (verified.ok() ? "" : verified.error().ToString());
  EXPECT_EQ(Text(model), Text(Model(after)));
  return *result;
}

inline void ExpectUnchanged(const char* pass, const std::string& text) {
  EXPECT_EQ(ExpectRewrite(pass, text, text).num_changes, 0);
}

}  // namespace opass::passes::testing
