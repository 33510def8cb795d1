#include "opass/memory/check_split.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace opass::memory::check {
namespace {

using Set = std::vector<bool>;

constexpr std::uint64_t kWorkForSearches = 200'000'000;

bool Holds(const Set& outer, const Set& inner) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] && !outer[i]) return false;
  }
  return true;
}

class Follower {
 public:
  Follower(const Recount& recount, Between& part)
      : recount_(recount),
        problem_(recount.state().problem),
        part_(part),
        work_(IsCheckable(recount.state().plan.certificate) ? 0 : kMaxWork - kWorkForSearches) {}

  Status Run() {
    const Certificate& certificate = recount_.state().plan.certificate;
    part_.executed.assign(problem_.ops.size(), false);
    part_.allowed.assign(problem_.ops.size(), true);
    OPASS_ASSIGN_OR_RETURN(const Set executed,
                           Read(certificate.executed,
                                certificate.kind == Certificate::Kind::kSearch ? "search" : "cut"));
    for (std::size_t i = 0; i < certificate.splits.size(); ++i) {
      OPASS_ASSIGN_OR_RETURN(Set split, Read(certificate.splits[i], "split"));
      if (!Holds(split, part_.executed) || !Holds(part_.allowed, split)) {
        return Refuse(fmt::format("split {} of the certificate is not in the part left", i));
      }
      OPASS_RETURN_IF_ERROR(Prove(split, i));
      const bool behind = certificate.kind == Certificate::Kind::kOperatorCut
                              ? !split[certificate.op.index()]
                              : Holds(executed, split);
      (behind ? part_.executed : part_.allowed) = std::move(split);
    }
    if (!Holds(executed, part_.executed) || !Holds(part_.allowed, executed)) {
      return Refuse("the certificate's executed operators are not in the part left");
    }
    return {};
  }

 private:
  Result<Set> Read(const std::vector<OpId>& ids, std::string_view what) const {
    Set set(problem_.ops.size(), false);
    for (const OpId id : ids) {
      if (id.index() >= set.size() || set[id.index()]) {
        return Refuse(
            fmt::format("the certificate's {} names an operator twice or an unknown one", what));
      }
      set[id.index()] = true;
    }
    for (const OpId id : ids) {
      for (const OpId producer : Producers(id)) {
        if (!set[producer.index()]) {
          return Refuse(fmt::format("the certificate's {} has it without its inputs", what),
                        problem_.op(id).name);
        }
      }
    }
    return set;
  }

  std::vector<OpId> Producers(OpId id) const {
    std::vector<OpId> producers;
    for (const ValueId input : problem_.op(id).inputs) {
      const OpId producer = problem_.value(input).producer;
      if (producer.valid()) producers.push_back(producer);
    }
    return producers;
  }

  Status Prove(const Set& split, std::size_t number) {
    // Which of the others wait for each operator of the split, directly.
    std::vector<std::vector<OpId>> consumers(problem_.ops.size());
    for (std::size_t i = 0; i < problem_.ops.size(); ++i) {
      for (const OpId producer : Producers(OpId(i))) consumers[producer.index()].emplace_back(i);
    }
    for (std::size_t i = 0; i < problem_.ops.size(); ++i) {
      if (part_.executed[i] || !part_.allowed[i]) continue;
      // Nothing is to be proved for an operator inside that is not one of the last, nor for one
      // outside that is not one of the first.
      const auto inside = [&](OpId id) { return bool{split[id.index()]}; };
      const std::vector<OpId> producers = Producers(OpId(i));
      if (split[i] ? std::any_of(consumers[i].begin(), consumers[i].end(), inside)
                   : !std::all_of(producers.begin(), producers.end(), inside)) {
        continue;
      }
      Between between{part_.executed, split};
      OpId running(i);  // what arrives at its step counts on both sides
      if (split[i]) {
        running = OpId();
        between = {split, part_.allowed};
        for (const OpId consumer : consumers[i]) between.allowed[consumer.index()] = false;
      }
      const auto live = LeastLive(recount_, running, {split, split}, kInfinite, work_);
      if (!live) return OutOfWork();
      const auto least = LeastLive(recount_, running, std::move(between), *live, work_);
      if (!least) return OutOfWork();
      if (*least < *live) {
        return Refuse(fmt::format("split {} of the certificate has {} bytes live, a state close to "
                                  "it {}",
                                  number, *live, *least),
                      problem_.ops[i].name);
      }
    }
    return {};
  }

  // A search is believed anyway; then so are the splits of a large graph.
  Status OutOfWork() const {
    if (!IsCheckable(recount_.state().plan.certificate)) return {};
    return Refuse("the graph is too large to prove the certificate's splits");
  }

  const Recount& recount_;
  const Problem& problem_;
  Between& part_;
  std::uint64_t work_;
};

}  // namespace

Status FollowSplits(const Recount& recount, Between& part) { return Follower(recount, part).Run(); }

}  // namespace opass::memory::check
