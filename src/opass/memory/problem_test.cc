#include "opass/memory/problem.h"

#include <gtest/gtest.h>

#include "opass/memory/testing/problem_builder.h"
#include "opass/support/bytes.h"

namespace opass::memory {
namespace {

using testing::ProblemBuilder;

// v0 -> op0 -> v1 -> op1 -> v2 (a view of v1) -> op2 (in place) -> v3.
Problem Good() {
  ProblemBuilder builder(4);
  const ValueId a = builder.Op({builder.Input(8)}, 16);
  const ValueId view = builder.View(a, 4, 12);
  builder.Output(builder.InPlace({view}, 8)).Workspace(view, 3);
  return builder.Build();
}

struct Mutation {
  const char* name;
  void (*apply)(Problem&);
  const char* message;
};

void PrintTo(const Mutation& mutation, std::ostream* out) { *out << mutation.name; }

class ValidateTest : public ::testing::TestWithParam<Mutation> {};

TEST_P(ValidateTest, IsRefused) {
  Problem problem = Good();
  GetParam().apply(problem);
  const Status status = Validate(problem);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(status.error().ToString(), GetParam().message);
}

constexpr Mutation kMutations[] = {
    {"NoAlignment", [](Problem& p) { p.alignment = 0; }, "alignment 0 is not in [1, 1073741824]"},
    {"ValueWithoutName", [](Problem& p) { p.values[1].name = ""; }, "a value has no name"},
    {"ValuesOfOneName", [](Problem& p) { p.values[1].name = "v0"; },
     "v0: two values have this name"},
    {"OpWithoutName", [](Problem& p) { p.ops[1].name = ""; }, "an operator has no name"},
    {"OpsOfOneName", [](Problem& p) { p.ops[1].name = "op0"; },
     "op0: two operators have this name"},
    {"NegativeSize", [](Problem& p) { p.values[0].size_bytes = -1; },
     "v0: size -1 is not in [0, 70368744177664]"},
    {"HugeSize", [](Problem& p) { p.values[0].size_bytes = kMaxBytes + 1; },
     "v0: size 70368744177665 is not in [0, 70368744177664]"},
    {"NegativeWorkspace", [](Problem& p) { p.ops[2].workspace_bytes = -1; },
     "op2: size -1 is not in [0, 70368744177664]"},
    {"UnknownProducer", [](Problem& p) { p.values[1].producer = OpId(9); },
     "v1: its producer does not exist"},
    {"ForgottenOutput",
     [](Problem& p) {
       p.ops[2].outputs.clear();
       p.ops[2].in_place.clear();
     },
     "v3: its producer does not list it as an output"},
    {"OutputOfAnother", [](Problem& p) { p.values[3].producer = OpId(0); },
     "op2: output 'v3' has another producer"},
    {"OutputTwice",
     [](Problem& p) {
       p.ops[0].outputs = {ValueId(1), ValueId(1)};
     },
     "op0: output 'v1' has another producer"},
    {"UnknownOutput", [](Problem& p) { p.ops[0].outputs = {ValueId(7)}; },
     "op0: an output does not exist"},
    {"UnknownInput", [](Problem& p) { p.ops[0].inputs = {ValueId()}; },
     "op0: an input does not exist"},
    {"InputTwice",
     [](Problem& p) {
       p.ops[0].inputs = {ValueId(0), ValueId(0)};
     },
     "op0: input 'v0' is listed twice"},
    {"InputOfLaterOp", [](Problem& p) { p.ops[0].inputs = {ValueId(3)}; },
     "op0: input 'v3' is not produced before"},
    {"PreservedValue", [](Problem& p) { p.values[1].is_preserved = true; },
     "v1: only inputs can be preserved"},
    {"InputAsView",
     [](Problem& p) {
       p.values[0].view = View{ValueId(1), 0};
     },
     "v0: an input cannot be a view"},
    {"ViewOfUnread", [](Problem& p) { p.values[2].view->source = ValueId(0); },
     "v2: its producer does not read the value it is a view of"},
    {"ViewOfItself", [](Problem& p) { p.values[2].view->source = ValueId(2); },
     "v2: its producer does not read the value it is a view of"},
    {"ViewOfNothing", [](Problem& p) { p.values[2].view->source = ValueId(); },
     "v2: its producer does not read the value it is a view of"},
    {"ViewOutside", [](Problem& p) { p.values[1].in_arena = false; },
     "v2: a value outside the arena shares no storage"},
    {"ViewOffAlignment", [](Problem& p) { p.values[2].view->offset_bytes = 2; },
     "v2: offset 2 of the view is not aligned"},
    {"ViewBefore", [](Problem& p) { p.values[2].view->offset_bytes = -4; },
     "v2: offset -4 of the view is not aligned"},
    {"ViewBeyond", [](Problem& p) { p.values[2].view->offset_bytes = 8; },
     "v2: the view leaves its source 'v1'"},
    {"InPlaceOfUnread", [](Problem& p) { p.ops[2].in_place[0].input = ValueId(0); },
     "op2: an in-place pair is not of an output and an input"},
    {"InPlaceOfAnother", [](Problem& p) { p.ops[2].in_place[0].output = ValueId(1); },
     "op2: an in-place pair is not of an output and an input"},
    {"InPlaceView",
     [](Problem& p) {
       p.ops[1].in_place = {{ValueId(2), ValueId(1)}};
     },
     "op1: view 'v2' cannot be in place too"},
    {"InPlaceOutside", [](Problem& p) { p.values[3].in_arena = false; },
     "op2: 'v3' or 'v2' is outside the arena, in place"},
    {"InPlaceTooLarge", [](Problem& p) { p.values[3].size_bytes = 13; },
     "op2: 'v3' does not fit into 'v2'"},
    {"NameOfWorkspace", [](Problem& p) { p.values[3].name = "op1#workspace"; },
     "op1#workspace: the name is taken by the workspace of an operator"},
};
INSTANTIATE_TEST_SUITE_P(Each, ValidateTest, ::testing::ValuesIn(kMutations),
                         [](const auto& param) { return param.param.name; });

TEST(ProblemTest, TheSumOfSizesIsLimited) {
  Problem problem;
  for (int i = 0; i < (1 << 15) + 1; ++i) {
    Value value;
    value.name = std::to_string(i);
    value.size_bytes = kMaxBytes;
    problem.values.push_back(value);
  }
  EXPECT_EQ(Validate(problem).error().ToString(), "32768: the sizes add up to too much");
  problem.values.pop_back();
  EXPECT_TRUE(Validate(problem).ok());
}

}  // namespace
}  // namespace opass::memory
