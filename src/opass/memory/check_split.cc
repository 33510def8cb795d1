#include "opass/memory/check_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace opass::memory::check {
namespace {

std::vector<OpId> Producers(const Problem& problem, OpId id) {
  std::vector<OpId> producers;
  for (const ValueId input : problem.op(id).inputs) {
    const OpId producer = problem.value(input).producer;
    if (producer.valid()) producers.push_back(producer);
  }
  return producers;
}

}  // namespace

Result<bool> ProveSplit(const Recount& recount, const Between& part, const std::vector<bool>& split,
                        std::uint64_t& work) {
  const Problem& problem = recount.state().problem;
  // Which operators wait for each one, directly.
  std::vector<std::vector<OpId>> consumers(problem.ops.size());
  for (std::size_t i = 0; i < problem.ops.size(); ++i) {
    for (const OpId producer : Producers(problem, OpId(i))) {
      consumers[producer.index()].emplace_back(i);
    }
  }
  const auto inside = [&](OpId id) { return bool{split[id.index()]}; };
  for (std::size_t i = 0; i < problem.ops.size(); ++i) {
    if (part.executed[i] || !part.allowed[i]) continue;
    // Nothing is to be proved for an operator inside that is not one of the last, nor for one
    // outside that is not one of the first.
    const std::vector<OpId> producers = Producers(problem, OpId(i));
    if (split[i] ? std::any_of(consumers[i].begin(), consumers[i].end(), inside)
                 : !std::all_of(producers.begin(), producers.end(), inside)) {
      continue;
    }
    Between between{part.executed, split};
    OpId running(i);  // what arrives at its step counts on both sides
    if (split[i]) {
      running = OpId();
      between = {split, part.allowed};
      for (const OpId consumer : consumers[i]) between.allowed[consumer.index()] = false;
    }
    const auto live = LeastLive(recount, running, {split, split}, kInfinite, work);
    if (!live) return false;
    const auto least = LeastLive(recount, running, std::move(between), *live, work);
    if (!least) return false;
    if (*least < *live) {
      return Refuse(fmt::format("a split of the certificate has {} bytes live, a state close to "
                                "it {}",
                                *live, *least),
                    problem.ops[i].name);
    }
  }
  return true;
}

}  // namespace opass::memory::check
