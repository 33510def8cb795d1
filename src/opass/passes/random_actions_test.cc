// Random graphs of every operator that the passes know, through random sequences of their actions:
// after every one the graph verifies, its types are what ONNX infers, and the values it has in
// common with the first graph are the same bits, or within rounding once a pass reassociated.
#include <cstdlib>
#include <map>

#include "opass/passes/rewrite.h"
#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using Dims = std::vector<std::int64_t>;

struct Value {
  std::string name;
  Dims dims;
};

// Writes graphs of float tensors in ONNX's syntax. A value is an image [1, C, H, W] or a matrix.
// Fragments are what the passes look for, joined at random, so that they meet in ways nobody
// thought of.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15 + 1) {}

  std::string Model() {
    Scalar(0);  // there is at least one constant
    images_ = {{"x", {1, 4, 6, 6}}};
    matrices_ = {{"a", {6, 3}}, {"b", {3, 6}}};
    const std::size_t fragments = 3 + Below(7);
    for (std::size_t i = 0; i < fragments; ++i) Fragment();
    std::string outputs;
    std::size_t count = 0;
    for (const auto* values : {&images_, &matrices_}) {
      for (const Value& value : *values) {
        const bool given = value.name == "x" || value.name == "a" || value.name == "b";
        const bool is_last = &value == &values->back();
        if (given || (!is_last && Below(5) != 0)) continue;
        outputs +=
            fmt::format("{}float[{}] {}", count++ == 0 ? "" : ", ", Comma(value.dims), value.name);
      }
    }
    return fmt::format(
        "<ir_version: 10, opset_import: [\"\": 24]>\n"
        "g (float[1,4,6,6] x, float[6,3] a, float[3,6] b) => ({})\n<{}> {{\n{}}}",
        outputs, constants_.substr(2), body_);
  }

 private:
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

  void Fragment() {
    const Value in = Pick(images_);
    const std::string& x = in.name;
    switch (Below(22)) {
      case 0:
        return Convolution(in);
      case 1:
        return Pointwise(in);
      case 2:
        return PadAndReaders(in);
      case 3:
        return Gate(in);
      case 4:
        return HardSwish(in);
      case 5:
        return Gelu(in);
      case 6:
        return Image(in.dims, fmt::format("Mul({}, {})", x, Op("Sigmoid(" + x + ")")));
      case 7:
        return Affine(in);
      case 8:
        return JoinAndConvolve(in);
      case 9:
        return Pool(in);
      case 10:
        return TransposedPair(in);
      case 11:
        return Image(in.dims, fmt::format("{}({})", Unary(), x));
      case 12:
        return Same(in);
      case 13:
        return Matrices();
      case 14:
        return Product();
      case 15:
        return Product();
      case 16:
        return Upsample(in);
      case 17:
        return LikeAnother(in);
      case 18:
        return Equal(in);
      case 19:
        return ThreeFactors();
      case 20:
        Convolution(in);
        return Affine(images_.back());
      default:
        return MatrixTranspose();
    }
  }

  std::string Unary() {
    const char* all[] = {"Relu", "Sigmoid", "Tanh", "Abs", "Neg", "LeakyRelu", "HardSigmoid"};
    return all[Below(7)];
  }

  void Convolution(const Value& in) {
    const std::int64_t channels = static_cast<std::int64_t>(2 * (1 + Below(3)));
    const std::int64_t group = Below(3) == 0 && in.dims[1] % 2 == 0 ? 2 : 1;
    const std::string w = Constant({channels, in.dims[1] / group, 3, 3});
    const std::string bias = Below(2) == 0 ? ", " + Constant({channels}) : "";
    Image(
        {1, channels, in.dims[2], in.dims[3]},
        fmt::format("Conv <group = {}, pads = [1, 1, 1, 1]> ({}, {}{})", group, in.name, w, bias));
  }

  void Pointwise(const Value& in) {
    const std::int64_t channels = static_cast<std::int64_t>(2 * (1 + Below(3)));
    const std::string w = Constant({channels, in.dims[1], 1, 1});
    const std::string y = Op(fmt::format("Conv({}, {})", in.name, w));
    images_.push_back({y, {1, channels, in.dims[2], in.dims[3]}});
    if (Below(2) == 0) Op(fmt::format("GlobalAveragePool({})", y));
    const std::string mean = Op(Below(2) == 0 ? fmt::format("GlobalAveragePool({})", y)
                                              : fmt::format("ReduceMean({}, {})", y, Ints({2, 3})));
    Image(images_.back().dims, fmt::format("Mul({}, {})", y, Op("Sigmoid(" + mean + ")")));
  }

  void PadAndReaders(const Value& in) {
    const std::string pads = Ints({0, 0, 1, 1, 0, 0, 1, 1});
    const std::string padded = Op(fmt::format("Pad({}, {})", in.name, pads));
    const std::size_t readers = 1 + Below(2);
    for (std::size_t i = 0; i < readers; ++i) {
      const std::string w = Constant({2, in.dims[1], 3, 3});
      Image({1, 2, in.dims[2], in.dims[3]},
            fmt::format("Conv <auto_pad = \"{}\"> ({}, {})", Below(2) == 0 ? "VALID" : "NOTSET",
                        padded, w));
    }
    if (Below(4) == 0) {
      Image(in.dims, fmt::format("AveragePool <kernel_shape = [3, 3], count_include_pad = {}> ({})",
                                 Below(2), padded));
    }
  }

  void Gate(const Value& in) {
    const std::string& x = in.name;
    const std::string s = Op("Sigmoid(" + Op("GlobalAveragePool(" + x + ")") + ")");
    const std::string p = Op(fmt::format("Mul({}, {})", x, s));
    Image(in.dims, fmt::format("Add({}, {})", x, p));
  }

  void HardSwish(const Value& in) {
    const std::string& x = in.name;
    const std::string p = Op(fmt::format("Add({}, {})", x, Scalar(3)));
    const std::string q = Op(fmt::format("Clip({}, {}, {})", p, Scalar(0), Scalar(6)));
    if (Below(2) == 0) {
      Image(in.dims, fmt::format("Div({}, {})", Op(fmt::format("Mul({}, {})", x, q)), Scalar(6)));
    } else {
      Image(in.dims, fmt::format("Mul({}, {})", Op(fmt::format("Div({}, {})", q, Scalar(6))), x));
    }
  }

  void Gelu(const Value& in) {
    const std::string& x = in.name;
    const std::string e = Op("Erf(" + Op(fmt::format("Div({}, {})", x, Scalar(1.41421356))) + ")");
    const std::string g = Op(fmt::format("Add({}, {})", e, Scalar(1)));
    const std::string p = Op(fmt::format("Mul({}, {})", x, g));
    Image(in.dims, fmt::format("Mul({}, {})", p, Scalar(0.5)));
  }

  void Affine(const Value& in) {
    const std::int64_t c = in.dims[1];
    if (Below(3) == 0) {
      return Image(in.dims,
                   fmt::format("BatchNormalization({}, {}, {}, {}, {})", in.name, Constant({c}),
                               Constant({c}), Constant({c}), Constant({c}, true)));
    }
    const char* all[] = {"Mul", "Add", "Sub", "Div"};
    const std::string op = all[Below(4)];
    const Dims dims = Below(2) == 0 ? Dims{c, 1, 1} : Dims{1};
    const std::string constant = Constant(dims, true);
    const bool first = Below(3) == 0 && op != "Div";
    Image(in.dims, first ? fmt::format("{}({}, {})", op, constant, in.name)
                         : fmt::format("{}({}, {})", op, in.name, constant));
  }

  // A Concat along the channels, sometimes with something behind it.
  void JoinAndConvolve(const Value& in) {
    std::vector<Value> alike;
    for (const Value& value : images_) {
      if (value.dims[2] == in.dims[2] && value.dims[3] == in.dims[3]) alike.push_back(value);
    }
    Value joined{"", in.dims};
    joined.dims[1] = 0;
    std::string parts;
    for (std::size_t i = 0; i < 2 + Below(2); ++i) {
      const Value& part = alike[Below(alike.size())];
      parts += (parts.empty() ? "" : ", ") + part.name;
      joined.dims[1] += part.dims[1];
    }
    joined.name = Op(fmt::format("Concat <axis = {}> ({})", Below(2) == 0 ? 1 : -3, parts));
    if (Below(2) == 0) joined.name = Op(fmt::format("{}({})", Unary(), joined.name));
    images_.push_back(joined);
    if (Below(3) == 0) Affine(joined);
    if (Below(3) != 0) Convolution(images_.back());
  }

  void Pool(const Value& in) {
    const std::string limits = fmt::format(", {}, {}", Scalar(-0.5), Scalar(0.75));
    const std::string x = Op(Below(2) == 0 ? fmt::format("Clip({}{})", in.name, limits)
                                           : fmt::format("{}({})", Unary(), in.name));
    Image(in.dims, fmt::format("MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> ({})", x));
  }

  void TransposedPair(const Value& in) {
    const std::vector<std::pair<Dims, Dims>> perms = {
        {{0, 2, 3, 1}, {0, 3, 1, 2}}, {{0, 1, 3, 2}, {0, 1, 3, 2}}, {{3, 0, 1, 2}, {1, 2, 3, 0}}};
    const auto& [there, back] = perms[Below(3)];
    std::string x = Op(fmt::format("Transpose <perm = [{}]> ({})", Comma(there), in.name));
    const std::size_t between = Below(3);
    for (std::size_t i = 0; i < between; ++i) {
      x = Below(2) == 0 ? Op(fmt::format("{}({})", Unary(), x))
                        : Op(fmt::format("Mul({}, {})", x, Scalar(0.75)));
    }
    Image(in.dims, fmt::format("Transpose <perm = [{}]> ({})", Comma(back), x));
  }

  void Same(const Value& in) {
    std::vector<Value> same;
    for (const Value& value : images_) {
      if (value.dims == in.dims) same.push_back(value);
    }
    const char* all[] = {"Add", "Mul", "Sub", "Max"};
    Image(in.dims,
          fmt::format("{}({}, {})", all[Below(4)], in.name, same[Below(same.size())].name));
  }

  void Matrices() {
    const Value in = Pick(matrices_);
    Matrix(in.dims, fmt::format("{}({})", Unary(), in.name));
  }

  void MatrixTranspose() {
    const Value in = Pick(matrices_);
    Matrix({in.dims[1], in.dims[0]}, fmt::format("Transpose({})", in.name));
  }

  // Scaled down, so that long chains stay within what floats hold.
  void Product() {
    const Value left = Pick(matrices_);
    const Value right = Pick(matrices_);
    if (left.dims[1] == right.dims[0]) {
      Matrix({left.dims[0], right.dims[1]}, fmt::format("MatMul({}, {})", left.name, right.name));
    } else if (left.dims[1] == right.dims[1]) {
      const std::string turned = Op("Transpose(" + right.name + ")");
      Matrix({left.dims[0], right.dims[0]}, fmt::format("MatMul({}, {})", left.name, turned));
    } else if (left.dims[0] == right.dims[0]) {
      Matrix({left.dims[1], right.dims[1]},
             fmt::format("Gemm <transA = 1> ({}, {})", left.name, right.name));
    }
    if (Below(2) == 0) matrices_.back().name = Op("Tanh(" + matrices_.back().name + ")");
  }

  void ThreeFactors() {
    const std::string square = Op("MatMul(a, b)");
    if (Below(2) == 0) {
      Matrix({6, 2}, fmt::format("MatMul({}, {})", square, Constant({6, 2})));
    } else {
      Matrix({2, 6}, fmt::format("Gemm <transB = 1> ({}, {})", Constant({2, 6}), square));
    }
  }

  void Upsample(const Value& in) {
    if (in.dims[2] > 12) return;
    const std::string scales = fmt::format("c{}", ++count_);
    constants_ += fmt::format(", float[4] {} = {{1, 1, 2, 2}}", scales);
    const std::string r = Op(fmt::format("Resize({}, , {})", in.name, scales));
    const Dims dims = {1, in.dims[1], 2 * in.dims[2], 2 * in.dims[3]};
    images_.push_back({r, dims});
    const std::string w = Constant({in.dims[1], in.dims[1], 3, 3});
    const std::string y = Op(fmt::format("Conv <pads = [1, 1, 1, 1]> ({}, {})", r, w));
    Image(dims, fmt::format("Add({}, {})", y, r));
  }

  void LikeAnother(const Value& in) {
    const std::string half = Op(fmt::format("Cast <to = 11> ({})", in.name));
    const std::string like = Op(fmt::format("CastLike({}, {})", half, Op("Abs(" + in.name + ")")));
    const std::string shape = Op(fmt::format("Shape({})", Op("Neg(" + in.name + ")")));
    Image(in.dims, fmt::format("Reshape({}, {})", like, shape));
  }

  // The same node twice.
  void Equal(const Value& in) {
    const std::string op = Unary();
    const std::string once = Op(fmt::format("{}({})", op, in.name));
    const std::string again = Op(fmt::format("{}({})", op, in.name));
    Image(in.dims, fmt::format("Add({}, {})", Op("Tanh(" + once + ")"), again));
  }

  std::mt19937_64 random_;
  std::vector<Value> images_;
  std::vector<Value> matrices_;
  std::string constants_;
  std::string body_;
  int count_ = 0;
};

