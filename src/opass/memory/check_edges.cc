#include "opass/memory/check_edges.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace opass::memory::check {
namespace {

class Prover {
 public:
  Prover(const Recount& recount, const Between& part, const Bound& bound, std::uint64_t& work)
      : recount_(recount), part_(part), bound_(bound), work_(work) {}

  Result<bool> Run() {
    const std::span<const Bound::Edge> edges(bound_.edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (work_ > kMaxWork) return false;
      if (!Inside(edges[i].first) || !Inside(edges[i].then) ||
          (edges[i].cut != edges[i].first && edges[i].cut != edges[i].then)) {
        return Refuse(fmt::format("edge {} of the certificate is not in its segment", i));
      }
      Between wrong = part_;
      if (edges[i].cut == edges[i].then) {
        wrong.allowed[edges[i].first.index()] = false;
      } else {
        wrong.executed[edges[i].then.index()] = true;
      }
      wrong.edges = edges.first(i);
      OPASS_ASSIGN_OR_RETURN(const bool known,
                             Prove(edges[i].cut, std::move(wrong), fmt::format("edge {}", i)));
      if (!known) return false;
    }
    if (!bound_.op.valid()) {
      if (HasCycle()) return true;
      return Refuse("the certificate's edges are no contradiction");
    }
    if (!Inside(bound_.op)) return Refuse("the certificate's operator is not in its segment");
    Between all = part_;
    all.edges = edges;
    return Prove(bound_.op, std::move(all), "contradiction");
  }

 private:
  bool Inside(OpId id) const {
    return id.index() < part_.allowed.size() && part_.allowed[id.index()] &&
           !part_.executed[id.index()];
  }

  // The operator needs the bound's bytes, or cannot run at all, between these sets.
  Result<bool> Prove(OpId op, Between between, const std::string& what) {
    const std::int64_t own = recount_.OwnBytes(op) - recount_.MostGain(op, part_.allowed);
    const auto live = LeastLive(recount_, op, std::move(between), bound_.bytes - own, work_);
    if (!live) return false;
    if (*live >= bound_.bytes - own) return true;
    return Refuse(fmt::format("the certificate claims {} bytes, its {} shows {}", bound_.bytes,
                              what, own + *live),
                  recount_.state().problem.op(op).name);
  }

  // Takes operators whose inputs and edges are done until no more can be.
  bool HasCycle() const {
    const Problem& problem = recount_.state().problem;
    std::vector<std::vector<OpId>> next(problem.ops.size());
    std::vector<std::size_t> waits(problem.ops.size(), 0);
    const auto add = [&](OpId first, OpId then) {
      next[first.index()].push_back(then);
      ++waits[then.index()];
    };
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
      for (const ValueId input : problem.ops[i].inputs) {
        if (problem.value(input).producer.valid()) add(problem.value(input).producer, OpId(i));
      }
    }
    for (const Bound::Edge& edge : bound_.edges) add(edge.first, edge.then);
    std::vector<OpId> done;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i] == 0) done.emplace_back(i);
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      for (const OpId then : next[done[i].index()]) {
        if (--waits[then.index()] == 0) done.push_back(then);
      }
    }
    return done.size() < problem.ops.size();
  }

  const Recount& recount_;
  const Between& part_;
  const Bound& bound_;
  std::uint64_t& work_;
};

}  // namespace

Result<bool> ProveContradiction(const Recount& recount, const Between& part, const Bound& bound,
                                std::uint64_t& work) {
  return Prover(recount, part, bound, work).Run();
}

}  // namespace opass::memory::check
