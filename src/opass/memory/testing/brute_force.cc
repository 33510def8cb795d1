#include "opass/memory/testing/brute_force.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include "opass/support/bytes.h"

namespace opass::memory::testing {
namespace {

using Mask = std::uint64_t;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

Mask Bit(OpId id) { return Mask{1} << id.index(); }

class Oracle {
 public:
  explicit Oracle(const Problem& problem) : problem_(problem) {
    for (std::size_t i = 0; i < problem.values.size(); ++i) {
      const Value& value = problem.values[i];
      if (!Counts(ValueId(i))) continue;
      Bytes& bytes = bytes_[Root(ValueId(i))];
      bytes.kept = bytes.kept || value.is_output || value.is_preserved;
    }
    for (std::size_t v = 0; v < problem.ops.size(); ++v) {
      Mask before = 0;
      for (const ValueId input : problem.ops[v].inputs) {
        if (Counts(input)) bytes_[Root(input)].readers |= Bit(OpId(v));
        if (problem.value(input).producer.valid()) before |= Bit(problem.value(input).producer);
      }
      before_.push_back(before);
    }
  }

  bool Ready(Mask done, OpId v) const {
    return (done & Bit(v)) == 0 && (before_[v.index()] & ~done) == 0;
  }

  // Bytes that hold something when exactly `done` ran and, with `now`, v is about to run.
  std::int64_t Live(Mask done, Mask now) const {
    std::int64_t live = 0;
    for (const auto& [root, bytes] : bytes_) {
      if (Born(root, bytes, done, now) && (bytes.kept || (bytes.readers & ~done) != 0)) {
        live += Size(root);
      }
    }
    return live;
  }

  std::int64_t Step(Mask done, OpId v) const {
    const Op& op = problem_.op(v);
    std::int64_t bytes = Live(done, Bit(v)) + RoundUp(op.workspace_bytes, problem_.alignment);
    for (const ValueId output : op.outputs) {
      if (Counts(output) && !problem_.value(output).view) bytes += Size(output);
    }
    std::vector<ValueId> taken;
    return bytes - BestGain(done, v, 0, taken);
  }

 private:
  struct Bytes {
    Mask readers = 0;
    bool kept = false;
  };

  bool Counts(ValueId id) const {
    return problem_.value(id).in_arena && problem_.value(id).size_bytes > 0;
  }
  std::int64_t Size(ValueId id) const {
    return RoundUp(problem_.value(id).size_bytes, problem_.alignment);
  }
  ValueId Root(ValueId id) const {
    while (problem_.value(id).view) id = problem_.value(id).view->source;
    return id;
  }

  bool Born(ValueId root, const Bytes& bytes, Mask done, Mask now) const {
    const OpId producer = problem_.value(root).producer;
    if (producer.valid()) return (done & Bit(producer)) != 0;
    if (problem_.inputs == InputArrival::kResident || bytes.readers == 0) return true;
    return (bytes.readers & (done | now)) != 0;
  }

  // All ways to pair the outputs from number `index` on with inputs not in `taken`.
  std::int64_t BestGain(Mask done, OpId v, std::size_t index, std::vector<ValueId>& taken) const {
    const Op& op = problem_.op(v);
    if (index == op.outputs.size()) return 0;
    std::int64_t best = BestGain(done, v, index + 1, taken);
    for (const InPlace& pair : op.in_place) {
      if (pair.output != op.outputs[index] || !Counts(pair.output) || !Counts(pair.input)) continue;
      const ValueId root = Root(pair.input);
      if (std::find(taken.begin(), taken.end(), root) != taken.end() || !DiesAt(done, v, root)) {
        continue;
      }
      taken.push_back(root);
      best = std::max(best, Size(pair.output) + BestGain(done, v, index + 1, taken));
      taken.pop_back();
    }
    return best;
  }

  bool DiesAt(Mask done, OpId v, ValueId root) const {
    const Bytes& bytes = bytes_.at(root);
    if (bytes.kept || (bytes.readers & ~done) != Bit(v)) return false;
    for (const ValueId output : problem_.op(v).outputs) {  // views that v itself makes of it
      if (Counts(output) && problem_.value(output).view && Root(output) == root) return false;
    }
    return true;
  }

  const Problem& problem_;
  std::map<ValueId, Bytes> bytes_;  // per root
  std::vector<Mask> before_;        // per operator
};

}  // namespace

std::int64_t BruteForcePeak(const Problem& problem) {
  const std::size_t n = problem.ops.size();
  if (n > kMaxBruteForceOps) std::abort();
  const Oracle oracle(problem);
  std::vector<std::int64_t> best(std::size_t{1} << n, kNever);
  best[0] = oracle.Live(0, 0);
  for (Mask done = 0; done < best.size(); ++done) {
    if (best[done] == kNever) continue;
    for (std::size_t v = 0; v < n; ++v) {
      if (!oracle.Ready(done, OpId(v))) continue;
      std::int64_t& next = best[done | Bit(OpId(v))];
      next = std::min(next, std::max(best[done], oracle.Step(done, OpId(v))));
    }
  }
  return best.back();
}

std::int64_t OraclePeak(const Problem& problem, const std::vector<OpId>& order) {
  if (problem.ops.size() > 64) std::abort();
  const Oracle oracle(problem);
  std::int64_t peak = oracle.Live(0, 0);
  Mask done = 0;
  for (const OpId v : order) {
    if (!oracle.Ready(done, v)) std::abort();
    peak = std::max(peak, oracle.Step(done, v));
    done |= Bit(v);
  }
  return peak;
}

}  // namespace opass::memory::testing
