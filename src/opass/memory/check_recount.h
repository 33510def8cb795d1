#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "opass/memory/check_state.h"

namespace opass::memory::check {

// What certificates speak of, computed once more from the families alone.
class Recount {
 public:
  explicit Recount(const State& state);

  const State& state() const { return state_; }
  // The operators that read a value of the family.
  const std::vector<OpId>& readers(std::size_t family) const { return readers_[family]; }
  std::int64_t SizeOf(std::size_t family) const;
  // An input that arrives at its first reader.
  bool Waits(std::size_t family) const;
  // The families that the operator reads, and what it makes itself: outputs and workspace.
  std::vector<std::size_t> ReadBy(OpId id) const;
  std::int64_t OwnBytes(OpId id) const;
  std::int64_t WorkspaceBytes(OpId id) const;

  // The most bytes that the operator's outputs can take over when the families with `dies` die.
  std::int64_t Gain(OpId id, const std::function<bool(std::size_t)>& dies) const;
  // The families that an output could take over if they died.
  std::vector<std::size_t> Candidates(OpId id) const;
  // How many of its outputs could take over one.
  std::size_t NumTakers(OpId id) const;

  // What the operator needs whenever it runs: as if nothing else were live and every input died
  // that none but the `allowed` operators read.
  std::int64_t Operator(OpId id, const std::vector<bool>& allowed) const;
  // The most that its outputs can take over then.
  std::int64_t MostGain(OpId id, const std::vector<bool>& allowed) const;
  // What running the operator costs when exactly the operators with `done` ran before.
  std::int64_t StepCost(OpId id, const std::vector<bool>& done) const;

 private:
  // An output and the families that it may take over.
  struct Taker {
    std::int64_t size_bytes = 0;
    std::vector<std::size_t> families;
  };

  bool HoldsBytes(ValueId id) const;
  bool Views(OpId id, std::size_t family) const;
  std::vector<Taker> Takers(OpId id, const std::function<bool(std::size_t)>& dies) const;
  static std::int64_t Match(const std::vector<Taker>& takers);
  static bool Serve(const std::vector<Taker>& takers, std::size_t taker,
                    std::vector<std::pair<std::size_t, std::size_t>>& owner,
                    std::vector<std::size_t>& tried);

  const State& state_;
  std::vector<std::vector<OpId>> readers_;  // per family
};

}  // namespace opass::memory::check
