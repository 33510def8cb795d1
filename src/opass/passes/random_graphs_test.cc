// The clean-up passes on random graphs: whatever they remove, fold and inline, the runtime computes
// the same bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "opass/ort/evaluate.h"
#include "opass/passes/runner.h"
#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

using Dims = std::vector<std::int64_t>;

struct Value {
  std::string name;
  Dims dims;
};

std::string Comma(const Dims& dims) { return fmt::format("{}", fmt::join(dims, ",")); }
std::string TypeOf(const Value& value) {
  return fmt::format("float[{}] {}", Comma(value.dims), value.name);
}

// Writes graphs of float tensors with six elements in ONNX's syntax: operators that compute, others
// that only seem to, constants, captures, branches and loops, and much that nobody reads.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15 + 1) {}

  std::string Model() {
    values_ = {{"x", {2, 3}}, {"w", {2, 3}}, {"o", {6}}};
    std::string body;
    const std::size_t nodes = 3 + Below(12);
    for (std::size_t i = 0; i < nodes; ++i) body += Node(/*depth=*/0);
    std::vector<Value> outputs;
    for (const Value& value : values_) {
      const bool given = value.name == "x" || value.name == "w" || value.name == "o";
      if (!given && (outputs.empty() || Below(4) == 0)) outputs.push_back(value);
    }
    if (Below(4) == 0) {  // a name of its own for a graph input or a constant
      outputs.push_back({"given", {2, 3}});
      body += fmt::format("given = Identity({})\n", Below(2) == 0 ? "x" : "w");
    }
    std::string declared;
    for (const Value& output : outputs) declared += ", " + TypeOf(output);
    return fmt::format(
        "<ir_version: 8, opset_import: [\"\": 17]>\n"
        "g (float[2,3] x, bool c, float[6] o = {{1, 2, 3, 4, 5, 6}}) => ({})\n"
        "<float[2,3] w = {{0.5, -1, 2, -0.25, 3, 0}}, bool yes = {{1}}, bool no = {{0}},\n"
        " int64 twice = {{2}}> {{\n{}}}\n",
        declared.substr(2), body);
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::string Name() { return fmt::format("v{}", ++count_); }
  const Value& Any() { return values_[Below(3) == 0 ? Below(values_.size()) : Late()]; }
  std::size_t Late() {
    return values_.size() - 1 - Below(std::min<std::size_t>(3, values_.size()));
  }
  Dims AnyDims() {
    const Dims all[] = {{2, 3}, {3, 2}, {6}, {1, 6}, {2, 1, 3}, {1, 2, 3}};
    return all[Below(6)];
  }

  std::string Make(Dims dims, const std::string& call) {
    values_.push_back({Name(), std::move(dims)});
    return fmt::format("{} = {}\n", values_.back().name, call);
  }

  std::string Ints(const std::string& name, const Dims& elements) {
    return fmt::format("{} = Constant <value = int64[{}] {{{}}}> ()\n", name, elements.size(),
                       Comma(elements));
  }

  std::string Node(int depth) {
    const Value in = Any();
    const std::string& x = in.name;
    const std::size_t rank = in.dims.size();
    const std::string p = Name();
    switch (Below(depth < 2 ? 22 : 19)) {
      case 0:
        return Make(in.dims, fmt::format("Neg({})", x));
      case 1:
        return Make(in.dims, fmt::format("Tanh({})", x));
      case 2:
        return Make(in.dims, fmt::format("Mul({}, {})", x, x));
      case 3:
        return Make(in.dims, fmt::format("Identity({})", x));
      case 4:
        return Make(in.dims, fmt::format("Dropout({})", x));
      case 5:
        return Make(in.dims, fmt::format("Cast <to = 1> ({})", x));
      case 6:
        return Make(in.dims, fmt::format("{}({})", Below(2) == 0 ? "Sum" : "Mean", x));
      case 7:
        return Make(in.dims, fmt::format("Concat <axis = 0> ({})", x));
      case 8: {
        const Dims dims = AnyDims();
        return Ints(p, dims) + Make(dims, fmt::format("Reshape({}, {})", x, p));
      }
      case 9:
        return fmt::format("{} = Shape({})\n", p, x) +
               Make(in.dims, fmt::format("{}({}, {})", Below(2) == 0 ? "Reshape" : "Expand", x, p));
      case 10:
        return Transpose(in);
      case 11:
        return Pad(in, p);
      case 12:
        return Slice(in, p);
      case 13:
        return Ints(p, Dims(rank, 1)) + Make(in.dims, fmt::format("Tile({}, {})", x, p));
      case 14:
        return Same(in, Below(2) == 0 ? "Add" : "Max");
      case 15:
        return Same(in, "Sub");
      case 16:  // an output that nobody reads
        return Make(in.dims, fmt::format("Dropout({})", x))
            .insert(values_.back().name.size(), ", " + p);
      case 17:
        return fmt::format("{} = Constant <value = float[6] {{6, 5, 4, 3, 2, 1}}> ()\n", p) +
               Make({6}, fmt::format("Exp({})", p));
      case 18:
        return Make({1, 6}, fmt::format("Flatten <axis = 0> ({})", x));
      case 19:
      case 20:
        return If(depth);
      default:
        return Loop(depth);
    }
  }

  std::string Transpose(const Value& in) {
    Dims perm(in.dims.size());
    for (std::size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<std::int64_t>(i);
    if (Below(2) == 0) std::shuffle(perm.begin(), perm.end(), random_);
    Dims dims;
    for (const std::int64_t axis : perm) dims.push_back(in.dims[static_cast<std::size_t>(axis)]);
    return Make(dims, fmt::format("Transpose <perm = [{}]> ({})", Comma(perm), in.name));
  }

  std::string Pad(const Value& in, const std::string& p) {
    Dims pads(2 * in.dims.size(), 0);
    if (Below(2) == 0) pads.front() = 1, pads[in.dims.size()] = -1;  // moves, keeps the shape
    return Ints(p, pads) + Make(in.dims, fmt::format("Pad({}, {})", in.name, p));
  }

  // Whole, forwards or backwards.
  std::string Slice(const Value& in, const std::string& p) {
    const bool backwards = Below(2) == 0;
    return Ints(p + "s", {backwards ? -1 : 0}) +
           Ints(p + "e", {backwards ? std::numeric_limits<std::int64_t>::min() + 1 : 1000}) +
           Ints(p + "a", {0}) + Ints(p + "t", {backwards ? -1 : 1}) +
           Make(in.dims, fmt::format("Slice({}, {}s, {}e, {}a, {}t)", in.name, p, p, p, p));
  }

  std::string Same(const Value& in, const char* op) {
    std::vector<Value> same;
    for (const Value& value : values_) {
      if (value.dims == in.dims) same.push_back(value);
    }
    return Make(in.dims, fmt::format("{}({}, {})", op, in.name, same[Below(same.size())].name));
  }

  // A body whose first output is `result`; it may read everything around it.
  std::string Body(int depth, const std::string& result, const Dims& dims) {
    const std::vector<Value> outside = values_;
    std::string body;
    const std::size_t nodes = Below(4);
    for (std::size_t i = 0; i < nodes; ++i) body += Node(depth + 1);
    const Value from = Any();
    const std::string p = Name();
    body += Ints(p, dims) + fmt::format("{}r = Reshape({}, {})\n", p, from.name, p) +
            fmt::format("{} = {}({}r)\n", result, Below(2) == 0 ? "Identity" : "Abs", p);
    values_ = outside;
    return body;
  }

  // Both results have the same name, and those of other scopes too, as exporters do.
  std::string If(int depth) {
    const Dims dims = AnyDims();
    const char* conditions[] = {"c", "yes", "no"};
    const std::string result = Below(2) == 0 ? Name() : fmt::format("same{}", depth);
    std::string branches[2];
    for (std::string& branch : branches) {
      branch = fmt::format("b () => (float[{}] {}) {{\n{}}}", Comma(dims), result,
                           Body(depth, result, dims));
    }
    return Make(dims, fmt::format("If({}) <then_branch = {}, else_branch = {}>",
                                  conditions[Below(3)], branches[0], branches[1]));
  }

  std::string Loop(int depth) {
    const Value state = Any();
    const std::string p = Name();
    const std::vector<Value> outside = values_;
    values_.push_back({p + "in", state.dims});
    const std::string body = Body(depth, p + "out", state.dims);
    values_ = outside;
    return Make(
        state.dims,
        fmt::format("Loop(twice, yes, {0}) <body = b (int64 {1}i, bool {1}c, float[{2}] {1}in)"
                    " => (bool {1}d, float[{2}] {1}out) {{\n{1}d = Identity({1}c)\n{3}}}>",
                    state.name, p, Comma(state.dims), body));
  }

  std::mt19937_64 random_;
  std::vector<Value> values_;
  int count_ = 0;
};

ort::NamedTensors Inputs(bool condition, bool replace) {
  const float nan = std::nanf("");
  ort::NamedTensors inputs;
  inputs["x"] = ir::Tensor::FromFloats({2, 3}, {-0.0f, 1.5f, nan, -2, 1e30f, 7});
  inputs["c"] = ir::Tensor::Make(ir::DataType::kBool, {}, std::string(1, condition ? '\1' : '\0'));
  if (replace) inputs["o"] = ir::Tensor::FromFloats({6}, {9, -8, 7, -6, 5, -4});
  return inputs;
}

TEST(RandomGraphs, CleanUpKeepsEveryBitOfTheOutputs) {
  constexpr std::uint64_t kSeeds = 200;
  int changes = 0;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = Writer(seed).Model();
    const ir::Model original = testing::Model(text);
    ASSERT_FALSE(original.graph.order.empty()) << "seed " << seed;
    ir::Model cleaned = original;
    const auto reports = RunPasses(cleaned, CleanUpPasses(), {});
    ASSERT_TRUE(reports.ok()) << "seed " << seed << ": " << reports.error().ToString() << text;
    for (const PassReport& report : *reports) changes += report.num_changes;
    for (const bool condition : {false, true}) {
      const auto inputs = Inputs(condition, /*replace=*/condition);
      const auto before = ort::Evaluate(original, inputs);
      const auto after = ort::Evaluate(cleaned, inputs);
      if (!before.ok()) continue;  // the runtime drops Casts that only a branch reads
      ++compared;
      ASSERT_TRUE(after.ok()) << "seed " << seed << ": " << after.error().ToString() << text;
      ASSERT_EQ(before->size(), after->size());
      for (std::size_t i = 0; i < before->size(); ++i) {
        ASSERT_TRUE(ir::SameContent(*(*before)[i], *(*after)[i]))
            << "seed " << seed << ", output " << i << text << testing::Text(cleaned);
      }
    }
  }
  EXPECT_GT(changes, 1000);
  EXPECT_GT(compared, 390);
}

}  // namespace
}  // namespace opass::passes
