#include "opass/memory/check_cut.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace opass::memory::check {
namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max() / 2;
constexpr std::uint64_t kMaxWork = 2'000'000'000;  // arcs looked at: seconds
constexpr std::size_t kMaxCandidates = 6;          // all subsets of them are tried

// A cut of a network: the operators on the side of the source ran before.
class Network {
 public:
  explicit Network(std::size_t nodes) : arcs_of_(nodes) {}

  std::size_t AddNode() {
    arcs_of_.emplace_back();
    return arcs_of_.size() - 1;
  }

  void AddArc(std::size_t from, std::size_t to, std::int64_t capacity) {
    if (from == to) return;
    arcs_of_[from].push_back(arcs_.size());
    arcs_.push_back({to, capacity});
    arcs_of_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
  }

  // Pushes flow along shortest paths until `enough` flows, or all that can. Every flow is a lower
  // bound of the cut. None: out of work.
  std::optional<std::int64_t> Flow(std::size_t source, std::size_t sink, std::int64_t enough,
                                   std::uint64_t& work) {
    std::int64_t flow = 0;
    while (flow < enough) {
      if (work > kMaxWork) return std::nullopt;
      const std::int64_t more = Augment(source, sink, work);
      if (more == 0) break;
      flow += more;
    }
    return flow;
  }

 private:
  struct Arc {
    std::size_t to;
    std::int64_t left;
  };
  static constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);

  std::int64_t Augment(std::size_t source, std::size_t sink, std::uint64_t& work) {
    std::vector<std::size_t> came_by(arcs_of_.size(), kUnseen);
    std::vector<std::size_t> queue{source};
    for (std::size_t i = 0; i < queue.size() && came_by[sink] == kUnseen; ++i) {
      work += arcs_of_[queue[i]].size();
      for (const std::size_t arc : arcs_of_[queue[i]]) {
        const std::size_t to = arcs_[arc].to;
        if (arcs_[arc].left == 0 || to == source || came_by[to] != kUnseen) continue;
        came_by[to] = arc;
        queue.push_back(to);
      }
    }
    if (came_by[sink] == kUnseen) return 0;
    std::int64_t least = kInfinite;
    for (std::size_t at = sink; at != source; at = arcs_[came_by[at] ^ 1].to) {
      least = std::min(least, arcs_[came_by[at]].left);
    }
    for (std::size_t at = sink; at != source; at = arcs_[came_by[at] ^ 1].to) {
      arcs_[came_by[at]].left -= least;
      arcs_[came_by[at] ^ 1].left += least;
    }
    return least;
  }

  std::vector<Arc> arcs_;  // an arc and its reverse are neighbours
  std::vector<std::vector<std::size_t>> arcs_of_;
};

class CutFinder {
 public:
  CutFinder(const Recount& recount, OpId op) : recount_(recount), op_(op) {
    const Problem& problem = recount.state().problem;
    after_.assign(problem.ops.size(), false);
    after_[op.index()] = true;
    for (std::size_t i = op.index() + 1; i < problem.ops.size(); ++i) {
      for (const ValueId input : problem.ops[i].inputs) {
        const OpId producer = problem.value(input).producer;
        if (producer.valid() && after_[producer.index()]) after_[i] = true;
      }
    }
  }

  // The least live bytes when `op` runs and `dying` die at it, all their other readers being done;
  // or a number >= `enough`. kInfinite when that cannot be, none when out of work.
  std::optional<std::int64_t> LeastLive(const std::vector<std::size_t>& dying, std::int64_t enough,
                                        std::uint64_t& work) const {
    const Problem& problem = recount_.state().problem;
    std::vector<bool> before(problem.ops.size(), false);
    before[op_.index()] = true;  // for its producers; it is in `after_` itself
    for (const std::size_t family : dying) {
      for (const OpId reader : recount_.readers(family)) before[reader.index()] = true;
    }
    for (std::size_t i = problem.ops.size(); i-- > 0;) {
      if (!before[i]) continue;
      if (after_[i] && i != op_.index()) return kInfinite;
      for (const ValueId input : problem.ops[i].inputs) {
        const OpId producer = problem.value(input).producer;
        if (producer.valid()) before[producer.index()] = true;
      }
    }
    // The source and all that must have run are node 0, what must not is node 1.
    std::vector<std::size_t> node(problem.ops.size());
    std::size_t nodes = 2;
    for (std::size_t i = 0; i < node.size(); ++i) {
      node[i] = after_[i] ? 1 : before[i] ? 0 : nodes++;
    }
    Network network(nodes);
    const std::int64_t always = Build(node, network);
    const std::optional<std::int64_t> flow = network.Flow(0, 1, enough - always, work);
    return flow ? std::optional(always + *flow) : std::nullopt;
  }

