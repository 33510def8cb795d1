#pragma once

#include <cstdint>

namespace opass::runtime {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). The same
// numbers on every machine, unlike the distributions of the standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  // In [0, bound), bound > 0. The bias of the remainder is below bound / 2^64.
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }
  // In [0, 1), exact in a double.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  // Mean 0, variance 1, within +-3.5: the sum of four uniforms, because std::log differs in its
  // last bit from one C library to the next.
  double NearNormal() {
    constexpr double kSqrt3 = 1.7320508075688772;
    return (Unit() + Unit() + Unit() + Unit() - 2.0) * kSqrt3;
  }

 private:
  std::uint64_t state_;
};

}  // namespace opass::runtime
