#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/ort/session.h"
#include "opass/support/result.h"

namespace opass::ort {

struct EvaluateOptions {
  // Names of values to fetch, inner ones included; empty: the graph's outputs.
  std::vector<std::string> fetch;
  bool disable_prepacking = true;
  int threads = 1;
};

using NamedTensors = std::map<std::string, ir::TensorPtr>;

// A whole model in ONNX Runtime, unoptimized, for one or several runs.
class Evaluator {
 public:
  static Result<Evaluator> Make(const ir::Model& model, const EvaluateOptions& options = {});

  // The fetched values in their order. A sequence of tensors, or an optional, is null: only tensors
  // have a form outside of the runtime. Errors: a missing input or one of the wrong type
  // (kInvalidInput), or what Session answers (kNotPossible with a reason).
  Result<std::vector<ir::TensorPtr>> Run(const NamedTensors& inputs);
  // The same with the elements of sequences (ReadTensors), one list per fetched value; empty for
  // other kinds of values.
  Result<std::vector<std::vector<ir::TensorPtr>>> RunAll(const NamedTensors& inputs);

  const std::vector<std::string>& fetch() const { return fetch_; }

 private:
  explicit Evaluator(Session session) : session_(std::move(session)) {}
  Result<std::vector<Value>> RunValues(const NamedTensors& inputs);

  Session session_;
  std::vector<std::string> inputs_;
  std::vector<std::string> fetch_;
};

// Evaluator for one run.
Result<std::vector<ir::TensorPtr>> Evaluate(const ir::Model& model, const NamedTensors& inputs,
                                            const EvaluateOptions& options = {});

// A session for a model in memory.
Result<Session> Load(const ir::Model& model, int threads, const SessionOptions& options);

}  // namespace opass::ort
