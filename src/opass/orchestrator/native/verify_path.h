#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opass/orchestrator/native/native_domain.h"
#include "opass/runtime/verify.h"

// What a search found is executed before anybody relies on it (docs/verification.md).
namespace opass::orchestrator {

struct VerifyPathOptions {
  runtime::InputOptions inputs;  // of the whole model
  int num_runs = 2;              // seeds
  int threads = 1;
  bool inner_values = true;  // of the whole model; of the changed parts all values are compared
  // Where models that show what a wrong action does are written; empty: nowhere.
  std::string reproducer_folder;
};

// What is known of one action.
struct ActionVerdict {
  std::string name;
  passes::Exactness exactness = passes::Exactness::kExact;
  // Of what it rewrote, cut out and executed by itself, or else of the whole model before and
  // after it. Within the bound of its exactness.
  runtime::Verdict verdict;
  std::vector<std::string> reproducers;  // files
};

struct PathVerdict {
  StateId state;                       // verified: without the actions that are wrong
  std::vector<NativeStep> steps;       // on the way to `state`
  std::vector<ActionVerdict> actions;  // of `steps`
  std::vector<ActionVerdict> removed;  // wrong ones, and those that could not be done without them
  runtime::Verdict whole;              // of `state` against the start
};

// Verifies every action of the path, which begins at the start, by itself, then the whole. Where
// something differs, the action is taken off the path, and the rest is verified again; at worst the
// start remains. Errors: of the domain, interrupted.
Result<PathVerdict> VerifyPath(NativeDomain& domain, std::vector<NativeStep> path,
                               const VerifyPathOptions& options);

}  // namespace opass::orchestrator
