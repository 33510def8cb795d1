// convert_to_float16: computes in 16 bits what was computed in 32. Lossy.
//
//   y = Relu(Conv(x, w))   ->   y = Cast<float32>(Relu(Conv(Cast<float16>(x), w in float16)))
//
// Float32 values that operators pass to each other become float16; graph inputs and outputs keep
// their types, with a Cast where the two meet. An operator stays in float32 when ONNX does not
// define it in float16, when it reads graphs or makes numbers of whole ones (kStays), when a
// constant of it would lose its meaning (half_constants.h), or when none of its neighbours changes:
// then Casts would only add bytes. Mixed models keep what is float16 already; a second run changes
// nothing. After Micikevicius et al., "Mixed Precision Training" (ICLR 2018), which says what needs
// 32 bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "opass/onnx/schema.h"
#include "opass/passes/half_constants.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

// Sums without an end, coordinates, and steps of a quantization, which tell numbers apart that
// float16 does not; and operators that only draw or check numbers.
constexpr std::array<std::string_view, 10> kStays = {
    "Bernoulli",   "CumProd",        "CumSum", "DequantizeLinear", "GridSample", "MaxRoiPool",
    "Multinomial", "QuantizeLinear", "Range",  "RoiAlign"};
constexpr std::size_t kMaxTold = 4;  // operator types in a note

using DataType = ir::DataType;

bool IsTensorOf(const ir::Graph& graph, ir::ValueId id, DataType elem) {
  if (!id.valid()) return false;
  const ir::Type& type = graph.value(id).type;
  return type.kind == ir::Type::Kind::kTensor && type.elem == elem;
}

// The operands of a node that become float16; empty: it stays.
struct Halves {
  std::vector<bool> inputs;
  std::vector<bool> outputs;

  bool any() const { return !outputs.empty() || !inputs.empty(); }
};

class Converter {
 public:
  explicit Converter(ir::Model& model)
      : model_(model), graph_(model.graph), halves_(graph_.num_nodes()) {}

  PassResult Run() {
    const std::size_t num_float32 = Choose();
    const std::vector<ir::NodeId> order = graph_.order;
    const std::size_t num_converted = static_cast<std::size_t>(
        std::ranges::count_if(order, [&](ir::NodeId id) { return halves_[id.index()].any(); }));
    if (num_converted == 0) return {};
    half_.resize(graph_.num_values());
    is_widened_.resize(graph_.num_values());
    graph_.order.clear();
    for (const ir::NodeId id : order) {
      halves_[id.index()].any() ? Convert(id) : Keep(id);
    }
    PassResult result{static_cast<int>(num_converted), {}};
    if (num_converted < num_float32) result.notes.push_back(Stayed(order, num_float32));
    return result;
  }

 private:
  // How many nodes compute in float32 now.
  std::size_t Choose() {
    std::size_t num_float32 = 0;
    for (const ir::NodeId id : graph_.order) {
      const ir::Node& node = graph_.node(id);
      if (!std::ranges::any_of(node.outputs, [&](ir::ValueId output) {
            return IsTensorOf(graph_, output, DataType::kFloat);
          })) {
        // A comparison, an ArgMax: it may read float16.
        halves_[id.index()] = HalvesOf(id);
        continue;
      }
      ++num_float32;
      halves_[id.index()] = HalvesOf(id);
    }
    DropIsolated();
    return num_float32;
  }

  Halves HalvesOf(ir::NodeId id) const {
    const ir::Node& node = graph_.node(id);
    if (!node.domain.empty() || std::ranges::find(kStays, node.op_type) != kStays.end()) return {};
    bool is_plain = true;
    ir::ForEachSubgraph(node, [&](const ir::Graph&) { is_plain = false; });
    for (const auto& operands : {node.inputs, node.outputs}) {
      for (const ir::ValueId operand : operands) {
        is_plain = is_plain &&
                   (!operand.valid() || graph_.value(operand).type.kind == ir::Type::Kind::kTensor);
      }
    }
    if (!is_plain) return {};
    return node.Is("Cast") ? HalvesOfCast(node) : HalvesBySchema(node);
  }

