#include "opass/runtime/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "opass/ort/evaluate.h"
#include "opass/runtime/jumps.h"
#include "opass/runtime/least_magnitude.h"
#include "opass/runtime/node_by_node.h"
#include "opass/support/interrupt.h"

namespace opass::runtime {
namespace {

// Fetched values are held twice; more than this of inner values is fetched in several goes.
constexpr std::int64_t kMaxFetchBytes = std::int64_t{256} << 20;

using Lists = std::vector<std::vector<ir::TensorPtr>>;
using Runner = std::function<Result<Lists>(const std::map<std::string, ir::TensorPtr>&)>;

bool HasShortFloats(const ir::Graph& graph) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    const ir::DataType type = graph.value(ir::ValueId(i)).type.elem;
    if (type == ir::DataType::kFloat16 || type == ir::DataType::kBfloat16) return true;
  }
  return false;
}

// The model's values by name: what its nodes compute, and its outputs.
std::unordered_map<std::string, ir::ValueId> Computed(const ir::Graph& graph) {
  std::unordered_map<std::string, ir::ValueId> values;
  for (const ir::NodeId node : graph.order) {
    for (const ir::ValueId id : graph.node(node).outputs) {
      if (id.valid()) values.emplace(graph.value(id).name, id);
    }
  }
  for (const ir::ValueId id : graph.outputs) values.emplace(graph.value(id).name, id);
  return values;
}

Result<Runner> MakeRunner(const ir::Model& model, const std::vector<std::string>& fetch,
                          int threads, bool node_by_node) {
  if (node_by_node) {
    OPASS_ASSIGN_OR_RETURN(NodeByNode nodes, NodeByNode::Make(model, threads));
    auto shared = std::make_shared<NodeByNode>(std::move(nodes));
    return Runner([shared, fetch](const auto& inputs) { return shared->Run(inputs, fetch); });
  }
  OPASS_ASSIGN_OR_RETURN(
      ort::Evaluator whole,
      ort::Evaluator::Make(model,
                           {.fetch = fetch, .disable_prepacking = true, .threads = threads}));
  auto shared = std::make_shared<ort::Evaluator>(std::move(whole));
  return Runner([shared](const auto& inputs) { return shared->RunAll(inputs); });
}

class Verifier {
 public:
  Verifier(const ir::Model& original, const ir::Model& candidate, const VerifyOptions& options)
      : original_(original), candidate_(candidate), options_(options) {}

  Result<Verdict> Run() {
    for (const ir::Model* model : {&original_, &candidate_}) {
      if (const ir::Node* random = FindRandomNode(model->graph)) {
        return Unknown("random-operator", Describe(*random) + " draws its result at random");
      }
    }
    FindCommon();
    continuity_ = FindJumps(original_.graph);
    if (outputs_.empty() && inner_.empty()) {
      return Unknown("nothing-in-common", "the models have no value in common");
    }
    node_by_node_ = HasShortFloats(original_.graph) || HasShortFloats(candidate_.graph);
    OPASS_RETURN_IF_ERROR(Compare(outputs_, options_.num_runs));
    if (options_.inner_values) {
      OPASS_RETURN_IF_ERROR(CompareInGoes(inner_));
    } else {
      OPASS_RETURN_IF_ERROR(CompareInGoes(BeforeTheSilent()));
      // Whether something flipped before them shows only inside.
      if (!behind_flips_.empty()) OPASS_RETURN_IF_ERROR(CompareInGoes(inner_));
    }
    return Conclude();
  }

 private:
  Verdict Unknown(std::string reason, std::string message) {
    Verdict verdict;
    verdict.reason = std::move(reason);
    verdict.message = std::move(message);
    verdict.notes = std::move(verdict_.notes);
    return verdict;
  }

  void FindCommon() {
    theirs_ = Computed(candidate_.graph);
    ours_ = Computed(original_.graph);
    std::set<std::string> their_outputs;
    for (const ir::ValueId id : candidate_.graph.outputs) {
      their_outputs.insert(candidate_.graph.value(id).name);
    }
    std::set<std::string> seen;
    for (const ir::ValueId id : original_.graph.outputs) {
      const std::string& name = original_.graph.value(id).name;
      if (!their_outputs.contains(name)) {
        verdict_.notes.push_back(fmt::format("output '{}' is in one model only", name));
        missing_output_ = name;
      }
      if (theirs_.contains(name) && seen.insert(name).second) outputs_.push_back(name);
    }
    for (const ir::NodeId node : original_.graph.order) {
      for (const ir::ValueId id : original_.graph.node(node).outputs) {
        if (!id.valid()) continue;
        const ir::Value& value = original_.graph.value(id);
        if (value.type.kind == ir::Type::Kind::kTensor && theirs_.contains(value.name) &&
            seen.insert(value.name).second) {
          inner_.push_back(value.name);
        }
      }
    }
  }

