#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"
#include "opass/support/bytes.h"

namespace opass::memory::check {
namespace {

// What a certificate says, computed once more from the families.
class BoundChecker {
 public:
  explicit BoundChecker(const State& state) : state_(state), readers_(state.families.size()) {
    for (std::size_t i = 0; i < state.problem.ops.size(); ++i) {
      for (const std::size_t family : Read(OpId(i))) readers_[family].push_back(OpId(i));
    }
  }

  // The bytes live before the first or after the last step.
  std::int64_t Resident() const {
    std::int64_t before = 0;
    std::int64_t after = 0;
    for (std::size_t i = 0; i < state_.families.size(); ++i) {
      const Family& family = state_.families[i];
      if (family.kept) after += Size(i);
      if (state_.problem.value(family.root).producer.valid()) continue;
      const bool waits = state_.problem.inputs == InputArrival::kFirstUse && !readers_[i].empty();
      if (!waits && (family.kept || !readers_[i].empty())) before += Size(i);
    }
    return std::max(before, after);
  }

  // What the operator needs whenever it runs: as if nothing else were live and every input died.
  std::int64_t Operator(OpId id) const {
    std::int64_t bytes = OwnBytes(id);
    for (const std::size_t family : Read(id)) bytes += Size(family);
    return bytes - Gain(id, [&](std::size_t family) { return !state_.families[family].kept; });
  }

  // What running the operator costs when exactly the operators with `done` ran before.
  std::int64_t StepCost(OpId id, const std::vector<bool>& done) const {
    const auto read_by = [&](std::size_t family, auto predicate) {
      return std::any_of(readers_[family].begin(), readers_[family].end(), predicate);
    };
    const auto arrived = [&](std::size_t family) {
      const OpId producer = state_.problem.value(state_.families[family].root).producer;
      if (producer.valid()) return static_cast<bool>(done[producer.index()]);
      if (state_.problem.inputs == InputArrival::kResident) return true;
      return readers_[family].empty() ||
             read_by(family, [&](OpId reader) { return reader == id || done[reader.index()]; });
    };
    std::int64_t bytes = OwnBytes(id);
    for (std::size_t i = 0; i < state_.families.size(); ++i) {
      const bool needed =
          state_.families[i].kept || read_by(i, [&](OpId reader) { return !done[reader.index()]; });
      if (needed && arrived(i)) bytes += Size(i);
    }
    return bytes - Gain(id, [&](std::size_t family) {
             return !state_.families[family].kept && !read_by(family, [&](OpId reader) {
               return reader != id && !done[reader.index()];
             });
           });
  }

 private:
  std::int64_t Size(std::size_t family) const {
    return state_.buffer_of[state_.families[family].root.index()]->size_bytes;
  }

  bool HoldsBytes(ValueId id) const {
    return state_.problem.value(id).in_arena && state_.problem.value(id).size_bytes > 0;
  }

  std::vector<std::size_t> Read(OpId id) const {
    std::vector<std::size_t> families;
    for (const ValueId input : state_.problem.op(id).inputs) {
      if (HoldsBytes(input)) families.push_back(state_.family_of[input.index()]);
    }
    std::sort(families.begin(), families.end());
    families.erase(std::unique(families.begin(), families.end()), families.end());
    return families;
  }

  std::int64_t OwnBytes(OpId id) const {
    const Op& op = state_.problem.op(id);
    std::int64_t bytes = RoundUp(op.workspace_bytes, state_.problem.alignment);
    for (const ValueId output : op.outputs) {
      if (HoldsBytes(output) && !state_.IsView(output)) {
        bytes += RoundUp(state_.problem.value(output).size_bytes, state_.problem.alignment);
      }
    }
    return bytes;
  }

  bool Views(OpId id, std::size_t family) const {
    const std::vector<ValueId>& outputs = state_.problem.op(id).outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
      return state_.IsView(output) && state_.family_of[output.index()] == family;
    });
  }

  struct Taker {
    std::int64_t size_bytes = 0;
    std::vector<std::size_t> families;  // that it may take over
  };

