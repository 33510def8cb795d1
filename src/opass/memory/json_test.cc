#include <gtest/gtest.h>

#include "opass/memory/buffers_csv.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/problem_json.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"

namespace opass::memory {
namespace {

using testing::ProblemBuilder;
using testing::RandomProblem;
using testing::SimplePlan;

Problem Example() {
  ProblemBuilder builder(4);
  const ValueId x = builder.Input(8);
  const ValueId a = builder.Op({x}, 15);
  const ValueId part = builder.View(a, 4, 11);
  const ValueId b = builder.InPlace({part}, 8);
  const ValueId c = builder.Op({b, x}, 20);
  builder.Preserve(x).Output(c).Workspace(c, 4);
  builder.Outside(builder.Op({c}, 3));
  return builder.Build();
}

constexpr const char* kProblemText = R"({
 "format": "opass-problem",
 "version": 1,
 "name": "test",
 "alignment": 4,
 "inputs": "resident",
 "values": [
  {"name":"v0","size":8,"preserved":true},
  {"name":"v1","size":15},
  {"name":"v2","size":11,"view":{"source":"v1","offset":4}},
  {"name":"v3","size":8},
  {"name":"v4","size":20,"output":true},
  {"name":"v5","size":3,"in_arena":false}],
 "ops": [
  {"name":"op0","inputs":["v0"],"outputs":["v1"]},
  {"name":"op1","inputs":["v1"],"outputs":["v2"]},
  {"name":"op2","inputs":["v2"],"outputs":["v3"],"in_place":[{"output":"v3","input":"v2"}]},
  {"name":"op3","inputs":["v3","v0"],"outputs":["v4"],"workspace":4},
  {"name":"op4","inputs":["v4"],"outputs":["v5"]}]
}
)";

constexpr const char* kPlanText = R"({
 "format": "opass-plan",
 "version": 1,
 "target": "generic",
 "sharing": {"view":true,"in_place":true,"concat_slice":false},
 "alignment": 4,
 "inputs": "resident",
 "preserve_inputs": false,
 "exclude_io": false,
 "deterministic": true,
 "arena_bytes": 48,
 "peak_bytes": 40,
 "lower_bound_bytes": 0,
 "proven_optimal": false,
 "weights_bytes": 0,
 "sum_bytes": 65,
 "sum_with_weights_bytes": 65,
 "file_order_peak_bytes": 40,
 "order": [
  "op0",
  "op1",
  "op2",
  "op3",
  "op4"],
 "buffers": [
  {"value":"v0","offset":0,"size":8,"first":0,"last":5,"alias_of":null,"alias_kind":null},
  {"value":"v1","offset":8,"size":16,"first":0,"last":2,"alias_of":null,"alias_kind":null},
  {"value":"v2","offset":12,"size":12,"first":1,"last":3,"alias_of":"v1","alias_kind":"view"},
  {"value":"v3","offset":12,"size":8,"first":2,"last":4,"alias_of":"v2","alias_kind":"in_place"},
  {"value":"v4","offset":24,"size":20,"first":3,"last":5,"alias_of":null,"alias_kind":null},
  {"value":"op3#workspace","offset":44,"size":4,"first":3,"last":4,"alias_of":null,"alias_kind":null}],
 "unplanned_values": [
  "v5"],
 "certificate": {"kind":"none","bytes":0,"op":null,"executed":[]}
}
)";

TEST(ProblemJsonTest, Golden) {
  EXPECT_EQ(ProblemToJson(Example()), kProblemText);
  const Result<Problem> read = ParseProblem(kProblemText, "p.json");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(ProblemToJson(*read), kProblemText);
}

TEST(PlanJsonTest, Golden) {
  const Problem problem = Example();
  EXPECT_EQ(PlanToJson(problem, SimplePlan(problem)), kPlanText);
}

