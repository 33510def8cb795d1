#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;

constexpr const char* kPass = "factor_shared_scale";

TEST(FactorSharedScale, EitherOrderOfOperands) {
  const char* io = "(float[1,3,4,4] x, float[1,3,1,1] s) => (float[1,3,4,4] y)";
  const std::string after = Graph(io, "float one = {1}",
                                  "[Add] s_plus_one = Add(s, one)\n[Add_1] y = Mul(x, s_plus_one)");
  for (const char* product : {"Mul(x, s)", "Mul(s, x)"}) {
    for (const char* sum : {"Add(x, p)", "Add(p, x)"}) {
      ExpectPass(kPass, Graph(io, "", std::string("p = ") + product + "\n[Add_1] y = " + sum),
                 after);
    }
  }
}

TEST(FactorSharedScale, NotWhatOthersReadOrWhatSavesNothing) {
  const char* io =
      "(float[1,3,4,4] x, float[1,3,1,1] s, float[1,3,4,4] t, float[3,1,1] u) => "
      "(float[1,3,4,4] y, float[1,3,4,4] z)";
  ExpectUnchanged(kPass, Graph(io, "", "p = Mul(x, s)\ny = Add(x, p)\nz = Relu(p)"));
  ExpectUnchanged(kPass, Graph(io, "", "p = Mul(x, t)\ny = Add(x, p)\nz = Relu(x)"));
  ExpectUnchanged(kPass, Graph(io, "", "p = Mul(x, s)\ny = Sub(x, p)\nz = Relu(x)"));
  ExpectUnchanged(kPass, Graph(io, "", "p = Mul(x, s)\ny = Add(t, p)\nz = Relu(x)"));
}

}  // namespace
}  // namespace opass::passes
