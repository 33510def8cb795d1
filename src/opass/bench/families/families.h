#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "opass/memory/problem.h"

// Families of generated networks: what schedulers are compared on, beside real models. The
// definitions and the random sequences are those of the study "scheduling", 2.2, so that its
// figures can be compared.
namespace opass::bench {

class FamilyBuilder;

// A family member of about `size` operators.
struct Family {
  std::string_view name;
  std::string_view summary;
  bool deep_learning_like;  // graphs as networks have them, not the hardest that there are
  void (*build)(FamilyBuilder& builder, std::int64_t size);
};

std::span<const Family> Families();
const Family* FindFamily(std::string_view name);  // null: there is none

// The member with the seed, 1, 2, ...; named FAMILY_SIZE_sSEED, with ".ip" when elementwise
// operators may run in place. The same on every machine.
memory::Problem MakeMember(const Family& family, std::int64_t size, std::uint64_t seed,
                           bool in_place);

}  // namespace opass::bench
