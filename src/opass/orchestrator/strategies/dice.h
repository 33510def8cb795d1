#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace opass::orchestrator {

// Random numbers that are the same on every machine (those of <random>'s distributions are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  std::mt19937_64 engine_;
};

}  // namespace opass::orchestrator
