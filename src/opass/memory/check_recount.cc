#include "opass/memory/check_recount.h"

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::memory::check {

Recount::Recount(const State& state) : state_(state), readers_(state.families.size()) {
  for (std::size_t i = 0; i < state.problem.ops.size(); ++i) {
    for (const std::size_t family : ReadBy(OpId(i))) readers_[family].push_back(OpId(i));
  }
}

std::int64_t Recount::SizeOf(std::size_t family) const {
  return state_.buffer_of[state_.families[family].root.index()]->size_bytes;
}

bool Recount::Waits(std::size_t family) const {
  return !state_.problem.value(state_.families[family].root).producer.valid() &&
         state_.problem.inputs == InputArrival::kFirstUse && !readers_[family].empty();
}

bool Recount::HoldsBytes(ValueId id) const {
  return state_.problem.value(id).in_arena && state_.problem.value(id).size_bytes > 0;
}

std::vector<std::size_t> Recount::ReadBy(OpId id) const {
  std::vector<std::size_t> families;
  for (const ValueId input : state_.problem.op(id).inputs) {
    if (HoldsBytes(input)) families.push_back(state_.family_of[input.index()]);
  }
  std::sort(families.begin(), families.end());
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return families;
}

std::int64_t Recount::OwnBytes(OpId id) const {
  const Op& op = state_.problem.op(id);
  std::int64_t bytes = WorkspaceBytes(id);
  for (const ValueId output : op.outputs) {
    if (HoldsBytes(output) && !state_.IsView(output)) {
      bytes += RoundUp(state_.problem.value(output).size_bytes, state_.problem.alignment);
    }
  }
  return bytes;
}

std::int64_t Recount::WorkspaceBytes(OpId id) const {
  return RoundUp(state_.problem.op(id).workspace_bytes, state_.problem.alignment);
}

bool Recount::Views(OpId id, std::size_t family) const {
  const std::vector<ValueId>& outputs = state_.problem.op(id).outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
    return state_.IsView(output) && state_.family_of[output.index()] == family;
  });
}

std::vector<Recount::Taker> Recount::Takers(OpId id,
                                            const std::function<bool(std::size_t)>& dies) const {
  std::vector<Taker> takers;
  if (!state_.plan.sharing.in_place) return takers;
  for (const ValueId output : state_.problem.op(id).outputs) {
    Taker taker;
    for (const InPlace& pair : state_.problem.op(id).in_place) {
      if (pair.output != output || !HoldsBytes(output) || !HoldsBytes(pair.input)) continue;
      const std::size_t family = state_.family_of[pair.input.index()];
      if (state_.families[family].kept || Views(id, family) || !dies(family)) continue;
      taker.families.push_back(family);
    }
    if (taker.families.empty()) continue;
    taker.size_bytes = state_.buffer_of[output.index()]->size_bytes;
    takers.push_back(std::move(taker));
  }
  return takers;
}

std::vector<std::size_t> Recount::Candidates(OpId id) const {
  std::vector<std::size_t> families;
  for (const Taker& taker : Takers(id, [](std::size_t) { return true; })) {
    families.insert(families.end(), taker.families.begin(), taker.families.end());
  }
  std::sort(families.begin(), families.end());
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return families;
}

std::size_t Recount::NumTakers(OpId id) const {
  return Takers(id, [](std::size_t) { return true; }).size();
}

// The largest first, moving earlier ones where needed.
std::int64_t Recount::Gain(OpId id, const std::function<bool(std::size_t)>& dies) const {
  std::vector<Taker> takers = Takers(id, dies);
  std::stable_sort(takers.begin(), takers.end(),
                   [](const Taker& a, const Taker& b) { return a.size_bytes > b.size_bytes; });
  return Match(takers);
}

std::int64_t Recount::Match(const std::vector<Taker>& takers) {
  // The search recurses once an output; beyond this the bound counts every output as shared.
  constexpr std::size_t kMaxTakers = 2000;
  std::vector<std::pair<std::size_t, std::size_t>> owner;  // family, taker
  std::int64_t gain = 0;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    std::vector<std::size_t> tried;
    if (takers.size() > kMaxTakers || Serve(takers, i, owner, tried)) gain += takers[i].size_bytes;
  }
  return gain;
}

bool Recount::Serve(const std::vector<Taker>& takers, std::size_t taker,
                    std::vector<std::pair<std::size_t, std::size_t>>& owner,
                    std::vector<std::size_t>& tried) {
  for (const std::size_t family : takers[taker].families) {
    if (std::find(tried.begin(), tried.end(), family) != tried.end()) continue;
    tried.push_back(family);
    const auto held = std::find_if(owner.begin(), owner.end(),
                                   [&](const auto& pair) { return pair.first == family; });
    if (held == owner.end()) {
      owner.emplace_back(family, taker);
      return true;
    }
    const std::size_t index = static_cast<std::size_t>(held - owner.begin());
    if (Serve(takers, owner[index].second, owner, tried)) {
      owner[index].second = taker;
      return true;
    }
  }
  return false;
}

std::int64_t Recount::Operator(OpId id, const std::vector<bool>& allowed) const {
  std::int64_t bytes = OwnBytes(id);
  for (const std::size_t family : ReadBy(id)) bytes += SizeOf(family);
  return bytes - MostGain(id, allowed);
}

std::int64_t Recount::MostGain(OpId id, const std::vector<bool>& allowed) const {
  return Gain(id, [&](std::size_t family) {
    return std::all_of(readers_[family].begin(), readers_[family].end(),
                       [&](OpId reader) { return bool{allowed[reader.index()]}; });
  });
}

std::int64_t Recount::StepCost(OpId id, const std::vector<bool>& done) const {
  const auto any_reader = [&](std::size_t family, const std::function<bool(OpId)>& predicate) {
    return std::any_of(readers_[family].begin(), readers_[family].end(), predicate);
  };
  const auto arrived = [&](std::size_t family) {
    const OpId producer = state_.problem.value(state_.families[family].root).producer;
    if (producer.valid()) return static_cast<bool>(done[producer.index()]);
    return !Waits(family) ||
           any_reader(family, [&](OpId reader) { return reader == id || done[reader.index()]; });
  };
  std::int64_t bytes = OwnBytes(id);
  for (std::size_t i = 0; i < state_.families.size(); ++i) {
    const bool needed = state_.families[i].kept ||
                        any_reader(i, [&](OpId reader) { return !done[reader.index()]; });
    if (needed && arrived(i)) bytes += SizeOf(i);
  }
  return bytes - Gain(id, [&](std::size_t family) {
           return !any_reader(family,
                              [&](OpId reader) { return reader != id && !done[reader.index()]; });
         });
}

}  // namespace opass::memory::check
