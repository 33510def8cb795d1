#include "opass/passes/elementwise.h"

#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

// The same elements in a long tensor and, from a place that no vector register begins at, in short
// ones: a kernel that ends an array with other instructions shows.
void ExpectSameBitsEverywhere(const std::string& op, const std::string& call, bool is_bool) {
  constexpr std::int64_t kLong = 4099;
  const std::string type = is_bool ? "bool" : "float";
  const auto model = [&](std::int64_t size) {
    const std::string dims = fmt::format("[{}]", size);
    const bool compares = call.find("Equal") != std::string::npos ||
                          call.find("Less") != std::string::npos ||
                          call.find("Greater") != std::string::npos ||
                          call.find("IsNaN") != std::string::npos || is_bool;
    std::string text = "<ir_version: 8, opset_import: [\"\": 17]>\n g (";
    text += type + dims + " x, " + type + dims + " z) => (" + (compares ? "bool" : "float") + dims;
    return testing::Model(text + " y) <float low = {-0.5}, float high = {0.75}> { y = " + call +
                          " }");
  };
  std::mt19937_64 random(7);
  const auto draw = [&] {
    std::vector<float> floats(static_cast<std::size_t>(kLong));
    for (float& f : floats) f = static_cast<float>(random() % 65536) / 4096.0f - 8;
    return floats;
  };
  const std::vector<float> x = draw();
  const std::vector<float> z = draw();
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    const auto part = [&](const std::vector<float>& all) {
      std::vector<float> some(all.begin() + begin, all.begin() + end);
      if (!is_bool) return ir::Tensor::FromFloats({end - begin}, some);
      std::string bools;
      for (const float f : some) bools += f > 0 ? '\1' : '\0';
      return ir::Tensor::Make(ir::DataType::kBool, {end - begin}, bools);
    };
    auto result = ort::Evaluate(model(end - begin), {{"x", part(x)}, {"z", part(z)}});
    EXPECT_TRUE(result.ok()) << op << ": " << result.error().ToString();
    return result.ok() ? (*result)[0] : nullptr;
  };
  const ir::TensorPtr whole = run(0, kLong);
  ASSERT_NE(whole, nullptr);
  for (const std::int64_t size : {1, 3, 5, 7, 13, 30, 33, 127, 1031}) {
    for (const std::int64_t begin : {0, 1, 6, 2001}) {
      const ir::TensorPtr part = run(begin, begin + size);
      ASSERT_NE(part, nullptr);
      const auto width = whole->bytes.size() / static_cast<std::size_t>(kLong);
      const auto expected = whole->bytes.subspan(static_cast<std::size_t>(begin) * width,
                                                 static_cast<std::size_t>(size) * width);
      ASSERT_TRUE(std::ranges::equal(expected, part->bytes)) << op << " of " << size;
    }
  }
}

TEST(Elementwise, KernelsTreatAllPlacesAlike) {
  OPASS_SKIP_WITHOUT_ORT();
  for (const char* op : {"Abs", "Ceil", "Erf", "Exp", "Floor", "HardSigmoid", "HardSwish", "IsNaN",
                         "LeakyRelu", "Neg", "Reciprocal", "Relu", "Round", "Sigmoid", "Sign",
                         "Softsign", "Sqrt", "Tanh", "ThresholdedRelu"}) {
    ExpectSameBitsEverywhere(op, fmt::format("{}(x)", op), false);
  }
  ExpectSameBitsEverywhere("Cast", "Cast <to = 1> (x)", false);
  ExpectSameBitsEverywhere("Clip", "Clip(x, low, high)", false);
  ExpectSameBitsEverywhere("Not", "Not(x)", true);
  for (const char* op : {"Add", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
                         "Max", "Min", "Mul", "Sub"}) {
    ExpectSameBitsEverywhere(op, fmt::format("{}(x, z)", op), false);
  }
  for (const char* op : {"And", "Or", "Xor"}) {
    ExpectSameBitsEverywhere(op, fmt::format("{}(x, z)", op), true);
  }
}

}  // namespace
}  // namespace opass::passes
