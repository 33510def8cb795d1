#include "opass/memory/check_least_live.h"

#include <algorithm>

namespace opass::memory::check {
namespace {

class Finder {
 public:
  Finder(const Recount& recount, OpId running, Between between, std::uint64_t& work)
      : recount_(recount),
        op_(running),
        before_(std::move(between.executed)),
        edges_(between.edges) {
    if (op_.valid()) {
      before_[op_.index()] = true;  // for its producers; it waits itself
      between.allowed[op_.index()] = false;
    }
    after_ = between.allowed;
    after_.flip();
    // File order is topological, but the edges need not agree with it.
    do {
      Spread();
      work += after_.size() + edges_.size();
    } while (SpreadAlongEdges() && work <= kMaxWork);
  }

  std::optional<std::int64_t> Run(std::int64_t enough, std::uint64_t& work) const {
    // A cut: the operators on the side of the source ran before. The source and all that must have
    // run are node 0, what must not is node 1.
    std::vector<std::size_t> node(after_.size());
    std::size_t nodes = 2;
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (before_[i] && after_[i] && OpId(i) != op_) return kInfinite;
      node[i] = after_[i] ? 1 : before_[i] ? 0 : nodes++;
    }
    work += recount_.state().families.size();
    Network network(nodes);
    const std::int64_t always = Build(node, network);
    const std::optional<std::int64_t> flow = network.Flow(0, 1, enough - always, work);
    return flow ? std::optional(always + *flow) : std::nullopt;
  }

 private:
  // Before an operator runs all that it needs, after one all that need it.
  void Spread() {
    const Problem& problem = recount_.state().problem;
    for (std::size_t i = before_.size(); i-- > 0;) {
      if (!before_[i]) continue;
      for (const ValueId input : problem.ops[i].inputs) {
        const OpId producer = problem.value(input).producer;
        if (producer.valid()) before_[producer.index()] = true;
      }
    }
    for (std::size_t i = 0; i < after_.size(); ++i) {
      for (const ValueId input : problem.ops[i].inputs) {
        const OpId producer = problem.value(input).producer;
        if (producer.valid() && after_[producer.index()]) after_[i] = true;
      }
    }
  }

  bool SpreadAlongEdges() {
    bool more = false;
    for (const Bound::Edge& edge : edges_) {
      if (before_[edge.then.index()] && !before_[edge.first.index()]) {
        before_[edge.first.index()] = more = true;
      }
      if (after_[edge.first.index()] && !after_[edge.then.index()]) {
        after_[edge.then.index()] = more = true;
      }
    }
    return more;
  }

  // Fills the network; returns the bytes of families that are live in every state.
  std::int64_t Build(const std::vector<std::size_t>& node, Network& network) const {
    const State& state = recount_.state();
    for (std::size_t i = 0; i < node.size(); ++i) {
      for (const ValueId input : state.problem.ops[i].inputs) {
        const OpId producer = state.problem.value(input).producer;
        if (producer.valid()) network.AddArc(node[i], node[producer.index()], kInfinite);
      }
    }
    for (const Bound::Edge& edge : edges_) {
      network.AddArc(node[edge.then.index()], node[edge.first.index()], kInfinite);
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
  std::vector<bool> before_;  // per operator: runs in every set
  std::vector<bool> after_;   // in none
  std::span<const Bound::Edge> edges_;
};

}  // namespace

std::optional<std::int64_t> LeastLive(const Recount& recount, OpId running, Between between,
                                      std::int64_t enough, std::uint64_t& work) {
  return Finder(recount, running, std::move(between), work).Run(enough, work);
}

}  // namespace opass::memory::check
