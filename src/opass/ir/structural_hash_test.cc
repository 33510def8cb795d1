#include "opass/ir/structural_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace opass::ir {
namespace {

const Type kVector = Type::Tensor(DataType::kFloat, {4});

Hash128 HashOf(const Model& model) { return StructuralHasher().Hash(model); }

// A random graph of binary operators with weights and two outputs.
Model RandomModel(std::uint64_t seed, std::size_t num_nodes) {
  std::mt19937_64 random(seed);
  Model model;
  model.opsets[""] = 17;
  Graph& graph = model.graph;
  std::vector<ValueId> values = {graph.AddValue("x", kVector), graph.AddValue("y", kVector)};
  graph.inputs = values;
  values.push_back(graph.AddConstant("w", Tensor::FromFloats({4}, {1, 2, 3, 4})));
  values.push_back(graph.AddConstant("v", Tensor::FromFloats({4}, {1, 2, 3, 5})));
  const char* ops[] = {"Add", "Mul", "Sub", "Max"};
  for (std::size_t i = 0; i < num_nodes; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.op_type = ops[random() % 4];
    node.inputs = {values[random() % values.size()], values[random() % values.size()]};
    node.outputs = {graph.AddValue("t" + std::to_string(i), kVector)};
    node.attributes = {{"axis", std::int64_t{1}}, {"alpha", 0.5f}};
    values.push_back(node.outputs[0]);
    graph.AddNode(std::move(node));
  }
  graph.outputs = {values.back(), values[values.size() - 2]};
  return model;
}

// The same model with all names, the ids of its nodes and their order changed.
Model Disguised(const Model& model, std::mt19937_64& random) {
  Model out;
  out.opsets = model.opsets;
  const Graph& from = model.graph;
  std::vector<std::size_t> value_order(from.num_values());
  for (std::size_t i = 0; i < value_order.size(); ++i) value_order[i] = i;
  std::shuffle(value_order.begin(), value_order.end(), random);
  std::vector<ValueId> to(from.num_values());
  for (const std::size_t i : value_order) {
    const Value& value = from.value(ValueId(i));
    to[i] = out.graph.AddValue("v" + std::to_string(random()), value.type);
    if (value.constant == nullptr) continue;
    // Weights count by content.
    auto copy = std::make_shared<Tensor>(*value.constant);
    out.graph.value(to[i]).constant = copy;
  }
  for (const ValueId id : from.inputs) out.graph.inputs.push_back(to[id.index()]);
  for (const ValueId id : from.outputs) out.graph.outputs.push_back(to[id.index()]);
  std::vector<NodeId> nodes = from.order;
  std::shuffle(nodes.begin(), nodes.end(), random);
  for (const NodeId id : nodes) {
    Node node = from.node(id);
    node.name = "m" + std::to_string(random());
    node.doc_string = "another";
    std::ranges::reverse(node.attributes);
    for (ValueId& input : node.inputs) input = to[input.index()];
    for (ValueId& output : node.outputs) output = to[output.index()];
    out.graph.AddNode(std::move(node));
  }
  EXPECT_TRUE(SortTopologically(out.graph).ok());
  return out;
}

TEST(StructuralHash, NamesAndOrderDoNotCount) {
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Model model = RandomModel(seed, 3 + seed % 20);
    const Model other = Disguised(model, random);
    ASSERT_TRUE(Verify(other.graph).ok());
    EXPECT_EQ(HashOf(model), HashOf(other)) << seed;
  }
}

TEST(StructuralHash, EveryChangeOfMeaningCounts) {
  const Model base = RandomModel(7, 9);
  const auto last = [](Graph& graph) -> Node& { return graph.node(graph.order.back()); };
  const std::vector<std::pair<std::string, std::function<void(Model&)>>> changes = {
      {"operator", [&](Model& m) { last(m.graph).op_type = "Pow"; }},
      {"domain", [&](Model& m) { last(m.graph).domain = "my"; }},
      {"overload", [&](Model& m) { last(m.graph).overload = "my"; }},
      {"attribute value", [&](Model& m) { last(m.graph).attributes[0].value = std::int64_t{2}; }},
      {"attribute kind", [&](Model& m) { last(m.graph).attributes[0].value = 1.0f; }},
      {"attribute list",
       [&](Model& m) { last(m.graph).attributes[0].value = std::vector<std::int64_t>{1}; }},
      {"attribute name", [&](Model& m) { last(m.graph).attributes[0].name = "axes"; }},
      {"attribute less", [&](Model& m) { last(m.graph).attributes.pop_back(); }},
      {"attribute tensor",
       [&](Model& m) { last(m.graph).attributes[0].value = Tensor::FromFloats({1}, {1}); }},
      {"other operand", [&](Model& m) { last(m.graph).inputs[0] = m.graph.inputs[1]; }},
      {"operand left out", [&](Model& m) { last(m.graph).inputs[0] = ValueId(); }},
      {"operand more", [&](Model& m) { last(m.graph).inputs.push_back(m.graph.inputs[0]); }},
      {"type",
       [&](Model& m) {
         m.graph.value(last(m.graph).outputs[0]).type = Type::Tensor(DataType::kFloat, {5});
       }},
      {"element type",
       [&](Model& m) {
         m.graph.value(m.graph.inputs[0]).type = Type::Tensor(DataType::kFloat16, {4});
       }},
      {"symbol",
       [&](Model& m) {
         m.graph.value(m.graph.inputs[0]).type.shape = {{-1, "N"}};
       }},
      {"weight",
       [&](Model& m) {
         m.graph.value(ValueId(2)).constant = Tensor::FromFloats({4}, {1, 2, 3, -4});
       }},
      {"order of inputs", [&](Model& m) { std::ranges::reverse(m.graph.inputs); }},
      {"order of outputs", [&](Model& m) { std::ranges::reverse(m.graph.outputs); }},
      {"output more", [&](Model& m) { m.graph.outputs.push_back(m.graph.outputs[0]); }},
      {"operator set", [&](Model& m) { m.opsets[""] = 18; }},
      {"another domain's", [&](Model& m) { m.opsets["my"] = 1; }},
  };
  std::set<Hash128> seen = {HashOf(base)};
  for (const auto& [what, change] : changes) {
    Model model = base;
    change(model);
    EXPECT_TRUE(seen.insert(HashOf(model)).second) << what;
  }
}

