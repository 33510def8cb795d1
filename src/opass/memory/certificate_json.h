#pragma once

#include <string>
#include <unordered_map>

#include "opass/memory/certificate.h"
#include "opass/memory/problem.h"
#include "opass/support/json.h"

// The certificate inside a plan's JSON (docs/formats.md, "Certificate"); for plan_json.cc alone.
namespace opass::memory {

Json OpNames(const Problem& problem, const std::vector<OpId>& ops);
Json CertificateToJson(const Problem& problem, const std::vector<OpId>& plan_order,
                       const Certificate& certificate);

// Operators by name.
using OpsByName = std::unordered_map<std::string, OpId>;
Result<OpId> FindOp(const OpsByName& ops, const std::string& name, const std::string& where);
Result<std::vector<OpId>> ParseOpNames(const OpsByName& ops, const Json& object, const char* key,
                                       const std::string& where);
// Resolves names and steps; judges nothing else.
Result<Certificate> ParseCertificate(const OpsByName& ops, const std::vector<OpId>& plan_order,
                                     const Json& json, const std::string& where);

}  // namespace opass::memory