TEST(JsonTest, RandomProblemsAndPlansComeBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = RandomProblem(seed, {.max_ops = 15});
    const std::string text = ProblemToJson(problem);
    const Result<Problem> read = ParseProblem(text, "p.json");
    ASSERT_TRUE(read.ok()) << read.error().ToString();
    ASSERT_EQ(ProblemToJson(*read), text);
    Plan plan = SimplePlan(problem);
    plan.certificate.kind = Bound::Kind::kOperatorCut;
    plan.certificate.op = OpId(0);
    plan.certificate.executed = plan.order;
    const std::string plan_text = PlanToJson(problem, plan);
    const Result<Plan> plan_read = ParsePlan(*read, plan_text, "plan.json");
    ASSERT_TRUE(plan_read.ok()) << plan_read.error().ToString();
    ASSERT_EQ(PlanToJson(*read, *plan_read), plan_text);
  }
}

TEST(JsonTest, NamesNeedNotBeUtf8) {
  ProblemBuilder builder;
  builder.Output(builder.Op({}, 1));
  builder.problem().values[0].name = "\xff\"\n";
  EXPECT_NE(ProblemToJson(builder.Build()).find("\\\"\\n"), std::string::npos);
}

TEST(JsonTest, EveryTruncationIsOneError) {
  const Problem problem = Example();
  const std::string problem_text = kProblemText;
  for (std::size_t size = 0; size + 3 < problem_text.size(); ++size) {
    const auto result = ParseProblem(std::string_view(problem_text).substr(0, size), "p.json");
    ASSERT_FALSE(result.ok());
    ASSERT_EQ(result.error().code, ErrorCode::kInvalidInput);
  }
  const std::string plan_text = kPlanText;
  for (std::size_t size = 0; size + 3 < plan_text.size(); ++size) {
    ASSERT_FALSE(ParsePlan(problem, std::string_view(plan_text).substr(0, size), "x").ok());
  }
}

// Replaces `from` (once) by `to` in a good text.
std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string ProblemError(const std::string& from, const std::string& to) {
  const auto result = ParseProblem(Replaced(kProblemText, from, to), "p.json");
  if (result.ok()) return "ok";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
  return result.error().ToString();
}

TEST(ProblemJsonTest, WrongDocumentsAreOneClearError) {
  EXPECT_EQ(ProblemError("opass-problem", "opass-plan"),
            "p.json: its format is 'opass-plan', not 'opass-problem'");
  EXPECT_EQ(ProblemError("\"version\": 1", "\"version\": 2"),
            "p.json: version 2 of opass-problem is not known (this program reads version 1)");
  EXPECT_EQ(ProblemError("\"name\": \"test\"", "\"nmae\": \"test\""),
            "p.json: key 'nmae' is not known");
  EXPECT_EQ(ProblemError("\"resident\"", "\"later\""),
            "p.json: inputs is 'later', not 'resident' or 'first_use'");
  EXPECT_EQ(ProblemError("{\"name\":\"v1\",\"size\":15}", "7"),
            "p.json: values[1]: expected an object");
  EXPECT_EQ(ProblemError("\"size\":15", "\"size\":1.5"),
            "p.json: values[1]: key 'size' is not an integer");
  EXPECT_EQ(ProblemError("\"size\":15", "\"size\":99999999999999999999"),
            "p.json: values[1]: key 'size' is not an integer");
  EXPECT_EQ(ProblemError("\"size\":15", "\"size\":-15"),
            "p.json: v1: size -15 is not in [0, 70368744177664]");
  EXPECT_EQ(ProblemError("\"name\":\"v1\"", "\"name\":\"v0\""),
            "p.json: values[1]: two values are named 'v0'");
  EXPECT_EQ(ProblemError("\"preserved\":true", "\"preserved\":1"),
            "p.json: values[0]: key 'preserved' is not a boolean");
  EXPECT_EQ(ProblemError("\"source\":\"v1\"", "\"source\":\"v9\""),
            "p.json: v2: there is no value 'v9'");
  EXPECT_EQ(ProblemError("\"source\":\"v1\"", "\"source\":[]"),
            "p.json: v2: expected the name of a value");
  EXPECT_EQ(ProblemError("\"source\":\"v1\",", ""), "p.json: v2: key 'source' is missing");
  EXPECT_EQ(ProblemError("\"inputs\":[\"v0\"]", "\"inputs\":{}"),
            "p.json: ops[0]: key 'inputs' is not an array");
  EXPECT_EQ(ProblemError("\"in_place\":[{", "\"in_place\":[{\"x\":1,"),
            "p.json: ops[2]: key 'x' is not known");
  EXPECT_EQ(ProblemError("\"workspace\":4", "\"workspace\":\"4\""),
            "p.json: ops[3]: key 'workspace' is not an integer");
  EXPECT_EQ(ParseProblem("[]", "p.json").error().ToString(),
            "p.json: expected an object with 'format'");
}

