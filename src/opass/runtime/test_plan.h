#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opass/analysis/pose_problem.h"
#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/runtime/plan_layout.h"
#include "opass/support/bytes.h"

namespace opass::runtime {

// A posed model with a plan in file order, for tests: views share their source, the listed pairs
// are in place, everything else goes to the first gap that is free.
class TestPlan {
 public:
  explicit TestPlan(const ir::Model& model, bool in_place = true,
                    const analysis::PoseOptions& options = {})
      : model_(model) {
    auto posed = analysis::PoseProblem(model, options);
    if (!posed.ok()) std::abort();
    posed_ = *std::move(posed);
    Plan(in_place);
  }

  PlannedModel planned() const {
    return {model_, posed_.problem, plan, posed_.node_of_op, posed_.value_of};
  }
  memory::Buffer& buffer(const std::string& name) {
    return *std::ranges::find_if(plan.buffers, [&](const memory::Buffer& buffer) {
      return buffer.value.valid() && posed_.problem.value(buffer.value).name == name;
    });
  }
  const memory::Problem& problem() const { return posed_.problem; }

  memory::Plan plan;

 private:
  void Plan(bool in_place) {
    const memory::Problem& problem = posed_.problem;
    const auto steps = static_cast<std::int64_t>(problem.ops.size());
    std::vector<memory::Buffer> buffers(problem.values.size());
    for (std::size_t i = 0; i < problem.values.size(); ++i) {
      const memory::Value& value = problem.values[i];
      buffers[i].value = memory::ValueId(i);
      buffers[i].size_bytes = RoundUp(value.size_bytes, problem.alignment);
      buffers[i].first =
          value.producer.valid() ? static_cast<std::int64_t>(value.producer.index()) : 0;
      buffers[i].last = value.producer.valid() ? buffers[i].first + 1 : 0;
    }
    for (std::size_t step = 0; step < problem.ops.size(); ++step) {
      plan.order.push_back(memory::OpId(step));
      for (const memory::ValueId id : problem.ops[step].inputs) {
        buffers[id.index()].last = static_cast<std::int64_t>(step) + 1;
      }
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (problem.values[i].is_output) buffers[i].last = std::max<std::int64_t>(steps, 1);
    }
    Alias(in_place, buffers);
    Place(buffers);
  }

  void Alias(bool in_place, std::vector<memory::Buffer>& buffers) {
    const memory::Problem& problem = posed_.problem;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (!problem.values[i].view) continue;
      buffers[i].alias_of = problem.values[i].view->source;
      buffers[i].alias_kind = memory::AliasKind::kView;
    }
    for (std::size_t step = 0; in_place && step < problem.ops.size(); ++step) {
      for (const memory::InPlace& pair : problem.ops[step].in_place) {
        memory::Buffer& output = buffers[pair.output.index()];
        if (output.alias_kind != memory::AliasKind::kNone) continue;
        if (StorageEnd(pair.input, buffers) != static_cast<std::int64_t>(step) + 1) continue;
        if (IsKept(pair.input, buffers)) continue;
        output.alias_of = pair.input;
        output.alias_kind = memory::AliasKind::kInPlace;
      }
    }
  }

  static memory::ValueId Root(memory::ValueId id, const std::vector<memory::Buffer>& buffers) {
    while (buffers[id.index()].alias_kind != memory::AliasKind::kNone) {
      id = buffers[id.index()].alias_of;
    }
    return id;
  }

  bool IsKept(memory::ValueId id, const std::vector<memory::Buffer>& buffers) const {
    return std::ranges::any_of(buffers, [&](const memory::Buffer& other) {
      const memory::Value& value = posed_.problem.value(other.value);
      return (value.is_output || value.is_preserved) &&
             Root(other.value, buffers) == Root(id, buffers);
    });
  }

  // The end of the life of the bytes of `id`, through views of it and of what it is a view of.
  static std::int64_t StorageEnd(memory::ValueId id, const std::vector<memory::Buffer>& buffers) {
    std::int64_t end = 0;
    for (const memory::Buffer& other : buffers) {
      if (Root(other.value, buffers) == Root(id, buffers)) end = std::max(end, other.last);
    }
    return end;
  }

  void Place(const std::vector<memory::Buffer>& buffers) {
    const memory::Problem& problem = posed_.problem;
    std::vector<memory::Buffer> placed;
    for (memory::Buffer buffer : buffers) {
      const memory::Value& value = problem.value(buffer.value);
      if (!value.in_arena) continue;
      if (buffer.first == buffer.last) buffer.size_bytes = 0;
      if (buffer.alias_kind != memory::AliasKind::kNone) {
        const auto source = std::ranges::find(placed, buffer.alias_of, &memory::Buffer::value);
        buffer.offset_bytes = source->offset_bytes;
        if (value.view) buffer.offset_bytes += value.view->offset_bytes;
      } else {
        memory::Buffer lifetime = buffer;
        lifetime.last = StorageEnd(buffer.value, buffers);
        buffer.offset_bytes = FirstGap(lifetime, buffers, placed);
      }
      plan.arena_bytes = std::max(plan.arena_bytes, buffer.offset_bytes + buffer.size_bytes);
      placed.push_back(buffer);
    }
    plan.buffers = std::move(placed);
  }

  static std::int64_t FirstGap(const memory::Buffer& buffer,
                               const std::vector<memory::Buffer>& buffers,
                               const std::vector<memory::Buffer>& placed) {
    std::vector<ByteRange> taken;
    for (const memory::Buffer& other : placed) {
      if (other.first < buffer.last && buffer.first < StorageEnd(other.value, buffers)) {
        taken.push_back({other.offset_bytes, other.offset_bytes + other.size_bytes});
      }
    }
    for (const ByteRange& gap : Subtract({0, INT64_MAX}, taken)) {
      if (gap.end - gap.begin >= buffer.size_bytes) return gap.begin;
    }
    return 0;
  }

  const ir::Model& model_;
  analysis::PosedProblem posed_;
};

}  // namespace opass::runtime
