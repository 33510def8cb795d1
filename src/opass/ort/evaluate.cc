#include "opass/ort/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "opass/onnx/weights_apart.h"

namespace opass::ort {
namespace {

// Smaller weights are cheaper to copy than to hand over one by one. Below the alignment, kernels
// round differently.
constexpr std::int64_t kMinApartBytes = 32 << 10;
constexpr std::int64_t kKernelAlignment = 16;

// The model with the fetched values as its outputs.
Result<ir::Model> WithOutputs(const ir::Model& model, const std::vector<std::string>& fetch) {
  ir::Model out = model;
  std::unordered_map<std::string, ir::ValueId> by_name;
  for (std::size_t i = 0; i < out.graph.num_values(); ++i) {
    const ir::ValueId id(i);
    if (out.graph.value(id).producer.valid() || out.graph.IsOutput(id)) {
      by_name.emplace(out.graph.value(id).name, id);
    }
  }
  out.graph.outputs.clear();
  for (const std::string& name : fetch) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      return InvalidInput("the model computes no value of this name", fmt::format("'{}'", name));
    }
    out.graph.outputs.push_back(found->second);
  }
  return out;
}

}  // namespace

Result<Session> Load(const ir::Model& model, int threads, const SessionOptions& options) {
  OPASS_ASSIGN_OR_RETURN(std::shared_ptr<Environment> environment, Environment::Get(threads));
  OPASS_ASSIGN_OR_RETURN(onnxlib::WeightsApart model_parts,
                         onnxlib::SerializeWeightsApart(model, kMinApartBytes, kKernelAlignment));
  return Session::Create(std::move(environment), model_parts.bytes, threads, options,
                         std::move(model_parts.weights));
}

Result<Evaluator> Evaluator::Make(const ir::Model& model, const EvaluateOptions& options) {
  const SessionOptions session_options{.disable_prepacking = options.disable_prepacking};
  std::vector<std::string> fetch = options.fetch;
  Result<Session> session = InternalError("");
  if (fetch.empty()) {
    for (const ir::ValueId id : model.graph.outputs) fetch.push_back(model.graph.value(id).name);
    session = Load(model, options.threads, session_options);
  } else {
    OPASS_ASSIGN_OR_RETURN(const ir::Model fetching, WithOutputs(model, fetch));
    session = Load(fetching, options.threads, session_options);
  }
  if (!session.ok()) return std::move(session.error());
  Evaluator evaluator(*std::move(session));
  for (const ir::ValueId id : model.graph.inputs) {
    // An initializer that is also an input keeps its own value.
    if (model.graph.value(id).constant == nullptr) {
      evaluator.inputs_.push_back(model.graph.value(id).name);
    }
  }
  evaluator.fetch_ = std::move(fetch);
  return evaluator;
}

Result<std::vector<Value>> Evaluator::RunValues(const NamedTensors& inputs) {
  std::vector<const char*> names;
  std::vector<Value> values;
  std::vector<const OrtValue*> raw;
  for (const std::string& name : inputs_) {
    const auto found = inputs.find(name);
    if (found == inputs.end() || found->second == nullptr) {
      return WithReason(InvalidInput("no value is given for this input", fmt::format("'{}'", name)),
                        "missing-input");
    }
    OPASS_ASSIGN_OR_RETURN(Value value, FromTensor(*found->second));
    names.push_back(name.c_str());
    raw.push_back(value.get());
    values.push_back(std::move(value));
  }
  std::vector<const char*> output_names;
  for (const std::string& name : fetch_) output_names.push_back(name.c_str());
  std::vector<Value> outputs(fetch_.size());
  OPASS_RETURN_IF_ERROR(session_.Run(names, raw, output_names, outputs));
  return outputs;
}

Result<std::vector<ir::TensorPtr>> Evaluator::Run(const NamedTensors& inputs) {
  OPASS_ASSIGN_OR_RETURN(const std::vector<Value> values, RunValues(inputs));
  std::vector<ir::TensorPtr> tensors(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr || !IsTensor(values[i].get())) continue;
    OPASS_ASSIGN_OR_RETURN(tensors[i], ReadTensor(values[i].get()));
  }
  return tensors;
}

Result<std::vector<std::vector<ir::TensorPtr>>> Evaluator::RunAll(const NamedTensors& inputs) {
  OPASS_ASSIGN_OR_RETURN(const std::vector<Value> values, RunValues(inputs));
  std::vector<std::vector<ir::TensorPtr>> lists(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;  // an optional that is empty
    auto list = ReadTensors(values[i].get());
    if (list.ok()) lists[i] = *std::move(list);  // else a map, an optional: nothing to compare
  }
  return lists;
}

Result<std::vector<ir::TensorPtr>> Evaluate(const ir::Model& model, const NamedTensors& inputs,
                                            const EvaluateOptions& options) {
  OPASS_ASSIGN_OR_RETURN(Evaluator evaluator, Evaluator::Make(model, options));
  return evaluator.Run(inputs);
}

}  // namespace opass::ort
