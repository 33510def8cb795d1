#include "opass/bench/schedule_members.h"

#include <fmt/format.h>

#include "opass/bench/csv.h"
#include "opass/memory/problem_json.h"

namespace opass::bench {

Result<std::vector<const Family*>> ChosenFamilies(const ScheduleSettings& settings) {
  std::vector<const Family*> chosen;
  if (settings.families.empty()) {
    for (const Family& family : Families()) chosen.push_back(&family);
  }
  for (const std::string& name : settings.families) {
    const Family* family = FindFamily(name);
    if (family == nullptr) {
      std::string known;
      for (const Family& other : Families()) known += fmt::format(" {}", other.name);
      return InvalidInput(fmt::format("there is no family '{}'", name), "--family",
                          "one of" + known);
    }
    chosen.push_back(family);
  }
  return chosen;
}

std::string HashOf(const memory::Problem& problem) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : memory::ProblemToJson(problem)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

Result<KnownHashes> KnownHashes::Read(const ScheduleSettings& settings) {
  KnownHashes known;
  OPASS_ASSIGN_OR_RETURN(const auto rows, ReadCsv(settings.data + "/families.csv"));
  for (const CsvRow& row : rows) known.hash_of_[row.at("member")] = row.at("fnv1a");
  return known;
}

Status KnownHashes::Check(const memory::Problem& problem) const {
  const auto found = hash_of_.find(problem.name);
  if (found != hash_of_.end() && found->second == HashOf(problem)) return {};
  return Error{ErrorCode::kRefused, "the generator made another graph than the one on record",
               problem.name, "families.csv has the hashes", ""};
}

}  // namespace opass::bench
