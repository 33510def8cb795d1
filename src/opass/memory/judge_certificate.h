#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

// What memory::Check says of a certificate, claim by claim: also those that do not decide.
namespace opass::memory {

// One claim, and what came of checking it.
struct JudgedClaim {
  enum class About { kWhole, kSplit, kSegment };
  enum class Verdict {
    kNothing,    // nothing is claimed
    kChecked,    // computed again, by cuts of the checker's own
    kConfirmed,  // searched again, without any of the rules of the search that claims it
    kTrusted,    // a search: only its figures were looked at
    kTooLarge,   // not known within the work allowed
    kRefused,    // not true
  };

  About about = About::kWhole;
  std::size_t first = 0;  // the steps it is about, half-open; of a split, the part that it splits
  std::size_t last = 0;
  std::size_t split = 0;        // of a split: after so many steps
  std::int64_t peak_bytes = 0;  // of the segment, or of the whole plan
  Bound::Kind kind = Bound::Kind::kNone;
  std::int64_t bytes = 0;
  Verdict verdict = Verdict::kNothing;
  std::string message;       // refused: why
  std::uint64_t work = 0;    // arcs and operators that flows looked at
  std::uint64_t states = 0;  // visited by the search
};

struct JudgeOptions {
  std::uint64_t max_work = 2'000'000'000;  // of all flows together: seconds
  bool prove = false;                      // run searches again
  // By every one of these searches at most.
  std::uint64_t max_states = 20'000'000;
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

// The claims in order: of the whole problem, the splits as they are listed, the segments. With
// `prove` last the certificate's bytes by a search of the whole problem, which needs no splits,
// where they rest on a search that was confirmed. The plan is one that memory::Check accepts;
// error: it is not even readable.
Result<std::vector<JudgedClaim>> JudgeCertificate(const Problem& problem, const Plan& plan,
                                                  const JudgeOptions& options = {});

}  // namespace opass::memory
