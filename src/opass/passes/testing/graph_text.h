#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace opass::passes::testing {

// The text of a random graph in ONNX's syntax while it is written: its values so far, its constants
// and nodes.
class GraphText {
 protected:
  using Dims = std::vector<std::int64_t>;
  struct Value {
    std::string name;
    Dims dims;
  };

  explicit GraphText(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15 + 1) {}

  static std::string Comma(const Dims& dims) { return fmt::format("{}", fmt::join(dims, ",")); }
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  const Value& Pick(const std::vector<Value>& values) {
    const std::size_t recent = std::min<std::size_t>(3, values.size());
    return values[Below(2) == 0 ? Below(values.size()) : values.size() - 1 - Below(recent)];
  }

  std::string Op(const std::string& call) {
    const std::string name = fmt::format("v{}", ++count_);
    body_ += fmt::format("{} = {}\n", name, call);
    return name;
  }
  void Image(const Dims& dims, const std::string& call) { images_.push_back({Op(call), dims}); }
  void Matrix(const Dims& dims, const std::string& call) { matrices_.push_back({Op(call), dims}); }

  // A constant with small numbers of both signs, or of one.
  std::string Constant(const Dims& dims, bool positive = false) {
    const std::string name = fmt::format("c{}", ++count_);
    std::int64_t size = 1;
    for (const std::int64_t dim : dims) size *= dim;
    std::string elements;
    for (std::int64_t i = 0; i < size; ++i) {
      const double number = static_cast<double>(Below(33)) / 32 + (positive ? 0.25 : -0.5);
      elements += fmt::format("{}{}", i == 0 ? "" : ", ", number);
    }
    constants_ += fmt::format(", float[{}] {} = {{{}}}", Comma(dims), name, elements);
    return name;
  }
  std::string Scalar(double value) {
    const std::string name = fmt::format("c{}", ++count_);
    constants_ += fmt::format(", float {} = {{{}}}", name, value);
    return name;
  }
  std::string Ints(const Dims& values) {
    const std::string name = fmt::format("c{}", ++count_);
    constants_ += fmt::format(", int64[{}] {} = {{{}}}", values.size(), name, Comma(values));
    return name;
  }

  std::string Unary() {
    const char* all[] = {"Relu", "Sigmoid", "Tanh", "Abs", "Neg", "LeakyRelu", "HardSigmoid"};
    return all[Below(7)];
  }

  std::mt19937_64 random_;
  std::vector<Value> images_;
  std::vector<Value> matrices_;
  std::string constants_;
  std::string body_;
  int count_ = 0;
};

}  // namespace opass::passes::testing
