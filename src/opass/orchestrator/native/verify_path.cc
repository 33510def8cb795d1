#include "opass/orchestrator/native/verify_path.h"

#include <algorithm>
#include <set>
#include <utility>

#include "opass/orchestrator/native/changed_part.h"
#include "opass/orchestrator/native/reproducer.h"
#include "opass/support/interrupt.h"

namespace opass::orchestrator {
namespace {

class PathVerifier {
 public:
  PathVerifier(NativeDomain& domain, const VerifyPathOptions& options)
      : domain_(domain), options_(options) {}

  Result<PathVerdict> Run(std::vector<NativeStep> path) {
    result_.steps = std::move(path);
    // Every round but the last one bans an action, and the start has none.
    while (true) {
      OPASS_ASSIGN_OR_RETURN(const bool good, VerifyOnce());
      if (good) return std::move(result_);
      OPASS_RETURN_IF_ERROR(WalkWithoutBanned());
    }
  }

 private:
  // False when an action was banned.
  Result<bool> VerifyOnce() {
    const std::vector<NativeStep>& steps = result_.steps;
    result_.state = steps.empty() ? kStart : steps.back().to;
    result_.actions.clear();
    for (const NativeStep& step : steps) {
      OPASS_ASSIGN_OR_RETURN(const runtime::Verdict* verdict, VerdictOf(step));
      if (verdict->verified == false) {
        OPASS_RETURN_IF_ERROR(Ban(step, *verdict));
        return false;
      }
      result_.actions.push_back({step.what.shown.name, step.what.exactness(), *verdict, {}});
    }
    OPASS_ASSIGN_OR_RETURN(result_.whole, Whole(kStart, result_.state, ExactnessOf(steps)));
    if (result_.whole.verified != false || steps.empty()) return true;
    OPASS_ASSIGN_OR_RETURN(const std::size_t wrong, FirstWrong(steps));
    OPASS_RETURN_IF_ERROR(Ban(steps[wrong], result_.whole));
    return false;
  }

  static passes::Exactness ExactnessOf(const std::vector<NativeStep>& steps) {
    passes::Exactness exactness = passes::Exactness::kExact;
    for (const NativeStep& step : steps) exactness = std::max(exactness, step.what.exactness());
    return exactness;
  }

  runtime::VerifyOptions OptionsFor(passes::Exactness exactness) const {
    runtime::VerifyOptions verify;
    verify.exact = exactness == passes::Exactness::kExact;
    verify.inner_values = true;
    verify.inputs.seed = options_.inputs.seed;
    verify.num_runs = options_.num_runs;
    verify.threads = options_.threads;
    return verify;
  }

  Result<runtime::Verdict> Whole(StateId from, StateId to, passes::Exactness exactness) {
    runtime::VerifyOptions verify = OptionsFor(exactness);
    verify.inputs = options_.inputs;
    verify.inner_values = options_.inner_values;
    OPASS_ASSIGN_OR_RETURN(const auto before, domain_.ModelOf(from));
    OPASS_ASSIGN_OR_RETURN(const auto after, domain_.ModelOf(to));
    return runtime::VerifyModels(*before, *after, verify);
  }

  // What one action changed. A part that cannot be judged by itself, or seems wrong on made-up
  // inputs, is judged in its model.
  Result<const runtime::Verdict*> VerdictOf(const NativeStep& step) {
    const auto [entry, is_new] = verdicts_.try_emplace({step.from, step.to});
    if (!is_new) return &entry->second;
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    OPASS_ASSIGN_OR_RETURN(const auto before, domain_.ModelOf(step.from));
    OPASS_ASSIGN_OR_RETURN(const auto after, domain_.ModelOf(step.to));
    const passes::Exactness exactness = step.what.exactness();
    if (const auto part = FindChangedPart(*before, *after); part && step.what.opset == 0) {
      OPASS_ASSIGN_OR_RETURN(
          entry->second, runtime::VerifyModels(part->before, part->after, OptionsFor(exactness)));
    }
    if (entry->second.verified != true) {
      OPASS_ASSIGN_OR_RETURN(entry->second, Whole(step.from, step.to, exactness));
    }
    return &entry->second;
  }

