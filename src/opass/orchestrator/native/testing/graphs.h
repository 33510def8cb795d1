#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "opass/orchestrator/native/native_domain.h"
#include "opass/passes/runner.h"
#include "opass/passes/testing/execute.h"

// The graphs of tools/models/generate_lookahead.py with weights of zero, as texts, and steps on
// them by name.
namespace opass::orchestrator::testing {

using passes::testing::Graph;

inline std::string Zeros(const std::string& name, const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::string elements = "0";
  for (std::int64_t i = 1; i < count; ++i) elements += ",0";
  return fmt::format("float[{}] {} = {{{}}}", fmt::join(dims, ","), name, elements);
}

inline std::string ConcatConv() {
  return Graph("(float[1,8,64,64] x) => (float[1,8,64,64] y)",
               Zeros("w", {64, 8, 3, 3}) + ", " + Zeros("v", {8, 128, 1, 1}), R"(
      a = Conv <pads = [1, 1, 1, 1]> (x, w)
      s = Sigmoid(a)
      b = Conv <pads = [1, 1, 1, 1]> (x, w)
      t = Tanh(b)
      c = Concat <axis = 1> (s, t)
      r = Relu(c)
      y = Conv(r, v))");
}

inline std::string Transposes() {
  return Graph("(float[1,64,64,32] x) => (float[1,1,1,32] y)", "float half = {0.5}", R"(
      a = Add(x, half)
      q = Relu(a)
      n = Transpose <perm = [0, 3, 1, 2]> (q)
      s = Sigmoid(n)
      t = Transpose <perm = [0, 2, 3, 1]> (s)
      z = Relu(t)
      y = ReduceMean <axes = [1, 2]> (z))");
}

inline std::string LongSkip() {
  return Graph("(float[1,16,32,32] x) => (float[1,4,64,64] y)",
               "float[4] twice = {1,1,2,2}, " + Zeros("w", {48, 16, 3, 3}) + ", " +
                   Zeros("u", {48, 48, 3, 3}) + ", " + Zeros("v", {4, 48, 3, 3}) + ", " +
                   Zeros("z", {4, 20, 1, 1}),
               R"(
      r = Relu(x)
      up = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric",
                   nearest_mode = "floor"> (r, , twice)
      a = Conv <pads = [1, 1, 1, 1]> (up, w)
      b = Relu(a)
      c = Conv <pads = [1, 1, 1, 1]> (b, u)
      d = Conv <pads = [1, 1, 1, 1]> (c, v)
      e = Concat <axis = 1> (up, d)
      y = Conv(e, z))");
}

inline std::string ReluPool() {
  return Graph("(float[1,8,64,64] x) => (float[1,8,32,32] y)",
               Zeros("w", {32, 8, 3, 3}) + ", " + Zeros("v", {8, 32, 1, 1}), R"(
      c = Conv <pads = [1, 1, 1, 1]> (x, w)
      r = Relu(c)
      p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)
      g = GlobalAveragePool(c)
      s = Sigmoid(g)
      m = Mul(p, s)
      y = Conv(m, v))");
}

inline std::string Reassociate() {
  return Graph("(float[256,32] a, float[256,32] b, float[256,4] v) => (float[256,4] y)",
               "float unused = {0}", R"(
      t = Transpose <perm = [1, 0]> (b)
      m = MatMul(a, t)
      y = MatMul(m, v))");
}

inline std::string TwoResizes() {
  return Graph("(float[1,4,64,64] x) => (float[1,2,128,128] y)",
               "float[4] twice = {1,1,2,2}, " + Zeros("w", {4, 4, 3, 3}) + ", " +
                   Zeros("u", {128, 4, 3, 3}) + ", " + Zeros("v", {4, 128, 3, 3}) + ", " +
                   Zeros("z", {2, 4, 1, 1}),
               R"(
      p = Resize <mode = "nearest"> (x, , twice)
      a = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (p, w)
      b = Conv <pads = [1, 1, 1, 1]> (a, u)
      c = Relu(b)
      d = Conv <pads = [1, 1, 1, 1]> (c, v)
      q = Resize <mode = "nearest"> (x, , twice)
      e = Resize <mode = "nearest"> (d, , twice)
      f = Add(q, e)
      y = Conv(f, z))");
}

// Two written-out HardSwish of one size and one of another.
inline std::string HardSwishes(int opset) {
  std::string body;
  const auto add = [&](const std::string& x, const std::string& y) {
    body += fmt::format(
        "{1}p = Add({0}, three)\n{1}q = Clip({1}p, zero, six)\n{1}r = Mul({0}, {1}q)\n"
        "{1} = Div({1}r, six)\n",
        x, y);
  };
  add("x", "a");
  add("a", "b");
  body += "c = GlobalAveragePool(b)\n";
  add("c", "y");
  return Graph("(float[1,8,32,32] x) => (float[1,8,1,1] y)",
               "float three = {3}, float zero = {0}, float six = {6}", body, opset);
}

inline std::unique_ptr<NativeDomain> MakeDomain(const std::string& text,
                                                std::int64_t max_opset = 0) {
  NativeOptions options;
  options.actions.max_opset = max_opset;
  ir::Model model = passes::testing::Model(text);
  EXPECT_TRUE(passes::RunPasses(model, passes::CleanUpPasses(), {}).ok());
  auto domain = NativeDomain::Make(std::move(model), options);
  EXPECT_TRUE(domain.ok()) << (domain.ok() ? "" : domain.error().ToString());
  return domain.ok() ? *std::move(domain) : nullptr;
}

// The states on the way by the first actions whose names begin so, the start among them.
inline std::vector<StateId> Walk(NativeDomain& domain, const std::vector<std::string>& actions) {
  std::vector<StateId> states = {kStart};
  for (const std::string& begin : actions) {
    const auto proposed = domain.Propose(states.back());
    EXPECT_TRUE(proposed.ok());
    std::size_t i = 0;
    while (i < proposed->size() && !(*proposed)[i].name.starts_with(begin)) ++i;
    EXPECT_LT(i, proposed->size()) << "no action " << begin;
    if (i == proposed->size()) return states;
    const auto next = domain.Apply(states.back(), i);
    EXPECT_TRUE(next.ok() && next->has_value()) << begin;
    if (!next.ok() || !next->has_value()) return states;
    states.push_back(**next);
  }
  return states;
}

}  // namespace opass::orchestrator::testing
