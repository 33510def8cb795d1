#include "opass/memory/testing/byte_machine.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace opass::memory::testing {
namespace {

class Machine {
 public:
  Machine(const Problem& problem, const Plan& plan)
      : problem_(problem), plan_(plan), arena_(static_cast<std::size_t>(plan.arena_bytes)) {
    for (const Buffer& buffer : plan.buffers) {
      if (buffer.value.valid()) buffer_of_[buffer.value] = &buffer;
    }
  }

  bool Runs() {
    for (std::size_t i = 0; i < problem_.values.size(); ++i) {
      const bool waits = problem_.inputs == InputArrival::kFirstUse && IsRead(ValueId(i));
      if (!problem_.values[i].producer.valid() && !waits) Write(ValueId(i));
    }
    for (const OpId id : plan_.order) {
      if (!Step(id)) return false;
    }
    for (std::size_t i = 0; i < problem_.values.size(); ++i) {
      const Value& value = problem_.values[i];
      if ((value.is_output || value.is_preserved) && !Holds(ValueId(i))) return false;
    }
    return true;
  }

 private:
  struct Paint {
    std::size_t owner = 0;  // of a value: 1 + id; of a workspace: above all values
    std::int64_t byte = 0;
    bool operator==(const Paint&) const = default;
  };

  bool IsView(ValueId id) const {
    return problem_.value(id).view.has_value() && problem_.value(id).size_bytes > 0;
  }
  bool IsRead(ValueId id) const {
    return std::ranges::any_of(problem_.ops, [&](const Op& op) {
      return std::ranges::find(op.inputs, id) != op.inputs.end();
    });
  }
  ValueId Root(ValueId id) const { return IsView(id) ? Root(problem_.value(id).view->source) : id; }

  void Fill(std::int64_t offset, std::int64_t size, std::size_t owner) {
    for (std::int64_t i = 0; i < size; ++i) {
      arena_[static_cast<std::size_t>(offset + i)] = {owner, i};
    }
  }

  bool InArena(ValueId id) const { return problem_.value(id).in_arena; }

  void Write(ValueId id) {
    if (!InArena(id) || IsView(id)) return;
    const Buffer& buffer = *buffer_of_.at(id);
    if (buffer.last > 0) Fill(buffer.offset_bytes, buffer.size_bytes, id.index() + 1);
    arrived_.insert(id);
  }

  bool Shows(std::int64_t offset, std::int64_t size, std::size_t owner, std::int64_t byte) const {
    for (std::int64_t i = 0; i < size; ++i) {
      if (arena_[static_cast<std::size_t>(offset + i)] != Paint{owner, byte + i}) return false;
    }
    return true;
  }

  // The value's bytes are what its root was painted with, and the root is whole: storage lives and
  // dies together, up to the alignment.
  bool Holds(ValueId id) const {
    if (!InArena(id) || buffer_of_.at(id)->last == 0) return true;
    std::int64_t in_root = 0;
    for (ValueId at = id; IsView(at); at = problem_.value(at).view->source) {
      in_root += problem_.value(at).view->offset_bytes;
    }
    const std::size_t owner = Root(id).index() + 1;
    const Buffer& root = *buffer_of_.at(Root(id));
    return Shows(root.offset_bytes, root.size_bytes, owner, 0) &&
           Shows(buffer_of_.at(id)->offset_bytes, problem_.value(id).size_bytes, owner, in_root);
  }

  // All of the root but what `output` took over.
  bool HoldsRest(ValueId id, ValueId output) const {
    const Buffer& root = *buffer_of_.at(id);
    for (std::int64_t i = 0; i < root.size_bytes; ++i) {
      const Paint& paint = arena_[static_cast<std::size_t>(root.offset_bytes + i)];
      if (paint != Paint{id.index() + 1, i} && paint.owner != output.index() + 1) return false;
    }
    return true;
  }

  bool Step(OpId id) {
    const Op& op = problem_.op(id);
    for (const ValueId input : op.inputs) {
      if (!problem_.value(input).producer.valid() && !arrived_.contains(input)) Write(input);
    }
    const auto all_hold = [&](const std::vector<ValueId>& values) {
      return std::ranges::all_of(values, [&](ValueId value) {
        const auto taken = taken_.find(Root(value));
        return taken == taken_.end() ? Holds(value) : HoldsRest(Root(value), taken->second);
      });
    };
    taken_.clear();
    if (!all_hold(op.inputs)) return false;
    for (const ValueId output : op.outputs) {
      Write(output);
      if (!InArena(output) || buffer_of_.at(output)->alias_kind != AliasKind::kInPlace) continue;
      const ValueId root = Root(buffer_of_.at(output)->alias_of);
      if (!taken_.emplace(root, output).second) return false;
    }
    const std::size_t scratch = problem_.values.size() + 1;
    const auto workspace = std::ranges::find_if(
        plan_.buffers, [&](const Buffer& b) { return !b.value.valid() && b.workspace_of == id; });
    const bool needs_scratch = workspace != plan_.buffers.end();
    if (needs_scratch) Fill(workspace->offset_bytes, workspace->size_bytes, scratch);
    // A kernel may still read what it was given, and all it made is there together.
    return all_hold(op.inputs) && all_hold(op.outputs) &&
           needs_scratch == (op.workspace_bytes > 0) &&
           (!needs_scratch || Shows(workspace->offset_bytes, workspace->size_bytes, scratch, 0));
  }

  const Problem& problem_;
  const Plan& plan_;
  std::vector<Paint> arena_;
  std::map<ValueId, const Buffer*> buffer_of_;
  std::set<ValueId> arrived_;
  std::map<ValueId, ValueId> taken_;  // in this step: by root, the output that overwrites it
};

}  // namespace

bool RunsOnBytes(const Problem& problem, const Plan& plan) { return Machine(problem, plan).Runs(); }

std::int64_t BytesAtPeak(const Problem& problem, const Plan& plan) {
  std::map<ValueId, const Buffer*> buffer_of;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.value.valid()) buffer_of[buffer.value] = &buffer;
  }
  const std::int64_t steps = std::max<std::int64_t>(1, std::ssize(plan.order));
  std::size_t peak = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    std::vector<bool> owned(static_cast<std::size_t>(plan.arena_bytes));
    const auto own = [&](const Buffer& place) {
      for (std::int64_t i = 0; i < place.size_bytes; ++i) {
        owned[static_cast<std::size_t>(place.offset_bytes + i)] = true;
      }
    };
    for (const Buffer& buffer : plan.buffers) {
      if (!buffer.value.valid()) {
        if (buffer.first == step) own(buffer);
        continue;
      }
      const Buffer* root = &buffer;
      while (problem.value(root->value).view && problem.value(root->value).size_bytes > 0) {
        root = buffer_of.at(problem.value(root->value).view->source);
      }
      if (root->first <= step && step < buffer.last) own(*root);
    }
    peak = std::max(peak, static_cast<std::size_t>(std::ranges::count(owned, true)));
  }
  return static_cast<std::int64_t>(peak);
}

}  // namespace opass::memory::testing
