#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opass/bench/families/families.h"
#include "opass/bench/schedule_part.h"

namespace opass::bench {

// Members of the families that the settings name; all of them when they name none. Error: an
// unknown name.
Result<std::vector<const Family*>> ChosenFamilies(const ScheduleSettings& settings);

// A hash of the problem's JSON (64-bit FNV-1a, in hexadecimal).
std::string HashOf(const memory::Problem& problem);

// The hashes that DATA/families.csv states, by name of the member: so that everybody measures the
// same graphs.
class KnownHashes {
 public:
  static Result<KnownHashes> Read(const ScheduleSettings& settings);
  // Error (kRefused): the member has another hash, or none is known.
  Status Check(const memory::Problem& problem) const;

 private:
  std::map<std::string, std::string> hash_of_;
};

struct MemberSet {
  std::int64_t size = 0;
  int num_seeds = 0;
  bool in_place_too = false;
};
// The members that the benchmark uses.
inline constexpr MemberSet kMemberSets[] = {
    {100, 5, true}, {200, 3, true}, {400, 1, false}, {1000, 1, false}};

}  // namespace opass::bench
