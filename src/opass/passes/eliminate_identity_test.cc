#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

using testing::ExpectRewrite;
using testing::ExpectUnchanged;

// A graph whose middle is `body`, from x to a.
std::string Graph(const std::string& body, const std::string& last = "y = Relu(a)") {
  return R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1,3,4] x) => (float[1,3,4] y)
    <int64[3] shape = {1, 3, 4}, int64[6] pads = {0, 0, 0, 0, 0, 0}, int64[3] starts = {0, 0, 0},
     int64[3] ends = {1, 3, 9}> {
      t = Tanh(x)
      )" +
         body + "\n" + last + "\n}";
}

TEST(EliminateIdentity, RemovesEveryKind) {
  for (const char* body : {
           "a = Identity(t)",
           "a = Dropout(t)",
           "a = Cast <to = 1> (t)",
           "a = Reshape(t, shape)",
           "a = Expand(t, shape)",
           "a = Transpose <perm = [0, 1, 2]> (t)",
           "a = Pad(t, pads)",
           "a = Slice(t, starts, ends)",
           "a = Concat <axis = 1> (t)",
           "a = Sum(t)",
       }) {
    SCOPED_TRACE(body);
    EXPECT_EQ(
        ExpectRewrite("eliminate_identity", Graph(body), Graph("", "y = Relu(t)")).num_changes, 1);
  }
}

TEST(EliminateIdentity, KeepsWhatChangesSomething) {
  ExpectUnchanged("eliminate_identity", Graph("b = Transpose <perm = [0, 2, 1]> (t)\n"
                                              "a = Transpose <perm = [0, 2, 1]> (b)"));
  ExpectUnchanged("eliminate_identity", Graph("b = Cast <to = 10> (t)\na = Cast <to = 1> (b)"));
}

TEST(EliminateIdentity, AGraphOutputKeepsItsName) {
  ExpectRewrite("eliminate_identity", Graph("a = Relu(t)", "y = Identity(a)"),
                Graph("", "y = Relu(t)"));
}

TEST(EliminateIdentity, AGraphOutputKeepsBytesOfItsOwn) {
  // The input of the Identity is a graph input, or an output itself.
  ExpectUnchanged("eliminate_identity", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y, float[4] z, float[4] w) {
      y = Identity(x)
      z = Relu(x)
      w = Identity(z)
    })");
}

TEST(EliminateIdentity, AShapeThatTheCallerMayReplaceIsNotTakenForGranted) {
  ExpectUnchanged("eliminate_identity", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2,3] x, int64[2] s = {2, 3}) => (float[a,b] y) {
      r = Reshape(x, s)
      y = Relu(r)
    })");
}

}  // namespace
}  // namespace opass::passes