TEST(StructuralHash, OrderOfOperandsCounts) {
  Model model = RandomModel(3, 6);
  Node& node = model.graph.node(model.graph.order.back());
  node.inputs = {model.graph.inputs[0], model.graph.inputs[1]};
  const Hash128 before = HashOf(model);
  std::ranges::reverse(node.inputs);
  EXPECT_NE(HashOf(model), before);
}

// Relu twice; each of the four readers reads one or the other.
Model TwoCopies(const std::vector<int>& reads, const std::vector<std::string>& readers) {
  Model model;
  Graph& graph = model.graph;
  graph.inputs = {graph.AddValue("x", kVector)};
  const ValueId copies[] = {graph.AddValue("a", kVector), graph.AddValue("b", kVector)};
  for (const ValueId copy : copies) {
    Node node;
    node.name = graph.value(copy).name;
    node.op_type = "Relu";
    node.inputs = graph.inputs;
    node.outputs = {copy};
    graph.AddNode(std::move(node));
  }
  for (std::size_t i = 0; i < reads.size(); ++i) {
    Node node;
    node.name = "r" + std::to_string(i);
    node.op_type = readers[i];
    node.inputs = {copies[reads[i]]};
    node.outputs = {graph.AddValue("y" + std::to_string(i), kVector)};
    graph.outputs.push_back(node.outputs[0]);
    graph.AddNode(std::move(node));
  }
  return model;
}

TEST(StructuralHash, CopiesAreToldApartByTheirReaders) {
  const std::vector<std::string> readers = {"Abs", "Neg", "Exp", "Tanh"};
  std::set<Hash128> seen;
  for (const std::vector<int>& reads : std::vector<std::vector<int>>{
           {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}}) {
    EXPECT_TRUE(seen.insert(HashOf(TwoCopies(reads, readers))).second);
    std::vector<int> other_way;
    for (const int copy : reads) other_way.push_back(1 - copy);
    EXPECT_EQ(HashOf(TwoCopies(reads, readers)), HashOf(TwoCopies(other_way, readers)));
  }
  EXPECT_NE(HashOf(TwoCopies({0, 0}, {"Abs", "Neg"})), HashOf(TwoCopies({0, 1}, {"Abs", "Neg"})));
}

Model WithBranch(const std::string& op, bool capture_second) {
  Model model;
  Graph& graph = model.graph;
  graph.inputs = {graph.AddValue("x", kVector), graph.AddValue("y", kVector)};
  Graph body;
  const ValueId inner = body.AddValue("inner", kVector);
  body.captures = {{graph.inputs[capture_second ? 1 : 0], inner}};
  Node inside;
  inside.name = "inside";
  inside.op_type = op;
  inside.inputs = {inner};
  inside.outputs = {body.AddValue("result", kVector)};
  body.outputs = inside.outputs;
  body.AddNode(std::move(inside));
  Node node;
  node.name = "if";
  node.op_type = "If";
  node.attributes = {{"then_branch", GraphAttribute(std::move(body))}};
  node.outputs = {graph.AddValue("z", kVector)};
  graph.outputs = node.outputs;
  graph.AddNode(std::move(node));
  return model;
}

TEST(StructuralHash, SubgraphsCountWithWhatTheyCapture) {
  EXPECT_EQ(HashOf(WithBranch("Relu", false)), HashOf(WithBranch("Relu", false)));
  EXPECT_NE(HashOf(WithBranch("Relu", false)), HashOf(WithBranch("Relu", true)));
  EXPECT_NE(HashOf(WithBranch("Relu", false)), HashOf(WithBranch("Abs", false)));
}

TEST(StructuralHash, ATensorsHashIsOfItsContentAlsoWhenAnAddressIsUsedAgain) {
  StructuralHasher hasher;
  std::set<Hash128> seen;
  for (int i = 0; i < 5000; ++i) {
    const TensorPtr tensor = Tensor::FromFloats({1}, {static_cast<float>(i)});
    const Hash128 hash = hasher.Hash(tensor);
    EXPECT_EQ(hash, hasher.Hash(tensor));
    ASSERT_TRUE(seen.insert(hash).second) << i;
  }
  const auto bytes = [&](const std::string& content) {
    return hasher.Hash(Tensor::Make(DataType::kUint8, {1}, content));
  };
  EXPECT_NE(bytes("12345678"), bytes(std::string("12345678\0", 9)));
  EXPECT_NE(bytes(""), bytes(std::string(1, '\0')));
}

}  // namespace
}  // namespace opass::ir