  // Of a Cast only the result of few bits: whole numbers beyond 2048 are no float16.
  Halves HalvesOfCast(const ir::Node& node) const {
    Halves halves{{false}, {false}};
    if (node.inputs.size() != 1 || !node.inputs[0].valid() || !node.outputs[0].valid()) return {};
    const DataType from = graph_.value(node.inputs[0]).type.elem;
    const bool is_short =
        from == DataType::kBool || from == DataType::kInt8 || from == DataType::kUint8;
    halves.outputs[0] = is_short && IsTensorOf(graph_, node.outputs[0], DataType::kFloat);
    return halves.outputs[0] ? halves : Halves{};
  }

  Halves HalvesBySchema(const ir::Node& node) const {
    const auto parameters = onnxlib::TypeParametersOf(node, model_.opset());
    if (!parameters) return {};
    const auto takes_half = [&](int number) {
      return number != onnxlib::TypeParameters::kFixedType &&
             parameters->takes_float16[static_cast<std::size_t>(number)];
    };
    Halves halves{std::vector<bool>(node.inputs.size()), std::vector<bool>(node.outputs.size())};
    std::vector<bool> is_half(parameters->takes_float16.size());  // by type parameter
    bool reads_values = false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ir::ValueId input = node.inputs[i];
      if (!IsTensorOf(graph_, input, DataType::kFloat) || !takes_half(parameters->inputs[i])) {
        continue;
      }
      if (IsFixed(graph_, input) && !FitsFloat16(node, *graph_.value(input).constant)) return {};
      halves.inputs[i] = true;
      is_half[static_cast<std::size_t>(parameters->inputs[i])] = true;
      reads_values = true;
    }
    if (!reads_values) return {};
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!IsTensorOf(graph_, node.outputs[i], DataType::kFloat)) continue;
      const int number = parameters->outputs[i];
      halves.outputs[i] = takes_half(number) && is_half[static_cast<std::size_t>(number)];
    }
    return halves;
  }

  // Nodes without a neighbour that changes too: all of their operands would be cast.
  void DropIsolated() {
    std::vector<bool> is_made(graph_.num_values());
    std::vector<bool> is_read(graph_.num_values());
    for (const ir::NodeId id : graph_.order) {
      const Halves& halves = halves_[id.index()];
      const ir::Node& node = graph_.node(id);
      for (std::size_t i = 0; i < halves.inputs.size(); ++i) {
        if (halves.inputs[i]) is_read[node.inputs[i].index()] = true;
      }
      for (std::size_t i = 0; i < halves.outputs.size(); ++i) {
        if (halves.outputs[i]) is_made[node.outputs[i].index()] = true;
      }
    }
    std::vector<ir::NodeId> isolated;
    for (const ir::NodeId id : graph_.order) {
      const Halves& halves = halves_[id.index()];
      const ir::Node& node = graph_.node(id);
      bool has_neighbour = false;
      for (std::size_t i = 0; i < halves.inputs.size(); ++i) {
        has_neighbour = has_neighbour || (halves.inputs[i] && is_made[node.inputs[i].index()]);
      }
      for (std::size_t i = 0; i < halves.outputs.size(); ++i) {
        has_neighbour = has_neighbour || (halves.outputs[i] && is_read[node.outputs[i].index()]);
      }
      if (!has_neighbour) isolated.push_back(id);
    }
    for (const ir::NodeId id : isolated) halves_[id.index()] = {};
  }

  void Convert(ir::NodeId id) {
    const Halves& halves = halves_[id.index()];
    for (std::size_t i = 0; i < graph_.node(id).inputs.size(); ++i) {
      const ir::ValueId input = graph_.node(id).inputs[i];
      if (!input.valid()) continue;
      if (halves.inputs[i]) {
        graph_.node(id).inputs[i] = Narrowed(input);
      } else {
        Widen(input);
      }
    }
    graph_.order.push_back(id);
    if (graph_.node(id).Is("Cast")) {
      SetAttribute(graph_.node(id), "to", static_cast<std::int64_t>(DataType::kFloat16));
    }
    for (std::size_t i = 0; i < graph_.node(id).outputs.size(); ++i) {
      if (!halves.outputs[i]) continue;
      const ir::ValueId output = graph_.node(id).outputs[i];
      const ir::ValueId half = AddHalf(output);
      graph_.node(id).outputs[i] = half;
      graph_.value(half).producer = id;
      graph_.value(output).producer = ir::NodeId();
      half_[output.index()] = half;
      is_widened_[output.index()] = false;
      if (graph_.IsOutput(output)) Widen(output);
    }
  }

  void Keep(ir::NodeId id) {
    for (const ir::ValueId read : graph_.Reads(id)) Widen(read);
    graph_.order.push_back(id);
  }

  // The value in float16.
  ir::ValueId Narrowed(ir::ValueId id) {
    ir::ValueId& half = half_[id.index()];
    if (half.valid()) return half;
    if (IsFixed(graph_, id)) {
      half = graph_.AddConstant(graph_.FreshName(graph_.value(id).name + "_float16"),
                                ToFloat16(*graph_.value(id).constant));
    } else {
      half = AddHalf(id);
      AddCast(id, half);
    }
    return half;
  }

  // Makes the float32 value of one that an operator computes in float16, once.
  void Widen(ir::ValueId id) {
    if (id.index() >= half_.size()) return;
    const ir::ValueId half = half_[id.index()];
    const bool is_computed = half.valid() && !graph_.value(id).producer.valid() &&
                             graph_.value(id).constant == nullptr && !graph_.IsInput(id);
    if (!is_computed || is_widened_[id.index()]) return;
    is_widened_[id.index()] = true;
    AddCast(half, id);
  }

  ir::ValueId AddHalf(ir::ValueId like) {
    ir::Type type = graph_.value(like).type;
    type.elem = DataType::kFloat16;
    return graph_.AddValue(graph_.FreshName(graph_.value(like).name + "_float16"), std::move(type));
  }

  void AddCast(ir::ValueId from, ir::ValueId to) {
    ir::Node node;
    node.op_type = "Cast";
    node.name = graph_.FreshName("Cast");
    node.inputs = {from};
    node.outputs = {to};
    node.attributes = {{"to", static_cast<std::int64_t>(graph_.value(to).type.elem)}};
    graph_.AddNode(std::move(node));
  }

  // "12 of 80 float32 operators stay: 10 Resize, 2 Range"
  std::string Stayed(const std::vector<ir::NodeId>& order, std::size_t num_float32) const {
    std::map<std::string, int> counts;
    std::size_t num_stayed = 0;
    for (const ir::NodeId id : order) {
      const ir::Node& node = graph_.node(id);
      const bool is_float32 = std::ranges::any_of(node.outputs, [&](ir::ValueId output) {
        return IsTensorOf(graph_, output, DataType::kFloat);
      });
      if (!is_float32 || halves_[id.index()].any()) continue;
      ++counts[node.op_type];
      ++num_stayed;
    }
    std::vector<std::pair<int, std::string>> sorted;
    for (const auto& [op_type, count] : counts) sorted.emplace_back(-count, op_type);
    std::ranges::sort(sorted);
    std::string text = fmt::format("{} of {} float32 operators stay:", num_stayed, num_float32);
    for (std::size_t i = 0; i < std::min(sorted.size(), kMaxTold); ++i) {
      text += fmt::format("{} {} {}", i == 0 ? "" : ",", -sorted[i].first, sorted[i].second);
    }
    return text + (sorted.size() > kMaxTold ? ", ..." : "");
  }

  ir::Model& model_;
  ir::Graph& graph_;
  std::vector<Halves> halves_;     // by node
  std::vector<ir::ValueId> half_;  // by value of the graph as it was
  std::vector<bool> is_widened_;
};

Result<PassResult> RunOnModel(ir::Model& model, const PassOptions&) {
  return Converter(model).Run();
}

}  // namespace

extern const Pass convert_to_float16;
const Pass convert_to_float16 = {
    .name = "convert_to_float16",
    .summary = "computes in float16 what was computed in float32; inputs and outputs stay",
    .exactness = Exactness::kLossy,
    .run = RunOnModel,
};

}  // namespace opass::passes
