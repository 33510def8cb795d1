#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/support/id.h"
#include "opass/support/result.h"

// What a search over passes needs to know of a graph and its passes: nothing but this. Our own
// passes on our own graph are one domain, another compiler's passes on its modules another.
namespace opass::orchestrator {

// A graph that the search has reached. Equal graphs have the same id, in a domain's whole life, so
// that cycles and repeats cost nothing. Ids are dense, in the order in which states were reached.
using StateId = Id<struct StateTag>;
inline constexpr StateId kStart{0};  // the input graph

// One step of a search.
struct Action {
  std::string name;  // readable, unique in its state: "fuse_activations: HardSwish at Mul_12"
  std::string pass;  // whose it is: "fuse_activations"
  // What is learnt of one action is expected of all of its kind: the same pass at sites that look
  // alike has the same kind in every state. A state may list several actions of one kind.
  std::uint64_t kind = 0;
  // How many places it rewrites at once; 0: not known (a black box).
  std::int64_t num_sites = 0;
};

// What a state costs once it is scheduled; compared from the first to the last.
struct Cost {
  std::int64_t peak_bytes = 0;
  // A p-norm of the memory at every step, at most the peak: equal peaks have a slope by it.
  double norm_bytes = 0;
  std::int64_t extra_macs = 0;  // over the start's; may be negative
  std::int64_t num_nodes = 0;

  friend auto operator<=>(const Cost&, const Cost&) = default;
};

// What a state costs at least, known without a schedule.
struct Bound {
  std::int64_t peak_bytes = 0;  // no order has a lower peak
  std::int64_t extra_macs = 0;  // as in Cost
};

enum class Effort {
  kQuick,  // any real schedule, soon
  kFull,   // the schedule that the result would have; its peak is at most kQuick's
};

// Calls come from one thread. An Error ends the search: a step that turns out to be impossible is
// no error but "no change".
class PassDomain {
 public:
  virtual ~PassDomain() = default;

  // What can be tried on this state, in an order that does not depend on what was tried before:
  // the same list at every call. A domain of black boxes lists all its passes, always.
  virtual Result<std::vector<Action>> Propose(StateId state) = 0;
  // The state that the action of this index in Propose(state) leads to; nothing when it changes
  // nothing, or failed. A state that is not kept in memory may be made again from its first path.
  virtual Result<std::optional<StateId>> Apply(StateId state, std::size_t action) = 0;
  virtual Result<Bound> LowerBound(StateId state) = 0;  // cheap
  virtual Result<Cost> Evaluate(StateId state, Effort effort) = 0;

  // Names of passes in an order in which a compiler would run each of them once, as far as it goes.
  // Passes that pay only here and there (copies, partial sums) are not among them.
  virtual std::vector<std::string> DefaultOrder() const = 0;
};

}  // namespace opass::orchestrator
