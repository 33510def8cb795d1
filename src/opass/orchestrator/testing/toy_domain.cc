#include "opass/orchestrator/testing/toy_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace opass::orchestrator {
namespace {

std::vector<std::size_t> Places(const std::string& word, const std::string& part) {
  std::vector<std::size_t> places;
  if (part.empty()) return places;
  for (std::size_t at = word.find(part); at != std::string::npos;
       at = word.find(part, at + part.size())) {
    places.push_back(at);
  }
  return places;
}

template <typename Map>
std::int64_t Of(const Map& map, char letter, std::int64_t otherwise) {
  const auto found = map.find(letter);
  return found == map.end() ? otherwise : found->second;
}

}  // namespace

ToyDomain::ToyDomain(ToyProblem problem) : problem_(std::move(problem)) {
  words_.push_back(problem_.start);
  states_[problem_.start] = kStart;
}

std::vector<ToyDomain::Rewrite> ToyDomain::Rewrites(StateId state) const {
  std::vector<Rewrite> rewrites;
  const auto add = [&](const ToyRule& rule, const char* how, std::string name,
                       std::vector<std::size_t> places, std::int64_t num_sites) {
    const std::uint64_t kind = std::hash<std::string>()(rule.pass + how);
    rewrites.push_back({{std::move(name), rule.pass, kind, num_sites}, &rule, std::move(places)});
  };
  for (const ToyRule& rule : problem_.rules) {
    const std::vector<std::size_t> places = Places(Word(state), rule.before);
    if (problem_.is_black_box || rule.before.empty()) {
      add(rule, "", rule.pass, places, 0);
      continue;
    }
    if (problem_.has_macros && places.size() > 1) {
      add(rule, "*", fmt::format("{} at {} sites", rule.pass, places.size()), places,
          static_cast<std::int64_t>(places.size()));
    }
    for (const std::size_t place : places) {
      add(rule, "1", fmt::format("{} at {}", rule.pass, place), {place}, 1);
    }
  }
  return rewrites;
}

Result<std::vector<Action>> ToyDomain::Propose(StateId state) {
  std::vector<Action> actions;
  for (Rewrite& rewrite : Rewrites(state)) actions.push_back(std::move(rewrite.action));
  return actions;
}

Result<std::optional<StateId>> ToyDomain::Apply(StateId state, std::size_t action) {
  const Rewrite rewrite = Rewrites(state)[action];
  if (rewrite.places.empty()) return std::optional<StateId>();
  std::string word = Word(state);
  for (auto place = rewrite.places.rbegin(); place != rewrite.places.rend(); ++place) {
    word.replace(*place, rewrite.rule->before.size(), rewrite.rule->after);
  }
  const auto [entry, is_new] = states_.emplace(word, StateId(words_.size()));
  if (is_new) words_.push_back(word);
  return std::optional(entry->second);
}

std::int64_t ToyDomain::Peak(const std::string& word) const {
  std::int64_t peak = 0;
  for (const char letter : word) peak = std::max(peak, 100 * Of(problem_.weights, letter, 1));
  return peak;
}

std::int64_t ToyDomain::Macs(const std::string& word) const {
  std::int64_t sum = 0;
  for (const char letter : word) sum += Of(problem_.macs, letter, 0);
  return sum;
}

Result<Bound> ToyDomain::LowerBound(StateId state) {
  return Bound{Peak(Word(state)) - problem_.bound_gap, Macs(Word(state)) - Macs(problem_.start)};
}

Result<Cost> ToyDomain::Evaluate(StateId state, Effort effort) {
  ++(effort == Effort::kQuick ? num_quick_ : num_full_);
  const std::string& word = Word(state);
  double sum = 0;
  for (const char letter : word) {
    const auto weight = static_cast<double>(100 * Of(problem_.weights, letter, 1));
    sum += weight * weight * weight * weight;
  }
  Cost cost;
  cost.peak_bytes = Peak(word) + (effort == Effort::kQuick ? problem_.quick_excess : 0);
  cost.norm_bytes = std::sqrt(std::sqrt(sum / static_cast<double>(problem_.start.size())));
  cost.extra_macs = Macs(word) - Macs(problem_.start);
  cost.num_nodes = static_cast<std::int64_t>(word.size());
  return cost;
}

ToyProblem Locks(int num_locks) {
  ToyProblem problem;
  const std::string toggles = "abdeg";
  for (int i = 0; i < num_locks; ++i) {
    problem.start += "QK";
    problem.start += toggles[static_cast<std::size_t>(i) % toggles.size()];
  }
  problem.rules = {{"crash", "", ""},    {"split", "Q", "R"},   {"turn", "K", "k"},
                   {"open", "Qk", "qk"}, {"close", "qk", "Qk"}, {"cut", "q", "c"}};
  for (const char letter : toggles) {
    const std::string small(1, letter);
    const std::string large(1, static_cast<char>(letter - 'a' + 'A'));
    problem.rules.push_back({"raise_" + small, small, large});
    problem.rules.push_back({"lower_" + small, large, small});
  }
  problem.weights = {{'Q', 10}, {'q', 10}, {'R', 7}, {'c', 3}, {'K', 2}, {'k', 2}};
  problem.default_order = {"crash", "split", "turn", "open", "cut"};
  return problem;
}

}  // namespace opass::orchestrator