  // What the nodes of constant and saturated outputs read, as far as both models have it.
  std::vector<std::string> BeforeTheSilent() {
    std::set<std::string> before;
    for (const std::string& name : silent_) {
      const ir::NodeId producer = original_.graph.value(ours_.at(name)).producer;
      if (!producer.valid()) continue;
      for (const ir::ValueId read : original_.graph.Reads(producer)) {
        before.insert(original_.graph.value(read).name);
      }
    }
    std::vector<std::string> names;
    std::ranges::copy_if(inner_, std::back_inserter(names),
                         [&](const std::string& name) { return before.contains(name); });
    if (!names.empty()) {
      verdict_.notes.push_back(
          fmt::format("compared before it as well: '{}'", fmt::join(names, "', '")));
    }
    return names;
  }

  Status CompareInGoes(const std::vector<std::string>& names) {
    std::vector<std::string> go;
    std::int64_t bytes = 0;
    for (const std::string& name : names) {
      const ir::Value& value = original_.graph.value(ours_.at(name));
      const std::int64_t size = value.type.SizeBytes().value_or(kMaxFetchBytes / 8);
      if (!go.empty() && bytes + size > kMaxFetchBytes) {
        OPASS_RETURN_IF_ERROR(Compare(std::exchange(go, {}), 1));
        bytes = 0;
      }
      go.push_back(name);
      bytes += size;
    }
    return Compare(go, 1);
  }

  // Compares the named values for some seeds. What ends the comparison is left in `stopped_`.
  Status Compare(const std::vector<std::string>& names, int num_runs) {
    if (names.empty() || stopped_) return {};
    auto ours = MakeRunner(original_, names, options_.threads, node_by_node_);
    if (!ours.ok()) return Stop(ours.error(), false);
    auto theirs = MakeRunner(candidate_, names, options_.threads, node_by_node_);
    if (!theirs.ok()) return Stop(theirs.error(), true);
    for (int run = 0; run < num_runs && !stopped_; ++run) {
      if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
      InputOptions inputs = options_.inputs;
      inputs.seed += static_cast<std::uint64_t>(run);
      auto tensors = MakeInputs(original_.graph, inputs);
      if (!tensors.ok()) return Stop(tensors.error(), false);
      auto a = (*ours)(*tensors);
      if (!a.ok()) return Stop(a.error(), false);
      auto b = (*theirs)(*tensors);
      if (!b.ok()) return Stop(b.error(), true);
      for (std::size_t i = 0; i < names.size(); ++i) CompareLists(names[i], (*a)[i], (*b)[i]);
    }
    return {};
  }

  // An error with a reason is an outcome, any other is an error of ours.
  Status Stop(Error& error, bool original_ran) {
    if (error.reason.empty() || error.code == ErrorCode::kEnvironment) return std::move(error);
    const std::string message =
        error.where.empty() ? error.message : error.where + ": " + error.message;
    stopped_ = Unknown(error.reason, message);
    if (original_ran) {
      stopped_->verified = false;
      stopped_->message = "the original runs, the other model does not: " + message;
    }
    return {};
  }

  bool IsOutput(const std::string& name) const {
    return std::ranges::find(outputs_, name) != outputs_.end();
  }

