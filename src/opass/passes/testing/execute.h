#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "opass/ort/evaluate.h"
#include "opass/ort/test_skip.h"
#include "opass/passes/testing/golden.h"

namespace opass::passes::testing {

// Random numbers about normal, the same on every machine.
inline ort::NamedTensors RandomInputs(const ir::Graph& graph, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ort::NamedTensors inputs;
  for (const ir::ValueId id : graph.inputs) {
    const ir::Value& value = graph.value(id);
    if (value.constant != nullptr) continue;
    std::vector<float> floats(static_cast<std::size_t>(value.type.NumElements().value_or(0)));
    for (float& number : floats) {
      number = 0;
      for (int i = 0; i < 3; ++i) number += static_cast<float>(random() % 2048) / 1024.0f - 1;
    }
    inputs[value.name] = ir::Tensor::FromFloats(*value.type.StaticDims(), floats);
  }
  return inputs;
}

// The largest difference of two float tensors over the largest magnitude of the first.
inline double RelativeDifference(const ir::Tensor& a, const ir::Tensor& b) {
  if (a.type != b.type || a.dims != b.dims) return INFINITY;
  if (ir::SameContent(a, b)) return 0;
  const auto x = ir::AsDoubles(a);
  const auto y = ir::AsDoubles(b);
  if (!x || !y) return INFINITY;
  double difference = 0;
  double largest = 1e-30;
  for (std::size_t i = 0; i < x->size(); ++i) {
    largest = std::max(largest, std::abs((*x)[i]));
    difference = std::max(difference, std::abs((*x)[i] - (*y)[i]));
  }
  return difference / largest;
}

// The names that nodes of both graphs compute, the outputs among them.
inline std::vector<std::string> CommonValues(const ir::Graph& a, const ir::Graph& b) {
  std::vector<std::string> names;
  for (const ir::NodeId node : a.order) {
    for (const ir::ValueId output : a.node(node).outputs) {
      if (!output.valid()) continue;
      const auto found = b.FindValue(a.value(output).name);
      if (found && b.value(*found).producer.valid()) names.push_back(a.value(output).name);
    }
  }
  return names;
}

// Both models executed on random inputs, all values of one name compared: equal bits after exact
// passes, else equal within rounding.
inline void ExpectSameResults(const ir::Model& before, const ir::Model& after, Exactness exactness,
                              std::uint64_t seed = 1) {
  constexpr double kRounding = 2e-5;
  const std::vector<std::string> names = CommonValues(before.graph, after.graph);
  const auto inputs = RandomInputs(before.graph, seed);
  const auto ours = ort::Evaluate(before, inputs, {.fetch = names});
  const auto theirs = ort::Evaluate(after, inputs, {.fetch = names});
  ASSERT_TRUE(ours.ok()) << ours.error().ToString() << Text(before);
  ASSERT_TRUE(theirs.ok()) << theirs.error().ToString() << Text(after);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double difference = RelativeDifference(*(*ours)[i], *(*theirs)[i]);
    ASSERT_LE(difference, exactness == Exactness::kExact ? 0 : kRounding)
        << names[i] << "\n"
        << Text(before) << Text(after);
  }
}

// Every value that a node computes has a type, and ONNX's inference finds no other.
inline void ExpectRightTypes(ir::Model model) {
  for (const ir::NodeId id : model.graph.order) {
    for (const ir::ValueId output : model.graph.node(id).outputs) {
      if (!output.valid()) continue;
      EXPECT_TRUE(model.graph.value(output).type.StaticDims().has_value())
          << model.graph.value(output).name;
    }
  }
  const Status status = onnxlib::InferTypes(model);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().ToString()) << Text(model);
}

// ExpectRewrite for a pass with sites; the result is executed too.
inline void ExpectPass(const char* name, const std::string& before, const std::string& after,
                       int num_changes = 1) {
  OPASS_SKIP_WITHOUT_ORT();
  EXPECT_EQ(ExpectRewrite(name, before, after).num_changes, num_changes);
  const ir::Model original = Model(before);
  ir::Model model = original;
  const auto result = RunPass(*FindPass(name), model, {});
  ASSERT_TRUE(result.ok());
  ExpectRightTypes(model);
  ExpectSameResults(original, model, FindPass(name)->exactness);
}

// "float[2,3] w = {...}" with small numbers that are not alike.
inline std::string Weight(const std::string& name, const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::string elements;
  for (std::int64_t i = 0; i < count; ++i) {
    elements +=
        fmt::format("{}{}", i == 0 ? "" : ", ", 0.125 * static_cast<double>(i * 7 % 17) - 1);
  }
  return fmt::format("float[{}] {} = {{{}}}", fmt::join(dims, ","), name, elements);
}

// A model of operator set `opset`.
inline std::string Graph(const std::string& signature, const std::string& constants,
                         const std::string& body, int opset = 17) {
  return fmt::format("<ir_version: 8, opset_import: [\"\": {}]>\ng {}\n<{}> {{\n{}\n}}", opset,
                     signature, constants, body);
}

}  // namespace opass::passes::testing
