// fold_constants: computes once what depends on constants and static shapes alone.
//
//   s = Shape(x); y = Reshape(x, Concat(Gather(s, 0), [-1]))   ->   y = Reshape(x, [2, 12])
//
// Type inference and folding alternate until nothing changes, because each feeds the other. The
// runtime computes the values, so they are what the model would have computed. Exact.
//
// Stored weights must not grow: a group of nodes that share values is folded as a whole when its
// results need no more bytes than the constants that vanish with it (plus fold_growth_bytes);
// otherwise only its small results are (shapes, axes, scales). Random operators, subgraphs,
// operators of unknown domains and values the caller may replace are left alone.
#include <fmt/format.h>

#include <algorithm>

#include "opass/ir/extract.h"
#include "opass/onnx/schema.h"
#include "opass/onnx/shape_inference.h"
#include "opass/ort/evaluate.h"
#include "opass/passes/fold_groups.h"
#include "opass/passes/pass.h"
#include "opass/support/bytes.h"

namespace opass::passes {
namespace {

constexpr int kMaxRounds = 50;
// A value of so many bytes is always worth storing: shapes, axes and indices; of other types only a
// few scales, because many small weights (dequantized ones, say) are large together.
constexpr std::int64_t kSmallBytes = 1024;
constexpr std::int64_t kSmallBytesOfOtherTypes = 64;
// Nothing larger is computed while folding, whatever comes of it.
constexpr std::int64_t kMaxValueBytes = std::int64_t{1} << 30;

bool IsSmall(const ir::Type& type) {
  const bool is_index = type.elem == ir::DataType::kInt64 || type.elem == ir::DataType::kInt32 ||
                        type.elem == ir::DataType::kBool;
  return type.SizeBytes().value_or(0) <= (is_index ? kSmallBytes : kSmallBytesOfOtherTypes);
}

// Operators whose result size depends on the data they read.
bool HasDataDependentSize(const ir::Node& node) {
  return node.Is("NonZero") || node.Is("Compress") || node.Is("Unique");
}

class Folder {
 public:
  Folder(ir::Model& model, const PassOptions& options)
      : model_(model), graph_(model.graph), options_(options) {}

  Result<PassResult> Run() {
    for (int round = 0; round < kMaxRounds; ++round) {
      OPASS_RETURN_IF_ERROR(onnxlib::InferTypes(model_));
      const int before = result_.num_changes;
      num_left_ = 0;
      bytes_left_ = 0;
      FoldGraph();
      if (result_.num_changes == before) break;
    }
    if (num_left_ > 0) {
      result_.notes.push_back(
          fmt::format("{} nodes on constants are kept: folding them would store {} more", num_left_,
                      FormatBytes(bytes_left_)));
    }
    return std::move(result_);
  }

 private:
  bool IsFoldedConstant(ir::ValueId id) const { return IsFixed(graph_, id); }

  void FoldGraph() {
    FoldShapes();
    FoldGroups();
    for (const ir::NodeId id : graph_.order) {
      for (ir::Attribute& attribute : graph_.node(id).attributes) {
        auto* subgraph = std::get_if<ir::GraphAttribute>(&attribute.value);
        if (subgraph == nullptr) continue;
        MoveConstantsInto(**subgraph);
        FoldSubgraph(**subgraph);
      }
    }
  }

  // Constants that this subgraph alone reads become its own.
  void MoveConstantsInto(ir::Graph& subgraph) {
    const auto is_read_elsewhere = [&](ir::ValueId value) {
      int num_reads = graph_.IsOutput(value) ? 2 : 0;
      for (const ir::NodeId id : graph_.order) {
        num_reads += static_cast<int>(std::ranges::count(graph_.node(id).inputs, value));
        ir::ForEachSubgraph(graph_.node(id), [&](const ir::Graph& graph) {
          num_reads +=
              static_cast<int>(std::ranges::count(graph.captures, value, &ir::Capture::outer));
        });
      }
      return num_reads != 1;
    };
    std::erase_if(subgraph.captures, [&](const ir::Capture& capture) {
      if (!IsFoldedConstant(capture.outer) || is_read_elsewhere(capture.outer)) return false;
      ir::Value& outer = graph_.value(capture.outer);
      subgraph.value(capture.inner).type = outer.type;
      subgraph.value(capture.inner).constant = std::move(outer.constant);
      outer.constant = nullptr;
      return true;
    });
  }

