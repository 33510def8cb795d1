#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "opass/ir/hash_stream.h"
#include "opass/orchestrator/native/native_action.h"
#include "opass/passes/activation_forms.h"
#include "opass/passes/rewrite.h"

namespace opass::orchestrator {
namespace {

using passes::Pass;
using passes::Site;

constexpr std::string_view kNormalizing[] = {kRaiseOpset,
                                             "cut_shape_only_uses",
                                             "fold_pad_into_conv",
                                             "fuse_activations",
                                             "merge_reshapes",
                                             "push_transposes",
                                             "cancel_transposes",
                                             "fuse_transpose_into_matmul",
                                             "hoist_pool_above_linear",
                                             "factor_shared_scale",
                                             "fold_affine_into_conv",
                                             "sink_monotone_below_pool",
                                             "reassociate_matmul"};
// Sites of these stand behind each other: where one was rewritten, the next one appears.
constexpr std::string_view kMoving[] = {"push_transposes", "sink_concat_below_elementwise",
                                        "sink_monotone_below_pool", "fold_affine_into_conv"};

template <typename Names>
bool Holds(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::ranges::end(names);
}

enum class Form : std::uint64_t { kRaise, kEverywhere, kAlike, kAtPeak, kElsewhere };

std::uint64_t KindOf(Form form, std::string_view pass, std::string_view signature) {
  ir::HashStream stream(static_cast<std::uint64_t>(form));
  stream.Add(pass);
  stream.Add(signature);
  return stream.Result().high;
}

// Sites of one signature.
struct Group {
  std::string signature;
  std::vector<Site> sites;
};

class Proposer {
 public:
  Proposer(const ir::Model& model, const std::vector<bool>& at_peak, const ActionOptions& options)
      : model_(model), graph_(model.graph), uses_(graph_), at_peak_(at_peak), options_(options) {}

  std::vector<NativeAction> Run() {
    if (!Holds(options_.disabled, kRaiseOpset)) ProposeRaise();
    for (const std::string_view name : kNormalizing) ProposeOf(passes::FindPass(name));
    for (const Pass* pass : passes::Passes()) {
      if (!Holds(kNormalizing, pass->name)) ProposeOf(pass);
    }
    for (const Pass* pass : options_.more) ProposeOf(pass);
    return std::move(actions_);
  }

 private:
  // The operator sets that activations wait for.
  void ProposeRaise() {
    std::set<std::int64_t> wanted;
    for (const ir::NodeId id : graph_.order) {
      const ir::Node& node = graph_.node(id);
      if (!node.Is("Mul") && !node.Is("Div")) continue;
      if (!passes::HasOneResult(node) || !passes::IsFloat32(graph_, node.outputs[0])) continue;
      const auto activation = passes::FindActivation(graph_, uses_, id);
      if (activation) wanted.insert(passes::FirstOpset(*activation));
    }
    for (const std::int64_t opset : wanted) {
      if (opset <= model_.opset() || opset > options_.max_opset) continue;
      NativeAction action;
      action.opset = opset;
      Add(std::move(action), fmt::format("{} to {}", kRaiseOpset, opset), kRaiseOpset,
          KindOf(Form::kRaise, kRaiseOpset, fmt::format("{}", opset)), 1);
    }
  }

  void ProposeOf(const Pass* pass) {
    if (pass == nullptr || pass->find == nullptr || pass->exactness > options_.most) return;
    if (Holds(options_.disabled, pass->name)) return;
    std::vector<Site> sites = pass->find(model_, uses_);
    if (sites.empty()) return;
    const std::size_t num_sites = sites.size();
    std::vector<Group> groups = GroupBySignature(std::move(sites));
    if (options_.macros) AddMacros(*pass, num_sites, groups);
    for (const bool at_peak : {true, false}) {
      const Form form = at_peak ? Form::kAtPeak : Form::kElsewhere;
      for (const Group& group : groups) {
        for (const Site& site : group.sites) {
          if (TouchesPeak(site) != at_peak) continue;
          AddSites(*pass, {site}, KindOf(form, pass->name, group.signature));
        }
      }
    }
  }

  void AddMacros(const Pass& pass, std::size_t num_sites, const std::vector<Group>& groups) {
    if (groups.size() > 1 || Holds(kMoving, pass.name)) AddEverywhere(pass, num_sites, groups);
    for (const Group& group : groups) {
      if (group.sites.size() < 2) continue;
      AddSites(pass, group.sites, KindOf(Form::kAlike, pass.name, group.signature));
    }
  }

  // Largest group first, then in the graph's order.
  std::vector<Group> GroupBySignature(std::vector<Site> sites) const {
    std::vector<Group> groups;
    std::map<std::string, std::size_t> position;
    for (Site& site : sites) {
      std::string signature = passes::Signature(graph_, site);
      const auto [entry, is_new] = position.emplace(std::move(signature), groups.size());
      if (is_new) groups.push_back({entry->first, {}});
      groups[entry->second].sites.push_back(std::move(site));
    }
    std::ranges::stable_sort(groups, std::greater<>(),
                             [](const Group& group) { return group.sites.size(); });
    return groups;
  }

  bool TouchesPeak(const Site& site) const {
    const auto at_peak = [&](ir::ValueId id) {
      return id.valid() && id.index() < at_peak_.size() && at_peak_[id.index()];
    };
    return std::ranges::any_of(site.nodes, [&](ir::NodeId id) {
      const ir::Node& node = graph_.node(id);
      return std::ranges::any_of(node.inputs, at_peak) ||
             std::ranges::any_of(node.outputs, at_peak);
    });
  }

  void AddEverywhere(const Pass& pass, std::size_t num_sites, const std::vector<Group>& groups) {
    NativeAction action;
    action.is_everywhere = Holds(kNormalizing, pass.name) || Holds(kMoving, pass.name);
    action.rewrite.pass = &pass;
    for (const Group& group : groups) {
      action.rewrite.sites.insert(action.rewrite.sites.end(), group.sites.begin(),
                                  group.sites.end());
    }
    const std::string name = action.is_everywhere
                                 ? fmt::format("{} everywhere", pass.name)
                                 : fmt::format("{} at all {} sites", pass.name, num_sites);
    Add(std::move(action), name, pass.name, KindOf(Form::kEverywhere, pass.name, ""), num_sites);
  }

  void AddSites(const Pass& pass, const std::vector<Site>& sites, std::uint64_t kind) {
    NativeAction action;
    action.rewrite = {&pass, sites, {}};
    Add(std::move(action), passes::ActionName(graph_, pass, sites), pass.name, kind, sites.size());
  }

  void Add(NativeAction action, std::string name, std::string_view pass, std::uint64_t kind,
           std::size_t num_sites) {
    int& count = names_[name];
    if (++count > 1) name += fmt::format(" ({})", count);
    action.rewrite.name = name;
    action.shown = {std::move(name), std::string(pass), kind, static_cast<std::int64_t>(num_sites)};
    actions_.push_back(std::move(action));
  }

  const ir::Model& model_;
  const ir::Graph& graph_;
  const passes::Uses uses_;
  const std::vector<bool>& at_peak_;
  const ActionOptions& options_;
  std::vector<NativeAction> actions_;
  std::map<std::string, int> names_;  // how often each was given
};

}  // namespace

std::vector<NativeAction> ProposeActions(const ir::Model& model, const std::vector<bool>& at_peak,
                                         const ActionOptions& options) {
  return Proposer(model, at_peak, options).Run();
}

std::vector<std::string> NormalizingPasses() {
  return {std::begin(kNormalizing), std::end(kNormalizing)};
}

}  // namespace opass::orchestrator