std::string PlanError(const std::string& from, const std::string& to) {
  const auto result = ParsePlan(Example(), Replaced(kPlanText, from, to), "p.json");
  if (result.ok()) return "ok";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
  return result.error().ToString();
}

TEST(PlanJsonTest, WrongDocumentsAreOneClearError) {
  EXPECT_EQ(PlanError("opass-plan", "opass-problem"),
            "p.json: its format is 'opass-problem', not 'opass-plan'");
  EXPECT_EQ(PlanError("\"target\"", "\"note\""), "p.json: key 'target' is missing");
  EXPECT_EQ(PlanError("\"target\"", "\"note\": 1, \"target\""), "ok");  // others may add keys
  EXPECT_EQ(PlanError("{\"view\":true", "{\"view\":null"),
            "p.json: sharing: key 'view' is not a boolean");
  EXPECT_EQ(PlanError("\"resident\"", "\"late\""),
            "p.json: inputs 'late' is not known (resident or first_use)");
  EXPECT_EQ(PlanError("\"inputs\"", "\"other\""), "ok");  // has a default
  EXPECT_EQ(PlanError("\"preserve_inputs\": false", "\"preserve_inputs\": 0"),
            "p.json: key 'preserve_inputs' is not a boolean");
  EXPECT_EQ(PlanError("\"exclude_io\": false", "\"exclude_io\": 0"),
            "p.json: key 'exclude_io' is not a boolean");
  EXPECT_EQ(PlanError("\"certificate\"", "\"note\""), "ok");  // no bound is claimed
  EXPECT_EQ(PlanError("\"arena_bytes\": 48", "\"arena_bytes\": \"48\""),
            "p.json: key 'arena_bytes' is not an integer");
  EXPECT_EQ(PlanError("\"op4\"]", "\"op9\"]"), "p.json: order: the model has no operator 'op9'");
  EXPECT_EQ(PlanError("\"op4\"]", "5]"), "p.json: key 'order' holds no name");
  EXPECT_EQ(PlanError("\"value\":\"v0\"", "\"value\":\"w\""),
            "p.json: buffers[0]: the model has no value 'w'");
  EXPECT_EQ(PlanError("op3#workspace", "op9#workspace"),
            "p.json: buffers[5]: the model has no value 'op9#workspace'");
  EXPECT_EQ(PlanError("\"alias_of\":\"v2\"", "\"alias_of\":\"w\""),
            "p.json: buffers[3]: the model has no value 'w'");
  EXPECT_EQ(PlanError("\"alias_of\":\"v2\"", "\"alias_of\":2"),
            "p.json: buffers[3]: key 'alias_of' is not a string");
  EXPECT_EQ(PlanError("\"alias_of\":\"v2\",", ""), "p.json: buffers[3]: key 'alias_of' is missing");
  EXPECT_EQ(PlanError("\"in_place\"}", "\"near\"}"),
            "p.json: buffers[3]: alias_kind 'near' is not known");
  EXPECT_EQ(PlanError("[\n  \"v5\"]", "[1]"), "p.json: unplanned_values holds no name");
  EXPECT_EQ(PlanError("\"none\"", "\"some\""), "p.json: certificate: kind 'some' is not known");
  EXPECT_EQ(PlanError("{\"kind\"", "7, \"x\": {\"kind\""),
            "p.json: certificate: expected an object with 'kind'");
  EXPECT_EQ(PlanError("\"op\":null", "\"op\":\"op9\""),
            "p.json: certificate: the model has no operator 'op9'");
  EXPECT_EQ(PlanError("\"executed\":[]", "\"executed\":[null]"),
            "p.json: certificate: key 'executed' holds no name");
}