  // A subgraph is a graph of a model of its own while it is folded.
  void FoldSubgraph(ir::Graph& subgraph) {
    ir::Model part;
    part.opsets = model_.opsets;
    part.ir_version = model_.ir_version;
    part.graph = std::move(subgraph);
    Folder folder(part, options_);
    folder.grown_bytes_ = grown_bytes_;
    folder.FoldGraph();
    subgraph = std::move(part.graph);
    grown_bytes_ = folder.grown_bytes_;
    num_left_ += folder.num_left_;
    bytes_left_ += folder.bytes_left_;
    result_.num_changes += folder.result_.num_changes;
    std::ranges::move(folder.result_.notes, std::back_inserter(result_.notes));
  }

  // Shape and Size need the type of their input, not its value.
  void FoldShapes() {
    std::vector<ir::NodeId> folded;
    for (const ir::NodeId id : graph_.order) {
      const ir::Node& node = graph_.node(id);
      if (!node.Is("Shape") && !node.Is("Size")) continue;
      const auto dims = graph_.value(node.inputs[0]).type.StaticDims();
      if (!dims || graph_.IsOutput(node.outputs[0])) continue;
      ir::TensorPtr tensor;
      if (node.Is("Size")) {
        const auto count = ir::NumElements(*dims);
        if (!count) continue;
        tensor = ir::Tensor::FromInt64s({}, {*count});
      } else {
        const std::int64_t rank = static_cast<std::int64_t>(dims->size());
        const auto position = [&](std::int64_t axis) {
          return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
        };
        const std::int64_t start = position(node.IntOr("start", 0));
        const std::int64_t end = std::max(start, position(node.IntOr("end", rank)));
        tensor = ir::Tensor::FromInt64s(
            {end - start}, std::vector<std::int64_t>(dims->begin() + start, dims->begin() + end));
      }
      MakeConstant(node.outputs[0], std::move(tensor));
      folded.push_back(id);
    }
    graph_.EraseNodes(folded);
    result_.num_changes += static_cast<int>(folded.size());
  }

  void MakeConstant(ir::ValueId id, ir::TensorPtr tensor) {
    ir::Value& value = graph_.value(id);
    value.producer = ir::NodeId();
    value.type = ir::Type::Tensor(tensor->type, tensor->dims);
    value.constant = std::move(tensor);
  }

  bool IsFoldable(ir::NodeId id, const std::vector<bool>& in_set) const {
    const ir::Node& node = graph_.node(id);
    if (!node.domain.empty() || !onnxlib::HasSchema(node.domain, node.op_type, model_.opset()) ||
        !onnxlib::IsDeterministic(graph_, id)) {
      return false;
    }
    bool has_subgraph = false;
    ir::ForEachSubgraph(node, [&](const ir::Graph&) { has_subgraph = true; });
    if (has_subgraph) return false;
    for (const ir::ValueId input : node.inputs) {
      if (!input.valid() || IsFoldedConstant(input)) continue;
      const ir::NodeId producer = graph_.value(input).producer;
      if (!producer.valid() || !in_set[producer.index()]) return false;
    }
    return std::ranges::all_of(node.outputs, [&](ir::ValueId output) {
      if (!output.valid()) return true;
      if (is_output_[output.index()]) return false;
      const ir::Type& type = graph_.value(output).type;
      const auto size = type.SizeBytes();
      if (!size) return type.kind == ir::Type::Kind::kTensor && HasDataDependentSize(node);
      return *size <= kMaxValueBytes;
    });
  }

  // Nodes that depend on constants alone, in order; `only_small`: with small results only.
  std::vector<ir::NodeId> Foldable(bool only_small) const {
    std::vector<bool> in_set(graph_.num_nodes());
    std::vector<ir::NodeId> nodes;
    for (const ir::NodeId id : graph_.order) {
      const ir::Node& node = graph_.node(id);
      if (!IsFoldable(id, in_set)) continue;
      const bool small = std::ranges::all_of(node.outputs, [&](ir::ValueId output) {
        return !output.valid() || IsSmall(graph_.value(output).type);
      });
      if (only_small && !small) continue;
      in_set[id.index()] = true;
      nodes.push_back(id);
    }
    return nodes;
  }

  bool IsWorthStoring(const FoldEffect& effect) const {
    const bool small = std::ranges::all_of(
        effect.results, [&](ir::ValueId value) { return IsSmall(graph_.value(value).type); });
    return small || effect.growth_bytes + grown_bytes_ <= options_.fold_growth_bytes ||
           effect.growth_bytes <= 0;
  }