  // The step after which the model no longer computes what the start does.
  Result<std::size_t> FirstWrong(const std::vector<NativeStep>& steps) {
    std::size_t good = 0;  // so many steps are right
    std::size_t bad = steps.size();
    while (good + 1 < bad) {
      const std::size_t middle = good + (bad - good) / 2;
      const std::vector<NativeStep> some(steps.begin(),
                                         steps.begin() + static_cast<std::ptrdiff_t>(middle));
      OPASS_ASSIGN_OR_RETURN(const runtime::Verdict verdict,
                             Whole(kStart, some.back().to, ExactnessOf(some)));
      (verdict.verified == false ? bad : good) = middle;
    }
    return bad - 1;
  }

  Status Ban(const NativeStep& step, const runtime::Verdict& verdict) {
    banned_.insert(step.what.shown.name);
    ActionVerdict removed{step.what.shown.name, step.what.exactness(), verdict, {}};
    if (!options_.reproducer_folder.empty()) {
      OPASS_ASSIGN_OR_RETURN(const auto before, domain_.ModelOf(step.from));
      OPASS_ASSIGN_OR_RETURN(const auto part,
                             FindWrongPart(*before, step.what, OptionsFor(step.what.exactness())));
      if (part) {
        OPASS_ASSIGN_OR_RETURN(
            removed.reproducers,
            WriteReproducer(*part, options_.reproducer_folder, step.what.shown.pass));
      }
    }
    result_.removed.push_back(std::move(removed));
    return {};
  }

  // The same actions again, but for those that are banned. When the state that this leads to was
  // first reached by one of them, its graph is no use, and the start remains.
  Status WalkWithoutBanned() {
    const std::vector<NativeStep> before = std::move(result_.steps);
    result_.steps.clear();
    StateId at = kStart;
    for (const NativeStep& step : before) {
      if (banned_.contains(step.what.shown.name)) continue;
      OPASS_ASSIGN_OR_RETURN(const auto actions, domain_.Propose(at));
      const auto same = std::ranges::find(actions, step.what.shown.name, &Action::name);
      const auto action = static_cast<std::size_t>(same - actions.begin());
      std::optional<StateId> next;
      if (same != actions.end()) {
        OPASS_ASSIGN_OR_RETURN(next, domain_.Apply(at, action));
      }
      if (!next) {
        AddMissing(step);
        continue;
      }
      OPASS_ASSIGN_OR_RETURN(NativeStep again, domain_.StepOf(at, action));
      result_.steps.push_back(std::move(again));
      at = *next;
    }
    if (!IsMadeByBanned(at)) return {};
    for (const NativeStep& step : result_.steps) AddMissing(step);
    result_.steps.clear();
    return {};
  }

  bool IsMadeByBanned(StateId state) const {
    return std::ranges::any_of(domain_.PathTo(state), [&](const NativeStep& step) {
      return banned_.contains(step.what.shown.name);
    });
  }

  void AddMissing(const NativeStep& step) {
    runtime::Verdict verdict;
    verdict.message = "cannot be done without what was taken off";
    result_.removed.push_back(
        {step.what.shown.name, step.what.exactness(), std::move(verdict), {}});
  }

  NativeDomain& domain_;
  const VerifyPathOptions& options_;
  PathVerdict result_;
  std::map<std::pair<StateId, StateId>, runtime::Verdict> verdicts_;
  std::set<std::string> banned_;  // names of actions
};

}  // namespace

Result<PathVerdict> VerifyPath(NativeDomain& domain, std::vector<NativeStep> path,
                               const VerifyPathOptions& options) {
  return PathVerifier(domain, options).Run(std::move(path));
}

}  // namespace opass::orchestrator