// Nightly many more.
std::uint64_t NumGraphs() { return std::getenv("OPASS_NIGHTLY") == nullptr ? 400 : 10'000; }

TEST(RandomActions, KeepWhatTheGraphComputes) {
  OPASS_SKIP_WITHOUT_ORT();
  std::map<std::string, int> applied;
  for (std::uint64_t seed = 0; seed < NumGraphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ir::Model original = testing::Model(Writer(seed).Model());
    ASSERT_FALSE(original.graph.order.empty());
    ir::Model model = original;
    std::mt19937_64 random(seed + 77);
    Exactness exactness = Exactness::kExact;
    std::string history;
    for (int step = 0; step < 12 && model.graph.order.size() < 300; ++step) {
      std::vector<Action> actions;
      const Uses uses(model.graph);
      for (const Pass* pass : Passes()) {
        if (pass->find == nullptr) continue;
        const auto some = Propose(model, uses, *pass);
        if (!some.empty()) actions.push_back(some[random() % some.size()]);
      }
      if (actions.empty()) break;
      const Action& action = actions[random() % actions.size()];
      history += action.name + "; ";
      SCOPED_TRACE(history);
      const auto result = Apply(model, action);
      ASSERT_TRUE(result.ok()) << result.error().ToString();
      ASSERT_GT(*result, 0) << "proposed but not legal";
      applied[std::string(action.pass->name)] += *result;
      exactness = std::max(exactness, action.pass->exactness);
    }
    SCOPED_TRACE(history);
    testing::ExpectRightTypes(model);
    testing::ExpectSameResults(original, model, exactness, seed);
    if (HasFatalFailure()) return;
  }
  for (const Pass* pass : Passes()) {
    if (pass->find != nullptr) {
      EXPECT_GT(applied[std::string(pass->name)], 10) << pass->name;
    }
  }
}

// One attribute or constant of the graph becomes what no checker would let through.
void Spoil(ir::Graph& graph, std::mt19937_64& random) {
  const std::int64_t wild[] = {0, 1, -1, 2, 3, -3, 7, INT64_MAX, INT64_MIN, std::int64_t{1} << 39};
  const auto number = [&] { return wild[random() % std::size(wild)]; };
  const auto list = [&] {
    Dims ints(random() % 9);
    for (std::int64_t& value : ints) value = number();
    return ints;
  };
  ir::Node& node = graph.node(graph.order[random() % graph.order.size()]);
  const char* names[] = {"pads", "strides", "dilations", "kernel_shape", "axes", "perm"};
  const char* scalars[] = {"axis", "group", "keepdims", "transA", "to", "ceil_mode"};
  switch (random() % 4) {
    case 0:
      return SetAttribute(node, names[random() % 6], list());
    case 1:
      return SetAttribute(node, scalars[random() % 6], number());
    case 2:
      return SetAttribute(node, names[random() % 6], std::string("text"));
    default:
      break;
  }
  for (const ir::ValueId input : node.inputs) {
    if (!input.valid() || !IsFixed(graph, input)) continue;
    const Dims ints = list();
    graph.value(input).constant =
        ir::Tensor::FromInt64s({static_cast<std::int64_t>(ints.size())}, ints);
    graph.value(input).type =
        ir::Type::Tensor(ir::DataType::kInt64, graph.value(input).constant->dims);
  }
}

TEST(RandomActions, HostileAttributesDoNoHarm) {
  for (std::uint64_t seed = 0; seed < NumGraphs(); ++seed) {
    SCOPED_TRACE(seed);
    ir::Model model = testing::Model(Writer(seed).Model());
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) Spoil(model.graph, random);
    for (const Pass* pass : Passes()) {
      if (pass->find == nullptr) continue;
      ir::Model copy = model;
      const auto result = RunPass(*pass, copy, {});
      ASSERT_TRUE(result.ok()) << pass->name;
      const Status verified = ir::Verify(copy.graph);
      ASSERT_TRUE(verified.ok()) << pass->name << verified.error().ToString();
    }
  }
}

}  // namespace
}  // namespace opass::passes