  // The group that fold_largest_group means; none: a position past the end.
  std::size_t LargestKept(const std::vector<FoldEffect>& effects) {
    std::size_t largest = effects.size();
    std::int64_t largest_bytes = 0;
    for (std::size_t i = 0; i < effects.size(); ++i) {
      for (const ir::ValueId value : effects[i].results) {
        const std::int64_t bytes = graph_.value(value).type.SizeBytes().value_or(0);
        if (bytes <= largest_bytes || IsWorthStoring(effects[i])) continue;
        largest_bytes = bytes;
        largest = i;
      }
    }
    if (!options_.fold_largest_group || is_largest_folded_) return effects.size();
    is_largest_folded_ = largest < effects.size();
    return largest;
  }

  void FoldGroups() {
    is_output_.assign(graph_.num_values(), false);
    for (const ir::ValueId output : graph_.outputs) is_output_[output.index()] = true;
    for (const bool only_small : {false, true}) {
      const auto readers = graph_.Readers();
      std::vector<ir::NodeId> folded;
      const auto groups = GroupByValues(graph_, Foldable(only_small));
      std::vector<FoldEffect> effects;
      for (const auto& group : groups)
        effects.push_back(EffectOf(graph_, group, readers, is_output_));
      const std::size_t largest = LargestKept(effects);
      for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto& group = groups[i];
        const FoldEffect& effect = effects[i];
        if (!IsWorthStoring(effect) && i != largest) {
          num_left_ += static_cast<int>(group.size());
          bytes_left_ += effect.growth_bytes;
        } else if (Fold(group, effect)) {
          folded.insert(folded.end(), group.begin(), group.end());
        }
      }
      EraseFolded(folded);
      if (num_left_ == 0) break;
    }
  }

  // Bytes of results whose size showed only when they were computed.
  std::int64_t UnforeseenBytes(const FoldEffect& effect,
                               const std::vector<ir::TensorPtr>& tensors) const {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (graph_.value(effect.results[i]).type.SizeBytes()) continue;
      bytes += static_cast<std::int64_t>(tensors[i]->bytes.size());
    }
    return bytes;
  }

  // Computes the group's results; false (with a note) when the runtime cannot, or when there turns
  // out to be more to store than is allowed.
  bool Fold(const std::vector<ir::NodeId>& group, const FoldEffect& effect) {
    if (effect.results.empty()) return false;  // dead: not ours to remove
    const ir::Model part = ir::Extract(model_, group, effect.results);
    auto tensors = ort::Evaluate(part, {}, {});
    if (!tensors.ok() || tensors->size() != effect.results.size()) {
      const ir::Node& node = graph_.node(group.front());
      result_.notes.push_back(fmt::format("not folded: node '{}' ({}) and what follows: {}",
                                          node.name, node.op_type,
                                          tensors.ok() ? "no result" : tensors.error().message));
      return false;
    }
    const std::int64_t unforeseen_bytes = UnforeseenBytes(effect, *tensors);
    const std::int64_t growth_bytes = effect.growth_bytes + unforeseen_bytes;
    if (unforeseen_bytes > kSmallBytes && growth_bytes > 0 &&
        growth_bytes + grown_bytes_ > options_.fold_growth_bytes) {
      const ir::Node& node = graph_.node(group.front());
      result_.notes.push_back(fmt::format("not folded: node '{}' ({}) and what follows: {} more {}",
                                          node.name, node.op_type, FormatBytes(growth_bytes),
                                          "would be stored"));
      return false;
    }
    for (std::size_t i = 0; i < effect.results.size(); ++i) {
      MakeConstant(effect.results[i], std::move((*tensors)[i]));
    }
    grown_bytes_ += std::max<std::int64_t>(0, growth_bytes);
    return true;
  }

  void EraseFolded(const std::vector<ir::NodeId>& folded) {
    graph_.EraseNodes(folded);
    result_.num_changes += static_cast<int>(folded.size());
  }

  ir::Model& model_;
  ir::Graph& graph_;
  const PassOptions& options_;
  PassResult result_;
  std::vector<bool> is_output_;   // by ir::ValueId
  std::int64_t grown_bytes_ = 0;  // stored so far beyond what vanished
  int num_left_ = 0;
  std::int64_t bytes_left_ = 0;
  bool is_largest_folded_ = false;
};

Result<PassResult> Run(ir::Model& model, const PassOptions& options) {
  return Folder(model, options).Run();
}

}  // namespace

extern const Pass fold_constants;
const Pass fold_constants = {
    .name = "fold_constants",
    .summary = "computes once what depends on constants and static shapes alone",
    .exactness = Exactness::kExact,
    .run = Run,
};

}  // namespace opass::passes