 private:
  // Fills the network; returns the bytes of families that are live in every state.
  std::int64_t Build(const std::vector<std::size_t>& node, Network& network) const {
    const State& state = recount_.state();
    for (std::size_t i = 0; i < node.size(); ++i) {
      for (const ValueId input : state.problem.ops[i].inputs) {
        const OpId producer = state.problem.value(input).producer;
        if (producer.valid()) network.AddArc(node[i], node[producer.index()], kInfinite);
      }
    }
    std::int64_t always = 0;
    for (std::size_t family = 0; family < state.families.size(); ++family) {
      if (recount_.SizeOf(family) > 0) always += AddFamily(family, node, network);
    }
    return always;
  }

  // A family is live when it has come (`from` on the source's side) and is not over (`to` on the
  // sink's).
  std::int64_t AddFamily(std::size_t family, const std::vector<std::size_t>& node,
                         Network& network) const {
    const State& state = recount_.state();
    const std::vector<OpId>& readers = recount_.readers(family);
    const OpId producer = state.problem.value(state.families[family].root).producer;
    const bool kept = state.families[family].kept;
    if (readers.empty() && !kept) return 0;  // an output that nobody reads
    const bool read_now = std::find(readers.begin(), readers.end(), op_) != readers.end();
    std::size_t from = producer.valid() ? node[producer.index()] : 0;
    if (recount_.Waits(family) && !read_now) {
      from = network.AddNode();
      for (const OpId reader : readers) network.AddArc(node[reader.index()], from, kInfinite);
    }
    const bool last_to_end = kept || std::any_of(readers.begin(), readers.end(), [&](OpId reader) {
                               return node[reader.index()] == 1;
                             });
    std::size_t to = 1;
    if (!last_to_end) {
      to = network.AddNode();
      for (const OpId reader : readers) network.AddArc(to, node[reader.index()], kInfinite);
    }
    if (from == 0 && to == 1) return recount_.SizeOf(family);
    network.AddArc(from, to, recount_.SizeOf(family));
    return 0;
  }

  const Recount& recount_;
  OpId op_;
  std::vector<bool> after_;  // per operator: op_ and all that need it
};

}  // namespace

std::optional<std::int64_t> CheapestStep(const Recount& recount, OpId op, std::int64_t claimed) {
  const CutFinder finder(recount, op);
  const std::int64_t own = recount.OwnBytes(op);
  std::uint64_t work = 0;
  const auto gain = [&](const std::vector<std::size_t>& dying) {
    return recount.Gain(op, [&](std::size_t family) {
      return std::find(dying.begin(), dying.end(), family) != dying.end();
    });
  };
  std::vector<std::size_t> candidates = recount.Candidates(op);
  std::erase_if(candidates, [&](std::size_t family) {  // those that cannot die at `op`
    return finder.LeastLive({family}, 0, work) == kInfinite;
  });
  const std::int64_t most_gain = gain(candidates);
  const auto live = finder.LeastLive({}, claimed - own + most_gain, work);
  if (!live) return std::nullopt;
  // As if the outputs took over all they can in every state: enough for most claims.
  const std::int64_t proved = own + *live - most_gain;
  if (proved >= claimed || candidates.empty()) return proved;
  const bool one_output = recount.NumTakers(op) == 1;
  if (!one_output && candidates.size() > kMaxCandidates) return proved;
  // Of one output it does not matter how many of them die, but that one does.
  std::vector<std::vector<std::size_t>> dying_sets{{}};
  for (const std::size_t candidate : candidates) {
    const std::size_t count = one_output ? 1 : dying_sets.size();
    for (std::size_t i = 0; i < count; ++i) {
      dying_sets.push_back(dying_sets[i]);
      dying_sets.back().push_back(candidate);
    }
  }
  std::int64_t least = kInfinite;
  for (const std::vector<std::size_t>& dying : dying_sets) {
    const std::int64_t saved = gain(dying);
    const auto bytes = finder.LeastLive(dying, claimed - own + saved, work);
    if (!bytes) return std::nullopt;
    if (*bytes < kInfinite) least = std::min(least, own + *bytes - saved);
  }
  return least;
}

}  // namespace opass::memory::check
