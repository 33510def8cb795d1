#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "opass/passes/testing/graph_text.h"

namespace opass::passes::testing {

// How many cases a property test tries: nightly (with OPASS_NIGHTLY set) many more.
inline std::uint64_t NightlyOr(std::uint64_t every_run, std::uint64_t nightly) {
  return std::getenv("OPASS_NIGHTLY") == nullptr ? every_run : nightly;
}

// Writes graphs of float tensors in ONNX's syntax. A value is an image [1, C, H, W] or a matrix.
// Fragments are what the passes look for, joined at random, so that they meet in ways nobody
// thought of.
class RandomGraph : private GraphText {
 public:
  explicit RandomGraph(std::uint64_t seed) : GraphText(seed) {}

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
  void Fragment() {
    const Value in = Pick(images_);
    const std::string& x = in.name;
    switch (Below(23)) {
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
      case 21:
        return ReshapedPair(in);
      default:
        return MatrixTranspose();
    }
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

  // Flat for a while, and then an image again.
  void ReshapedPair(const Value& in) {
    std::string flat = Op(fmt::format("Reshape({}, {})", in.name, Ints({in.dims[1], -1})));
    for (std::size_t i = Below(3); i > 0; --i) flat = Op(fmt::format("{}({})", Unary(), flat));
    const Dims swapped = {1, in.dims[1], in.dims[3], in.dims[2]};
    const Dims dims = Below(2) == 0 ? in.dims : swapped;
    Image(dims, fmt::format("Reshape({}, {})", flat, Ints(dims)));
    if (Below(3) == 0) Op("Abs(" + flat + ")");
  }

  // The same node twice.
  void Equal(const Value& in) {
    const std::string op = Unary();
    const std::string once = Op(fmt::format("{}({})", op, in.name));
    const std::string again = Op(fmt::format("{}({})", op, in.name));
    Image(in.dims, fmt::format("Add({}, {})", Op("Tanh(" + once + ")"), again));
  }
};

}  // namespace opass::passes::testing