  // The most that the outputs can take over: the largest first, moving earlier ones where needed.
  template <typename Dies>
  std::int64_t Gain(OpId id, Dies dies) const {
    if (!state_.plan.sharing.in_place) return 0;
    std::vector<Taker> takers;
    for (const ValueId output : state_.problem.op(id).outputs) {
      Taker taker;
      for (const InPlace& pair : state_.problem.op(id).in_place) {
        if (pair.output != output || !HoldsBytes(output) || !HoldsBytes(pair.input)) continue;
        const std::size_t family = state_.family_of[pair.input.index()];
        if (dies(family) && !Views(id, family)) taker.families.push_back(family);
      }
      if (taker.families.empty()) continue;
      taker.size_bytes = state_.buffer_of[output.index()]->size_bytes;
      takers.push_back(std::move(taker));
    }
    std::stable_sort(takers.begin(), takers.end(),
                     [](const Taker& a, const Taker& b) { return a.size_bytes > b.size_bytes; });
    return Match(takers);
  }

  static std::int64_t Match(const std::vector<Taker>& takers) {
    // The search recurses once an output; beyond this the bound counts every output as shared.
    constexpr std::size_t kMaxTakers = 2000;
    std::vector<std::pair<std::size_t, std::size_t>> owner;  // family, taker
    std::int64_t gain = 0;
    for (std::size_t i = 0; i < takers.size(); ++i) {
      std::vector<std::size_t> tried;
      if (takers.size() > kMaxTakers || Serve(takers, i, owner, tried))
        gain += takers[i].size_bytes;
    }
    return gain;
  }

  static bool Serve(const std::vector<Taker>& takers, std::size_t taker,
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

  const State& state_;
  std::vector<std::vector<OpId>> readers_;  // per family
};

Status CheckCut(const State& state, const BoundChecker& checker) {
  const Certificate& certificate = state.plan.certificate;
  const Problem& problem = state.problem;
  std::vector<bool> done(problem.ops.size(), false);
  for (const OpId id : certificate.executed) {
    if (id.index() >= problem.ops.size() || done[id.index()]) {
      return Refuse("the certificate's cut names an operator twice or an unknown one");
    }
    done[id.index()] = true;
  }
  const auto complete = [&](OpId id) {
    return std::all_of(problem.op(id).inputs.begin(), problem.op(id).inputs.end(),
                       [&](ValueId input) {
                         const OpId producer = problem.value(input).producer;
                         return !producer.valid() || done[producer.index()];
                       });
  };
  if (done[certificate.op.index()] || !complete(certificate.op)) {
    return Refuse("the operator cannot run in the certificate's cut",
                  problem.op(certificate.op).name);
  }
  for (const OpId id : certificate.executed) {
    if (!complete(id)) {
      return Refuse("the certificate's cut has it without its inputs", problem.op(id).name);
    }
  }
  const std::int64_t cost = checker.StepCost(certificate.op, done);
  if (certificate.bytes > cost) {
    return Refuse(fmt::format("the certificate claims {} bytes, its own cut needs {}",
                              certificate.bytes, cost));
  }
  return {};
}

Status CheckCertificate(const State& state) {
  const Certificate& certificate = state.plan.certificate;
  if (certificate.kind == Certificate::Kind::kNone) {
    if (certificate.bytes == 0) return {};
    return Refuse("the plan has a lower bound but no certificate");
  }
  const BoundChecker checker(state);
  if (certificate.kind != Certificate::Kind::kResident &&
      certificate.op.index() >= state.problem.ops.size()) {
    return Refuse("the certificate names an unknown operator");
  }
  if (certificate.kind == Certificate::Kind::kOperatorCut) return CheckCut(state, checker);
  const std::int64_t bytes = certificate.kind == Certificate::Kind::kResident
                                 ? checker.Resident()
                                 : checker.Operator(certificate.op);
  if (certificate.bytes > bytes) {
    return Refuse(
        fmt::format("the certificate claims {} bytes, it proves {}", certificate.bytes, bytes));
  }
  return {};
}

}  // namespace

Status CheckBound(const State& state) {
  const Plan& plan = state.plan;
  if (plan.lower_bound_bytes != plan.certificate.bytes) {
    return Refuse(fmt::format("lower_bound_bytes is {}, its certificate is for {}",
                              plan.lower_bound_bytes, plan.certificate.bytes));
  }
  if (plan.lower_bound_bytes < 0 || plan.lower_bound_bytes > plan.peak_bytes) {
    return Refuse(fmt::format("lower_bound_bytes is {}, yet the peak is {}", plan.lower_bound_bytes,
                              plan.peak_bytes));
  }
  if (plan.proven_optimal && plan.lower_bound_bytes != plan.peak_bytes) {
    return Refuse("it claims to be proven optimal, but its peak is not its lower bound");
  }
  return CheckCertificate(state);
}

}  // namespace opass::memory::check