TEST(PlanHeadTest, SaysWhichProblemThePlanAnswers) {
  const std::string text =
      Replaced(Replaced(kPlanText, "\"exclude_io\": false", "\"exclude_io\": true"), "\"resident\"",
               "\"first_use\"");
  const Result<PlanHead> head = ParsePlanHead(text, "p.json");
  ASSERT_TRUE(head.ok()) << head.error().ToString();
  EXPECT_EQ(head->conventions.target, "generic");
  EXPECT_EQ(head->conventions.alignment, 4);
  EXPECT_EQ(head->conventions.inputs, InputArrival::kFirstUse);
  EXPECT_FALSE(head->conventions.preserve_inputs);
  EXPECT_TRUE(head->conventions.exclude_io);
  EXPECT_EQ(head->workspace_bytes, (std::map<std::string, std::int64_t>{{"op3", 4}}));
  const auto error = [](const std::string& from, const std::string& to) {
    return ParsePlanHead(Replaced(kPlanText, from, to), "p.json").error().ToString();
  };
  EXPECT_EQ(error("opass-plan", "else"), "p.json: its format is 'else', not 'opass-plan'");
  EXPECT_EQ(error("\"op3#workspace\",\"offset\":44,\"size\":4",
                  "\"op3#workspace\",\"offset\":44,\"size\":-4"),
            "p.json: op3#workspace: a workspace has a negative size");
}

TEST(BuffersCsvTest, OwnersOfBytesOnly) {
  const Problem problem = Example();
  EXPECT_EQ(BuffersToCsv(problem, SimplePlan(problem)),
            "id,lower,upper,size,offset\n"
            "v0,0,5,8,0\n"
            "v1,0,3,16,8\n"  // to the last reader of its view
            "v3,3,4,8,12\n"  // from where v1 ends
            "v4,3,5,20,24\n"
            "op3#workspace,3,4,4,44\n");
}

TEST(BuffersCsvTest, LabelsHoldNoSeparators) {
  ProblemBuilder builder;
  builder.Output(builder.Op({}, 1));
  builder.problem().values[0].name = "a,b\"\n";
  const Problem problem = builder.Build();
  EXPECT_EQ(BuffersToCsv(problem, SimplePlan(problem)),
            "id,lower,upper,size,offset\na_b__,0,1,1,0\n");
}

// Segments of every kind, in an order that is not the plan's.
class SegmentsJsonTest : public ::testing::Test {
 protected:
  SegmentsJsonTest() : problem_(testing::RandomProblem(5, {.min_ops = 6, .max_ops = 6})) {
    plan_ = testing::SimplePlan(problem_);
    Certificate& made = plan_.certificate;
    made.kind = Bound::Kind::kSegments;
    made.bytes = 7;
    made.order = {OpId(1), OpId(0), OpId(2), OpId(3), OpId(4), OpId(5)};
    made.splits = {2, 5, 4};
    made.segments.resize(4);
    made.segments[0] = {0, 2, 40, {Bound::Kind::kSearch, 7, OpId(), {}}};
    made.segments[0].bound.search = {6, true, 42, 3, {"closure", "commit"}};
    made.segments[1] = {2, 4, 41, {Bound::Kind::kOperatorCut, 5, OpId(2), {OpId(3)}}};
    made.segments[2] = {4, 5, 6, {Bound::Kind::kOperator, 6, OpId(4), {}}};
    made.segments[3] = {5, 6, 3, {Bound::Kind::kContradiction, 2, OpId(), {}}};
    made.segments[3].bound.edges = {{OpId(5), OpId(1), OpId(1)}};
  }

  std::string ErrorOf(const std::string& part, const std::string& instead) const {
    const Result<Plan> wrong =
        ParsePlan(problem_, Replaced(PlanToJson(problem_, plan_), part, instead), "p.json");
    return wrong.ok() ? "ok" : wrong.error().ToString();
  }

  Problem problem_;
  Plan plan_;
};

