#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/orchestrator/pass_domain.h"
#include "opass/passes/action.h"

// What a search can do with our own graph.
namespace opass::orchestrator {

// Raises the operator set of the model: fusions need later ones than many files have.
inline constexpr std::string_view kRaiseOpset = "raise_opset";

struct ActionOptions {
  passes::Exactness most = passes::Exactness::kReassociates;  // passes beyond it are not used
  std::vector<std::string> disabled;                          // names of passes
  std::int64_t max_opset = 0;                                 // operator sets are not raised above
  bool macros = true;  // also actions at several sites at once; off to measure what they are worth
  std::vector<const passes::Pass*> more;  // beside those of passes::Passes()
};

struct NativeAction {
  Action shown;
  // Without a pass: raises the operator set to `opset`.
  passes::Action rewrite;
  bool is_everywhere = false;  // the pass as far as it goes, not only at the sites found now
  std::int64_t opset = 0;

  passes::Exactness exactness() const {
    return rewrite.pass == nullptr ? passes::Exactness::kExact : rewrite.pass->exactness;
  }
};

// All actions on the graph: of each pass first what rewrites most, then the sites one by one, those
// first that touch what is live at the peak (`at_peak`, by ir::ValueId). Actions of one kind are
// the same pass at sites of the same signature: all at once, one that touches the peak, or one that
// does not.
std::vector<NativeAction> ProposeActions(const ir::Model& model, const std::vector<bool>& at_peak,
                                         const ActionOptions& options);

// Applies it and cleans up behind it. False when it is not legal; the graph may be changed then.
Result<bool> ApplyAction(ir::Model& model, const NativeAction& action);

// A model of dead nodes and those that do nothing freed.
Status CleanUp(ir::Model& model);

// Passes that a compiler would run, each as far as it goes, in this order: those that prepare
// others come first, and folding last, because it eats what others look for.
std::vector<std::string> NormalizingPasses();

}  // namespace opass::orchestrator
