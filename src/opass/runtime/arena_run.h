#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opass/ort/allocator.h"
#include "opass/runtime/arena.h"
#include "opass/runtime/arena_executor.h"
#include "opass/runtime/node_session.h"
#include "opass/runtime/plan_layout.h"
#include "opass/runtime/run_report.h"
#include "opass/runtime/value_store.h"
#include "opass/support/result.h"

namespace opass::runtime {

// What every run of an executor shares.
struct PreparedRun {
  PlannedModel planned;
  ExecutorOptions options;
  PlanLayout layout;
  std::shared_ptr<ort::Environment> environment;
  std::optional<CannotRun> cannot_run;
  // By step; none for views without a kernel, or that need not run.
  std::vector<std::optional<NodeSession>> sessions;
  std::vector<std::int64_t> last_uses;  // by ir::ValueId, in steps
  std::unique_ptr<Arena> arena;
  std::vector<std::int64_t> scratch_bytes;  // by step, over all runs
};

// One run: the values in the arena, and beside them, in lockstep, the reference.
class ArenaRun {
 public:
  ArenaRun(PreparedRun& prepared, RunReport& report)
      : prepared_(prepared),
        graph_(prepared.planned.model.graph),
        layout_(prepared.layout),
        report_(report),
        outside_(graph_),
        reference_(graph_),
        planned_(graph_.num_values()),
        outside_bytes_(graph_.num_values()) {}

  Status Start(const std::map<std::string, ir::TensorPtr>& inputs);
  Status Step(std::size_t step);
  Status Finish();
  bool failed() const { return report_.difference.has_value(); }

 private:
  bool lockstep() const { return prepared_.options.lockstep; }
  std::byte* Address(const memory::Buffer& buffer) const {
    // A value without bytes may be planned at the very end.
    return prepared_.arena->bytes().data() + buffer.offset_bytes;
  }
  ort::OrtValue* Get(ir::ValueId id) const {
    return layout_.buffer(id) != nullptr ? planned_[id.index()].get() : outside_.get(id);
  }
  Status Place(ir::ValueId id);
  Status WriteArrivals(std::size_t step);
  Status RunReference(std::size_t step);
  Status CopyView(std::size_t step);
  Status RunInArena(std::size_t step);
  void Count(std::size_t step, const ort::StepUse& use, bool runtime_allocates);
  Status Compare(ir::ValueId id, std::int64_t step, const std::string& node, bool overwritten);
  void ReleaseDead(std::size_t step);

  PreparedRun& prepared_;
  const ir::Graph& graph_;
  const PlanLayout& layout_;
  RunReport& report_;
  std::map<ir::ValueId, ir::TensorPtr> inputs_;
  ValueStore outside_;
  ValueStore reference_;
  std::vector<ort::Value> planned_;          // over bytes of the arena
  std::vector<std::int64_t> outside_bytes_;  // by value, what the runtime holds for it
  std::int64_t outside_live_bytes_ = 0;
};

}  // namespace opass::runtime
