#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace opass {

// A strong 32-bit index. Ids of different tags do not mix; a side table is a vector indexed by
// `id.index()`. A default-made id is invalid ("none").
template <typename Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value_(static_cast<std::uint32_t>(index)) {}

  constexpr bool valid() const { return value_ != kNone; }
  constexpr std::size_t index() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kNone;
};

}  // namespace opass

template <typename Tag>
struct std::hash<opass::Id<Tag>> {
  std::size_t operator()(opass::Id<Tag> id) const noexcept { return id.index(); }
};
