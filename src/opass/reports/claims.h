#pragma once

#include <span>
#include <string>

#include "opass/memory/judge_certificate.h"
#include "opass/support/json.h"

namespace opass::reports {

// One line a claim of a certificate, and the same for --json.
std::string ClaimsText(std::span<const memory::JudgedClaim> claims);
Json ClaimsJson(std::span<const memory::JudgedClaim> claims);

// The first claim that is not true, as an Error (kRefused).
Status NoneRefused(std::span<const memory::JudgedClaim> claims);

}  // namespace opass::reports
