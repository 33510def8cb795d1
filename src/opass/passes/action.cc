#include "opass/passes/action.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace opass::passes {
namespace {

// Passes that make copies could go on for long: a run ends after so many sweeps, or when the graph
// has grown to twice its nodes and some.
constexpr int kMaxSweeps = 50;
constexpr std::size_t kMaxGrowth = 2;
constexpr std::size_t kFreeGrowth = 64;

struct AppendValue {
  std::string& text;

  void operator()(std::int64_t value) const { text += fmt::format("{}", value); }
  void operator()(float value) const { text += fmt::format("{:a}", value); }
  void operator()(const std::string& value) const { text += fmt::format("'{}'", value); }
  void operator()(const ir::TensorPtr& value) const {
    text += value == nullptr ? "" : ir::Type::Tensor(value->type, value->dims).ToString();
  }
  void operator()(const ir::GraphAttribute&) const { text += "graph"; }
  void operator()(const ir::OpaqueAttribute& value) const { text += value.bytes; }
  template <typename T>
  void operator()(const std::vector<T>& values) const {
    for (const T& value : values) {
      (*this)(value);
      text += ',';
    }
  }
};

void AppendAttributes(const ir::Node& node, std::string& text) {
  std::vector<const ir::Attribute*> attributes;
  for (const ir::Attribute& attribute : node.attributes) attributes.push_back(&attribute);
  std::ranges::sort(attributes, {}, &ir::Attribute::name);
  for (const ir::Attribute* attribute : attributes) {
    text += fmt::format(" {}=", attribute->name);
    std::visit(AppendValue{text}, attribute->value);
  }
}

}  // namespace

std::string_view Name(Exactness exactness) {
  switch (exactness) {
    case Exactness::kExact:
      return "exact";
    case Exactness::kReassociates:
      return "reassociates";
    case Exactness::kLossy:
      return "lossy";
  }
  return "";
}

std::string Signature(const ir::Graph& graph, const Site& site) {
  std::string text = fmt::format("{} {}", site.variant, site.what);
  const auto append_value = [&](ir::ValueId id) {
    if (!id.valid()) {
      text += " -";
      return;
    }
    const ir::Value& value = graph.value(id);
    const auto inside = std::ranges::find(site.nodes, value.producer);
    text += fmt::format(" {}{}", value.type.ToString(), value.constant != nullptr ? "!" : "");
    if (value.producer.valid() && inside != site.nodes.end()) {
      text += fmt::format("@{}", inside - site.nodes.begin());
    }
  };
  for (const ir::NodeId id : site.nodes) {
    const ir::Node& node = graph.node(id);
    text += fmt::format("{}{}:{}", id == site.anchor ? "\n*" : "\n", node.domain, node.op_type);
    AppendAttributes(node, text);
    for (const ir::ValueId input : node.inputs) append_value(input);
    text += " ->";
    for (const ir::ValueId output : node.outputs) append_value(output);
  }
  return text;
}

std::string ActionName(const ir::Graph& graph, const Pass& pass, const std::vector<Site>& sites) {
  const Site& site = sites.front();
  const std::string what = site.what.empty() ? "" : ": " + site.what;
  const std::string& node = graph.node(site.anchor).name;
  if (sites.size() == 1) return fmt::format("{}{} at {}", pass.name, what, node);
  return fmt::format("{}{} at {} sites like {}", pass.name, what, sites.size(), node);
}

std::vector<Action> Propose(const ir::Model& model, const Uses& uses, const Pass& pass) {
  if (pass.find == nullptr) return {{&pass, {}, std::string(pass.name)}};
  std::vector<Site> sites = pass.find(model, uses);
  std::vector<std::vector<Site>> alike;
  std::map<std::string, std::size_t> position;  // of a signature in `alike`
  for (const Site& site : sites) {
    const auto [entry, is_new] = position.emplace(Signature(model.graph, site), position.size());
    if (is_new) alike.emplace_back();
    alike[entry->second].push_back(site);
  }
  std::erase_if(alike, [](const std::vector<Site>& group) { return group.size() < 2; });
  std::ranges::stable_sort(alike, std::greater<>(), &std::vector<Site>::size);
  for (Site& site : sites) alike.push_back({std::move(site)});
  std::vector<Action> actions;
  for (std::vector<Site>& group : alike) {
    std::string name = ActionName(model.graph, pass, group);
    actions.push_back({&pass, std::move(group), std::move(name)});
  }
  return actions;
}

Result<int> Apply(ir::Model& model, const Action& action) {
  int num_applied = 0;
  if (action.pass->find == nullptr) {
    OPASS_ASSIGN_OR_RETURN(const PassResult result, action.pass->run(model, {}));
    num_applied = result.num_changes;
  }
  for (const Site& site : action.sites) {
    OPASS_ASSIGN_OR_RETURN(const bool applied, action.pass->apply(model, Uses(model.graph), site));
    num_applied += applied ? 1 : 0;
  }
  if (num_applied == 0) return 0;
  if (Status status = ir::Verify(model.graph); !status.ok()) {
    status.error().where = fmt::format("after {}: {}", action.name, status.error().where);
    return std::move(status.error());
  }
  return num_applied;
}

Result<PassResult> RunPass(const Pass& pass, ir::Model& model, const PassOptions& options) {
  if (pass.find == nullptr) return pass.run(model, options);
  PassResult result;
  const std::size_t max_nodes = kMaxGrowth * model.graph.order.size() + kFreeGrowth;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    Uses uses(model.graph);
    const std::vector<Site> sites = pass.find(model, uses);
    const int before = result.num_changes;
    for (const Site& site : sites) {
      if (model.graph.order.size() >= max_nodes) break;
      OPASS_ASSIGN_OR_RETURN(const bool applied, pass.apply(model, uses, site));
      if (!applied) continue;
      ++result.num_changes;
      uses = Uses(model.graph);
    }
    if (result.num_changes == before) break;
  }
  if (pass.advise != nullptr) result.notes = pass.advise(model, Uses(model.graph));
  return result;
}

}  // namespace opass::passes
