#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "opass/frontends/relay/import.h"
#include "opass/ir/float16.h"
#include "opass/ort/evaluate.h"
#include "opass/ort/test_skip.h"

// For tests: programs in a few words, run by ONNX Runtime.
namespace opass::frontends::relay {

using Numbers = std::vector<double>;

inline std::string MainText(const std::string& parameters, const std::string& body) {
  return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + body + "\n}\n";
}

inline Conversion Import(const std::string& parameters, const std::string& body) {
  auto conversion = ImportRelayText(MainText(parameters, body), "t.relay");
  EXPECT_TRUE(conversion.ok()) << conversion.error().ToString();
  return conversion.ok() ? *std::move(conversion) : Conversion();
}

// "line:column: message" of the error; the body begins in line 3.
inline std::string ImportError(const std::string& parameters, const std::string& body) {
  const auto conversion = ImportRelayText(MainText(parameters, body), "t.relay");
  if (conversion.ok()) return "no error";
  EXPECT_EQ(conversion.error().code, ErrorCode::kInvalidInput);
  const std::string text = conversion.error().ToString();
  EXPECT_TRUE(text.starts_with("t.relay:")) << text;
  return text.substr(8);
}

template <typename Element>
std::string Bytes(const Numbers& numbers) {
  std::string bytes(numbers.size() * sizeof(Element), '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto element = static_cast<Element>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(Element), &element, sizeof(Element));
  }
  return bytes;
}

inline ir::TensorPtr MakeTensor(const ir::Type& type, const Numbers& numbers) {
  std::string bytes;
  switch (type.elem) {
    case ir::DataType::kFloat:
      bytes = Bytes<float>(numbers);
      break;
    case ir::DataType::kInt8:
      bytes = Bytes<std::int8_t>(numbers);
      break;
    case ir::DataType::kUint8:
    case ir::DataType::kBool:
      bytes = Bytes<std::uint8_t>(numbers);
      break;
    case ir::DataType::kInt32:
      bytes = Bytes<std::int32_t>(numbers);
      break;
    case ir::DataType::kInt64:
      bytes = Bytes<std::int64_t>(numbers);
      break;
    default:
      ADD_FAILURE() << "no such test input: " << type.ToString();
  }
  return ir::Tensor::Make(type.elem, *type.StaticDims(), bytes);
}

inline Numbers NumbersOf(const ir::Tensor& tensor) {
  if (const auto doubles = ir::AsDoubles(tensor)) return *doubles;
  if (const auto integers = ir::AsInt64s(tensor)) return {integers->begin(), integers->end()};
  Numbers numbers;
  for (std::size_t i = 0; i + 1 < tensor.bytes.size(); i += 2) {  // bfloat16
    std::uint16_t bits = 0;
    std::memcpy(&bits, tensor.bytes.data() + i, 2);
    numbers.push_back(ir::FromBfloat16Bits(bits));
  }
  return numbers;
}

// The outputs of the program, flattened, for these inputs in the order of the parameters.
inline std::vector<Numbers> OutputsOf(const std::string& parameters, const std::string& body,
                                      const std::vector<Numbers>& inputs) {
  const Conversion conversion = Import(parameters, body);
  const ir::Graph& graph = conversion.model.graph;
  if (graph.inputs.size() != inputs.size()) {
    ADD_FAILURE() << graph.inputs.size() << " inputs, not " << inputs.size();
    return {};
  }
  ort::NamedTensors tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    tensors[value.name] = MakeTensor(value.type, inputs[i]);
  }
  const auto results = ort::Evaluate(conversion.model, tensors);
  if (!results.ok()) {
    ADD_FAILURE() << body << "\n" << results.error().ToString();
    return {};
  }
  std::vector<Numbers> outputs;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const ir::Tensor& tensor = *(*results)[i];
    const ir::Type& type = graph.value(graph.outputs[i]).type;
    EXPECT_EQ(tensor.type, type.elem) << body;
    EXPECT_EQ(tensor.dims, *type.StaticDims()) << body;
    outputs.push_back(NumbersOf(tensor));
  }
  return outputs;
}

// The one output of one expression.
inline Numbers Value(const std::string& parameters, const std::string& expression,
                     const std::vector<Numbers>& inputs) {
  const auto outputs = OutputsOf(parameters, expression, inputs);
  return outputs.size() == 1 ? outputs[0] : Numbers();
}

inline std::string OutputType(const Conversion& conversion, std::size_t i = 0) {
  const ir::Graph& graph = conversion.model.graph;
  return graph.value(graph.outputs.at(i)).type.ToString();
}

inline Numbers Count(std::size_t n, double first = 0) {
  Numbers numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(first + static_cast<double>(i));
  return numbers;
}

inline void ExpectNear(const Numbers& actual, const Numbers& expected, double tolerance = 1e-5) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
  }
}

}  // namespace opass::frontends::relay
