#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

namespace opass::runtime {

// A plan for a model, and which of the model's nodes and values the problem's ids mean. An invalid
// ir id marks an operator or a value that only the problem knows.
struct PlannedModel {
  const ir::Model& model;
  const memory::Problem& problem;
  const memory::Plan& plan;
  const std::vector<ir::NodeId>& node_of_op;  // by memory::OpId
  const std::vector<ir::ValueId>& value_of;   // by memory::ValueId
};

// Half-open bytes of the arena.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// A plan turned into what an executor asks for.
class PlanLayout {
 public:
  // Checks again whatever would be memory corruption here: ranges of ids, buffers inside the arena
  // and as large as the values they hold, alignment to 16 bytes (below, kernels round differently).
  // Error: kInvalidInput.
  static Result<PlanLayout> Make(const PlannedModel& planned);

  const std::vector<ir::NodeId>& order() const { return order_; }
  const memory::Op& op(std::size_t step) const { return *ops_[step]; }
  // Null for a value outside of the arena.
  const memory::Buffer* buffer(ir::ValueId id) const { return buffer_of_[id.index()]; }
  // Null when the plan has no workspace for the step's node.
  const memory::Buffer* workspace(std::size_t step) const { return workspace_of_[step]; }
  // The step's node only gives other names to bytes that are there: nothing has to run.
  bool IsView(std::size_t step) const { return is_view_[step]; }
  // Graph inputs that the caller writes just before the step.
  const std::vector<ir::ValueId>& arrivals(std::size_t step) const { return arrivals_[step]; }
  // Bytes that nobody needs after the step.
  const std::vector<ByteRange>& freed(std::size_t step) const { return freed_[step]; }
  // Names of the other values whose planned bytes meet those of `buffer` while it lives.
  std::vector<std::string> Neighbours(const memory::Buffer& buffer) const;

 private:
  explicit PlanLayout(const PlannedModel& planned) : planned_(planned) {}
  Status ReadOrder();
  Status ReadBuffers();
  Status CheckBuffer(const memory::Buffer& buffer, ir::ValueId id) const;
  void FindViews();
  void FindFreedBytes();
  std::string NameOf(const memory::Buffer& buffer) const;

  PlannedModel planned_;
  std::vector<ir::NodeId> order_;
  std::vector<const memory::Op*> ops_;
  std::vector<std::size_t> step_of_op_;
  std::vector<const memory::Buffer*> buffer_of_;
  std::vector<const memory::Buffer*> workspace_of_;
  std::vector<bool> is_view_;
  std::vector<std::vector<ir::ValueId>> arrivals_;
  std::vector<std::vector<ByteRange>> freed_;
};

// `range` without the bytes of `holes`, which are sorted in place.
std::vector<ByteRange> Subtract(ByteRange range, std::vector<ByteRange>& holes);

}  // namespace opass::runtime