  void CompareLists(const std::string& name, const std::vector<ir::TensorPtr>& a,
                    const std::vector<ir::TensorPtr>& b) {
    if (a.size() != b.size()) {
      Fail(fmt::format("'{}' has {} elements against {}", name, a.size(), b.size()));
    } else if (a.empty() && noted_.insert(name).second) {
      verdict_.notes.push_back(
          fmt::format("'{}' holds no tensor and is not compared itself", name));
      if (IsOutput(name)) silent_.push_back(name);
    }
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const std::string label = a.size() == 1 ? name : fmt::format("{}[{}]", name, i);
      Judge(name, CompareTensors(label, *a[i], *b[i]), a[i]->type);
    }
  }

  bool Fits(const TensorComparison& tensor, ir::DataType type, double least_magnitude) const {
    if (options_.exact) return tensor.same_type && tensor.bit_equal;
    if (options_.within && (type == ir::DataType::kFloat || type == ir::DataType::kDouble)) {
      return tensor.same_type && ScaledError(tensor, least_magnitude) <= *options_.within;
    }
    return WithinReassociation(tensor, type, least_magnitude);
  }

  static double ScaledError(const TensorComparison& tensor, double least_magnitude) {
    if (tensor.max_abs_error == 0) return 0;
    return tensor.max_abs_error / std::max(tensor.largest, least_magnitude);
  }

  void Judge(const std::string& name, const TensorComparison& tensor, ir::DataType type) {
    ++verdict_.num_tensors;
    const double least = LeastMagnitude(original_.graph, ours_.at(name));
    const bool fits = Fits(tensor, type, least);
    if (!fits && tensor.same_type && !options_.exact && MayDiffer(name, tensor)) return;
    verdict_.max_scaled_error =
        std::max(verdict_.max_scaled_error.value_or(0), ScaledError(tensor, least));
    if (!verdict_.max_abs_error || tensor.max_abs_error > *verdict_.max_abs_error) {
      verdict_.max_abs_error = tensor.max_abs_error;
      verdict_.worst_index = tensor.worst_index;
      verdict_.worst_tensor = tensor.max_abs_error > 0 ? tensor.name : "";
    }
    verdict_.max_rel_error = std::max(verdict_.max_rel_error.value_or(0), tensor.max_rel_error);
    if (!fits) {
      Fail(tensor.same_type ? fmt::format("'{}' differs by {:.3g} at element {}", tensor.name,
                                          tensor.max_abs_error, tensor.worst_index)
                            : fmt::format("'{}' is {}", tensor.name, tensor.mismatch));
    }
    if (!tensor.says_nothing.empty() && IsOutput(name) && noted_.insert(name).second) {
      silent_.push_back(name);
      verdict_.notes.push_back(fmt::format("output '{}' is {}: its agreement says little",
                                           tensor.name, tensor.says_nothing));
    }
  }

  // Takes note of what rounding flipped. Behind it anything may come out.
  bool MayDiffer(const std::string& name, const TensorComparison& tensor) {
    const Continuity continuity = continuity_[ours_.at(name).index()];
    if (continuity == Continuity::kBehind) behind_flips_.insert(name);
    if (continuity != Continuity::kJumps) return continuity == Continuity::kBehind;
    const double limit = kMaxFlipRate * static_cast<double>(tensor.num_elements);
    if (tensor.num_different == 0 ||
        static_cast<double>(tensor.num_different) > std::max(1.0, limit)) {
      return false;
    }
    auto flips = std::ranges::find(verdict_.flips, name, &Flips::value);
    if (flips == verdict_.flips.end()) flips = verdict_.flips.insert(flips, Flips{name, 0, 0});
    flips->num_different += tensor.num_different;
    flips->num_elements += tensor.num_elements;
    return true;
  }

  void JudgeFlips() {
    for (const Flips& flips : verdict_.flips) {
      verdict_.notes.push_back(fmt::format("rounding flipped {} of {} elements of '{}'",
                                           flips.num_different, flips.num_elements, flips.value));
    }
    if (behind_flips_.empty()) return;
    const std::string names = fmt::format("'{}'", fmt::join(behind_flips_, "', '"));
    if (verdict_.flips.empty()) {
      Fail(names + " differ and nothing before them flipped");
    } else {
      verdict_.notes.push_back("behind flipped elements, not judged: " + names);
    }
  }

  void Fail(std::string message) {
    if (failure_.empty()) failure_ = std::move(message);
  }

  Verdict Conclude() {
    if (stopped_) {
      stopped_->notes = std::move(verdict_.notes);
      return *std::move(stopped_);
    }
    JudgeFlips();
    if (failure_.empty() && !missing_output_.empty()) {
      failure_ = fmt::format("output '{}' is missing", missing_output_);
    }
    if (failure_.empty() && verdict_.num_tensors == 0) {
      return Unknown("nothing-in-common", "none of the values in common holds a tensor");
    }
    verdict_.verified = failure_.empty();
    if (!failure_.empty()) {
      verdict_.reason = "outputs-differ";
      verdict_.message = failure_;
    }
    return std::move(verdict_);
  }

  const ir::Model& original_;
  const ir::Model& candidate_;
  const VerifyOptions& options_;
  std::unordered_map<std::string, ir::ValueId> ours_;
  std::unordered_map<std::string, ir::ValueId> theirs_;
  std::vector<std::string> outputs_;  // in common
  std::vector<std::string> inner_;
  std::vector<std::string> silent_;  // outputs whose agreement says nothing
  std::set<std::string> noted_;
  std::vector<Continuity> continuity_;  // of the original's values
  std::set<std::string> behind_flips_;  // out of bounds, and behind what may flip
  std::string missing_output_;
  bool node_by_node_ = false;
  std::string failure_;
  std::optional<Verdict> stopped_;
  Verdict verdict_;
};

}  // namespace

Result<Verdict> VerifyModels(const ir::Model& original, const ir::Model& candidate,
                             const VerifyOptions& options) {
  return Verifier(original, candidate, options).Run();
}

}  // namespace opass::runtime
