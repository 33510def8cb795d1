#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "opass/ir/structural_hash.h"

namespace opass::ir {

// Hashes a sequence of words by two independent chains of 64 bits. Every step is the finalizer of
// MurmurHash3 (Appleby 2011), a bijection.
class HashStream {
 public:
  explicit HashStream(std::uint64_t tag) { Add(tag); }

  void Add(std::uint64_t word) {
    high_ = Mix(high_ ^ word);
    low_ = Mix(low_ + std::rotl(word, 32) + kOdd);
  }
  void Add(const Hash128& hash) {
    Add(hash.high);
    Add(hash.low);
  }
  void Add(std::span<const std::byte> bytes) {
    Add(bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      Add(Word(bytes.first(sizeof(std::uint64_t))));
    }
    Add(Word(bytes));
  }
  void Add(std::string_view text) { Add(std::as_bytes(std::span(text))); }

  Hash128 Result() const { return {Mix(high_ + low_), Mix(low_ ^ std::rotl(high_, 32))}; }

 private:
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;

  static std::uint64_t Word(std::span<const std::byte> bytes) {
    std::uint64_t word = 0;
    if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
    return word;
  }
  static std::uint64_t Mix(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdU;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33);
  }

  std::uint64_t high_ = 0x243f6a8885a308d3U;  // of pi
  std::uint64_t low_ = 0x13198a2e03707344U;
};

// Of a multiset: the order of additions does not matter.
inline Hash128& operator+=(Hash128& sum, const Hash128& term) {
  sum.high += term.high;
  sum.low += term.low;
  return sum;
}

}  // namespace opass::ir
