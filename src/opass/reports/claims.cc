#include "opass/reports/claims.h"

#include <fmt/format.h>

#include <utility>

namespace opass::reports {
namespace {

using memory::JudgedClaim;
using Verdict = JudgedClaim::Verdict;

constexpr std::pair<JudgedClaim::About, const char*> kAbouts[] = {
    {JudgedClaim::About::kWhole, "whole"},
    {JudgedClaim::About::kSplit, "split"},
    {JudgedClaim::About::kSegment, "segment"}};
constexpr std::pair<Verdict, const char*> kVerdicts[] = {
    {Verdict::kNothing, "nothing"},     {Verdict::kChecked, "checked"},
    {Verdict::kConfirmed, "confirmed"}, {Verdict::kTrusted, "trusted"},
    {Verdict::kTooLarge, "too_large"},  {Verdict::kRefused, "refused"}};

template <typename Table, typename Key>
const char* NameIn(const Table& table, Key key) {
  for (const auto& [known, name] : table) {
    if (known == key) return name;
  }
  return "";
}

std::string VerdictText(const JudgedClaim& claim) {
  switch (claim.verdict) {
    case Verdict::kNothing:
      return claim.kind == memory::Bound::Kind::kSegments ? "by the segments" : "nothing claimed";
    case Verdict::kChecked:
      return fmt::format("checked ({} arcs)", claim.work);
    case Verdict::kConfirmed:
      return fmt::format("confirmed: no order within {} bytes among {} states", claim.bytes - 1,
                         claim.states);
    case Verdict::kTrusted:
      return "taken on trust";
    case Verdict::kTooLarge:
      return claim.states > 0 ? fmt::format("too large: given up after {} states", claim.states)
                              : fmt::format("too large: given up after {} arcs", claim.work);
    case Verdict::kRefused:
      return "refused: " + claim.message;
  }
  return "";
}

std::string Place(const JudgedClaim& claim) {
  const std::string steps = fmt::format("[{}, {})", claim.first, claim.last);
  switch (claim.about) {
    case JudgedClaim::About::kWhole:
      return "whole";
    case JudgedClaim::About::kSplit:
      return fmt::format("split {} of {}", claim.split, steps);
    case JudgedClaim::About::kSegment:
      return "segment " + steps;
  }
  return "";
}

}  // namespace

std::string ClaimsText(std::span<const JudgedClaim> claims) {
  std::string text;
  for (const JudgedClaim& claim : claims) {
    std::string what;
    if (claim.about != JudgedClaim::About::kSplit) {
      what = fmt::format("peak {}, ", claim.peak_bytes);
      if (claim.kind != memory::Bound::Kind::kNone) {
        what += fmt::format("{} {}, ", memory::NameOf(claim.kind), claim.bytes);
      }
    }
    text += fmt::format("  {:<22} {}{}\n", Place(claim), what, VerdictText(claim));
  }
  return text;
}

Json ClaimsJson(std::span<const JudgedClaim> claims) {
  Json json = Json::array();
  for (const JudgedClaim& claim : claims) {
    const bool is_split = claim.about == JudgedClaim::About::kSplit;
    json.push_back({{"about", NameIn(kAbouts, claim.about)},
                    {"first", claim.first},
                    {"last", claim.last},
                    {"split", is_split ? Json(claim.split) : Json()},
                    {"peak_bytes", is_split ? Json() : Json(claim.peak_bytes)},
                    {"kind", is_split ? Json() : Json(memory::NameOf(claim.kind))},
                    {"bytes", is_split ? Json() : Json(claim.bytes)},
                    {"verdict", NameIn(kVerdicts, claim.verdict)},
                    {"message", claim.message.empty() ? Json() : Json(claim.message)},
                    {"work", claim.work},
                    {"states", claim.states}});
  }
  return json;
}

Status NoneRefused(std::span<const JudgedClaim> claims) {
  for (const JudgedClaim& claim : claims) {
    if (claim.verdict != Verdict::kRefused) continue;
    return Error{ErrorCode::kRefused, "the certificate is refused: " + claim.message, Place(claim),
                 "", ""};
  }
  return {};
}

}  // namespace opass::reports
