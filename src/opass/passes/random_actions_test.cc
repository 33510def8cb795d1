// Random graphs of every operator that the passes know, through random sequences of their actions:
// after every one the graph verifies, its types are what ONNX infers, and the values it has in
// common with the first graph are the same bits, or within rounding once a pass reassociated.
#include <map>

#include "opass/passes/rewrite.h"
#include "opass/passes/testing/execute.h"
#include "opass/passes/testing/random_graph.h"

namespace opass::passes {
namespace {

using Dims = std::vector<std::int64_t>;
using testing::RandomGraph;

std::uint64_t NumGraphs() { return testing::NightlyOr(400, 10'000); }

TEST(RandomActions, KeepWhatTheGraphComputes) {
  OPASS_SKIP_WITHOUT_ORT();
  std::map<std::string, int> applied;
  for (std::uint64_t seed = 0; seed < NumGraphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ir::Model original = testing::Model(RandomGraph(seed).Model());
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
    ir::Model model = testing::Model(RandomGraph(seed).Model());
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