TEST_F(SegmentsJsonTest, Golden) {
  const std::string text = PlanToJson(problem_, plan_);
  EXPECT_EQ(text.substr(text.find(" \"certificate\"")), R"( "certificate": {
  "kind": "segments",
  "bytes": 7,
  "op": null,
  "executed": [],
  "order": ["op1","op0","op2","op3","op4","op5"],
  "splits": [2,5,4],
  "segments": [
   {"first":0,"last":2,"peak_bytes":40,"kind":"search","bytes":7,"search":{"budget_bytes":6,"reverse":true,"nodes":42,"implied_edges":3,"rules":["closure","commit"]}},
   {"first":2,"last":4,"peak_bytes":41,"kind":"operator_cut","bytes":5,"op":"op2","executed_steps":[[3,4]]},
   {"first":4,"last":5,"peak_bytes":6,"kind":"operator","bytes":6,"op":"op4"},
   {"first":5,"last":6,"peak_bytes":3,"kind":"contradiction","bytes":2,"op":null,"edges":[[5,0,0]]}]}
}
)");
  const Result<Plan> read = ParsePlan(problem_, text, "p.json");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(PlanToJson(problem_, *read), text);
  EXPECT_EQ(read->certificate.splits, plan_.certificate.splits);
  EXPECT_EQ(read->certificate.segments[0].bound.search, plan_.certificate.segments[0].bound.search);
  EXPECT_EQ(read->certificate.segments[3].bound.edges, plan_.certificate.segments[3].bound.edges);
}

TEST_F(SegmentsJsonTest, WrongOnesAreOneError) {
  const std::string where = "p.json: certificate: ";
  EXPECT_EQ(ErrorOf("\"op1\",\"op0\",\"op2\"", "\"op1\",\"op0\",\"op9\""),
            where + "order: the model has no operator 'op9'");
  EXPECT_EQ(ErrorOf("[2,5,4]", "[2,7,4]"), where + "a step is not a number from 0 to 6");
  EXPECT_EQ(ErrorOf("[2,5,4]", "[2,-1,4]"), where + "a step is not a number from 0 to 6");
  EXPECT_EQ(ErrorOf("[2,5,4]", "[\"op1\"]"), where + "a step is not a number from 0 to 6");
  EXPECT_EQ(ErrorOf("\"last\":2,\"peak", "\"last\":3,\"peak"),
            where + "segments[1]: it does not begin where the segment before it ends");
  EXPECT_EQ(ErrorOf("\"operator\"", "\"segments\""),
            where + "segments[2]: a segment has no segments");
  EXPECT_EQ(ErrorOf("\"operator\"", "\"magic\""), where + "segments[2]: kind 'magic' is not known");
  EXPECT_EQ(ErrorOf("[[3,4]]", "[[1,4]]"),
            where + "segments[1]: key 'executed_steps' holds what are not steps");
  EXPECT_EQ(ErrorOf("[[3,4]]", "[[3,4],[3,4]]"),
            where + "segments[1]: key 'executed_steps' holds what are not steps");
  EXPECT_EQ(ErrorOf("[[3,4]]", "[[3,5]]"),
            where + "segments[1]: a step is not a number from 0 to 4");
  EXPECT_EQ(ErrorOf("[[3,4]]", "[3]"),
            where + "segments[1]: key 'executed_steps' holds what are not steps");
  EXPECT_EQ(ErrorOf("[[5,0,0]]", "[[5,0]]"),
            where + "segments[3]: key 'edges' holds what are not steps");
  EXPECT_EQ(ErrorOf("[[5,0,0]]", "[[6,0,0]]"),
            where + "segments[3]: key 'edges' holds what are not steps");
  EXPECT_EQ(ErrorOf("[\"closure\"", "[1"),
            where + "segments[0]: search: 'rules' must hold strings");
  EXPECT_EQ(ErrorOf("\"search\":{", "\"other\":{"), where + "segments[0]: key 'search' is missing");
  EXPECT_EQ(ErrorOf("\"op\":\"op4\"", "\"who\":\"op4\""),
            where + "segments[2]: key 'op' is missing");
  const std::string older = where + "it is in a form that is no longer read (make the plan anew)";
  EXPECT_EQ(ErrorOf("\"segments\",", "\"search\","), older);
  EXPECT_EQ(ErrorOf("\"segments\": [", "\"pieces\": ["), older);
}

}  // namespace
}  // namespace opass::memory
