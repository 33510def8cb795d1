// merge_common_subexpressions: what two nodes compute alike is computed once.
//
//   a = Relu(x); b = Relu(x); y = f(a); z = g(b)   ->   a = Relu(x); y = f(a); z = g(a)
//
// Fewer operations, but a value may live longer: it can raise the peak. Legal: deterministic nodes
// without subgraphs, the same operator, attributes and inputs (constants by content); the second
// node writes no graph output. Exact.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opass/onnx/schema.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

// The first constant of equal content, for every constant that the caller cannot replace.
std::vector<ir::ValueId> CanonicalValues(const ir::Graph& graph) {
  std::vector<ir::ValueId> canonical(graph.num_values());
  // Few constants agree in type and in their first bytes, so few are compared as a whole.
  constexpr std::size_t kPrefixBytes = 64;
  std::map<std::string, std::vector<ir::ValueId>> alike;
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    canonical[i] = ir::ValueId(i);
    if (!IsFixed(graph, canonical[i])) continue;
    const ir::Tensor& tensor = *graph.value(canonical[i]).constant;
    const auto prefix = tensor.bytes.first(std::min(kPrefixBytes, tensor.bytes.size()));
    std::string key = ir::Type::Tensor(tensor.type, tensor.dims).ToString();
    key.append(reinterpret_cast<const char*>(prefix.data()), prefix.size());
    std::vector<ir::ValueId>& others = alike[key];
    const auto same = std::ranges::find_if(others, [&](ir::ValueId other) {
      return ir::SameContent(*graph.value(other).constant, tensor);
    });
    if (same != others.end()) {
      canonical[i] = *same;
    } else {
      others.push_back(canonical[i]);
    }
  }
  return canonical;
}

bool SameAttribute(const ir::Attribute& a, const ir::Attribute& b) {
  if (a.name != b.name || a.value.index() != b.value.index()) return false;
  return std::visit(
      [&]<typename T>(const T& value) {
        const T& other = std::get<T>(b.value);
        if constexpr (std::is_same_v<T, ir::TensorPtr>) {
          return ir::SameContent(*value, *other);
        } else if constexpr (std::is_same_v<T, ir::GraphAttribute>) {
          return false;
        } else if constexpr (std::is_same_v<T, ir::OpaqueAttribute>) {
          return value.bytes == other.bytes;
        } else {
          return value == other;
        }
      },
      a.value);
}

bool SameAttributes(const ir::Node& a, const ir::Node& b) {
  return a.attributes.size() == b.attributes.size() &&
         std::ranges::all_of(a.attributes, [&](const ir::Attribute& attribute) {
           const ir::Attribute* other = b.Find(attribute.name);
           return other != nullptr && SameAttribute(attribute, *other);
         });
}

bool ComputeTheSame(const ir::Graph& graph, const std::vector<ir::ValueId>& canonical,
                    const ir::Node& a, const ir::Node& b) {
  const auto same_value = [&](ir::ValueId x, ir::ValueId y) {
    return x.valid() == y.valid() && (!x.valid() || canonical[x.index()] == canonical[y.index()]);
  };
  const auto same_type = [&](ir::ValueId x, ir::ValueId y) {
    return x.valid() && y.valid() && SameType(graph, x, y);
  };
  return a.domain == b.domain && a.op_type == b.op_type && a.overload == b.overload &&
         std::ranges::equal(a.inputs, b.inputs, same_value) &&
         std::ranges::equal(a.outputs, b.outputs, same_type) && SameAttributes(a, b);
}

bool IsMergeable(const ir::Graph& graph, ir::NodeId id) {
  bool has_subgraph = false;
  ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph&) { has_subgraph = true; });
  return !has_subgraph && graph.node(id).domain.empty() && onnxlib::IsDeterministic(graph, id);
}

bool WritesOutput(const ir::Node& node, const Uses& uses) {
  return std::ranges::any_of(node.outputs, [&](ir::ValueId id) { return uses.IsOutput(id); });
}

std::vector<Site> Find(const ir::Model& model, const Uses& uses) {
  const ir::Graph& graph = model.graph;
  const std::vector<ir::ValueId> canonical = CanonicalValues(graph);
  std::map<std::string, std::vector<ir::NodeId>> alike;
  std::vector<Site> sites;
  for (const ir::NodeId id : graph.order) {
    const ir::Node& node = graph.node(id);
    if (!IsMergeable(graph, id)) continue;
    std::string key = node.op_type;
    for (const ir::ValueId input : node.inputs) {
      key += input.valid() ? fmt::format(" {}", canonical[input.index()].index()) : " -";
    }
    std::vector<ir::NodeId>& others = alike[key];
    const auto same = std::ranges::find_if(others, [&](ir::NodeId other) {
      return ComputeTheSame(graph, canonical, graph.node(other), node);
    });
    if (same == others.end()) {
      others.push_back(id);
    } else if (!WritesOutput(node, uses)) {
      sites.push_back({id, 0, {id, *same}, node.op_type});
    }
  }
  return sites;
}

Result<bool> Apply(ir::Model& model, const Uses& uses, const Site& site) {
  ir::Graph& graph = model.graph;
  if (site.nodes.size() != 2 || !uses.IsLive(site.nodes[0]) || !uses.IsLive(site.nodes[1])) {
    return false;
  }
  const auto [second, first] = std::pair(site.nodes[0], site.nodes[1]);
  if (second == first || uses.Position(first) > uses.Position(second)) return false;
  if (!IsMergeable(graph, second) || WritesOutput(graph.node(second), uses)) return false;
  if (!ComputeTheSame(graph, CanonicalValues(graph), graph.node(first), graph.node(second))) {
    return false;
  }
  for (std::size_t i = 0; i < graph.node(first).outputs.size(); ++i) {
    graph.ReplaceUses(graph.node(second).outputs[i], graph.node(first).outputs[i]);
  }
  EraseUnread(graph, {second});
  return true;
}

}  // namespace

extern const Pass merge_common_subexpressions;
const Pass merge_common_subexpressions = {
    .name = "merge_common_subexpressions",
    .summary = "computes once what two nodes compute alike",
    .exactness = Exactness::kExact,
    .find = Find,
    .apply = Apply,
};

}  // namespace opass::passes
