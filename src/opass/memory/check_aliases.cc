#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"

namespace opass::memory::check {
namespace {

void MakeFamilies(State& state) {
  const Problem& problem = state.problem;
  state.family_of.assign(problem.values.size(), 0);
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (state.buffer_of[i] == nullptr || state.IsView(ValueId(i))) continue;
    state.family_of[i] = state.families.size();
    Family family;
    family.root = ValueId(i);
    family.first = state.buffer_of[i]->first;
    state.families.push_back(std::move(family));
  }
  // In file order the source of a view is known before the view.
  for (const Op& op : problem.ops) {
    for (const ValueId output : op.outputs) {
      if (!state.IsView(output)) continue;
      const ValueId source = problem.value(output).view->source;
      state.family_of[output.index()] = state.family_of[source.index()];
    }
  }
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (state.buffer_of[i] == nullptr) continue;
    Family& family = state.families[state.family_of[i]];
    family.members.push_back(ValueId(i));
    family.last = std::max(family.last, state.buffer_of[i]->last);
    family.kept = family.kept || problem.values[i].is_output || problem.values[i].is_preserved;
  }
}

Status CheckView(const State& state, const Buffer& buffer) {
  const Value& value = state.problem.value(buffer.value);
  if (!state.plan.sharing.view || !value.view || value.view->source != buffer.alias_of) {
    return Refuse("the problem has no such view", value.name);
  }
  const Buffer& source = *state.buffer_of[buffer.alias_of.index()];
  const std::int64_t offset = source.offset_bytes + value.view->offset_bytes;
  if (buffer.offset_bytes != offset) {
    return Refuse(fmt::format("as a view its offset is {}, not {}", offset, buffer.offset_bytes),
                  value.name);
  }
  return {};
}

// The source dies at this very step, through all its aliases.
Status CheckSourceDies(const State& state, const Buffer& buffer) {
  const Family& family = state.families[state.family_of[buffer.alias_of.index()]];
  const std::string& name = state.name(buffer.value);
  if (family.kept) {
    return Refuse(fmt::format("it overwrites '{}', an output or a preserved input",
                              state.name(buffer.alias_of)),
                  name);
  }
  for (const ValueId member : family.members) {
    if (state.buffer_of[member.index()]->last > buffer.first + 1) {
      return Refuse(fmt::format("it overwrites '{}', and '{}' is read later",
                                state.name(buffer.alias_of), state.name(member)),
                    name);
    }
    if (state.buffer_of[member.index()]->first == buffer.first && state.IsView(member)) {
      return Refuse(fmt::format("it overwrites '{}', of which the operator makes the view '{}'",
                                state.name(buffer.alias_of), state.name(member)),
                    name);
    }
  }
  return {};
}

Status CheckInPlace(const State& state, const Buffer& buffer) {
  const Value& value = state.problem.value(buffer.value);
  const std::vector<InPlace>& pairs = state.problem.op(value.producer).in_place;
  const bool allowed = std::any_of(pairs.begin(), pairs.end(), [&](const InPlace& pair) {
    return pair.output == buffer.value && pair.input == buffer.alias_of;
  });
  if (!state.plan.sharing.in_place || !allowed) {
    return Refuse("the problem does not allow this in-place", value.name);
  }
  const Buffer& source = *state.buffer_of[buffer.alias_of.index()];
  if (buffer.offset_bytes != source.offset_bytes) {
    return Refuse(
        fmt::format("in place its offset is {}, not {}", source.offset_bytes, buffer.offset_bytes),
        value.name);
  }
  return CheckSourceDies(state, buffer);
}

Status CheckAlias(const State& state, const Buffer& buffer) {
  const std::string& name = state.name(buffer.value);
  if (buffer.alias_kind == AliasKind::kNone) {
    if (buffer.alias_of.valid()) return Refuse("alias_of without an alias_kind", name);
    if (state.IsView(buffer.value)) return Refuse("it must be a view, and is none", name);
    return {};
  }
  if (buffer.alias_kind == AliasKind::kConcatSlice) {
    return Refuse("the problem has no such concat slice", name);
  }
  if (buffer.alias_of.index() >= state.problem.values.size() ||
      state.buffer_of[buffer.alias_of.index()] == nullptr) {
    return Refuse("it is an alias of nothing", name);
  }
  if (!state.problem.value(buffer.value).producer.valid()) {
    return Refuse("an input is an alias of nobody", name);
  }
  if (buffer.alias_kind == AliasKind::kView) return CheckView(state, buffer);
  return CheckInPlace(state, buffer);
}

}  // namespace

Status CheckAliases(State& state) {
  MakeFamilies(state);
  std::vector<ValueId> taken_by(state.families.size());
  for (const Buffer& buffer : state.plan.buffers) {
    if (!buffer.value.valid()) continue;
    OPASS_RETURN_IF_ERROR(CheckAlias(state, buffer));
    if (buffer.alias_kind != AliasKind::kInPlace) continue;
    ValueId& taker = taken_by[state.family_of[buffer.alias_of.index()]];
    if (taker.valid()) {
      return Refuse(fmt::format("it overwrites the same bytes as '{}'", state.name(taker)),
                    state.name(buffer.value));
    }
    taker = buffer.value;
  }
  return {};
}

}  // namespace opass::memory::check
