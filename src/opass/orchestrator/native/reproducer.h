#pragma once

#include <string>
#include <vector>

#include "opass/orchestrator/native/changed_part.h"
#include "opass/orchestrator/native/native_action.h"
#include "opass/runtime/verify.h"
#include "opass/support/result.h"

namespace opass::orchestrator {

// The smallest part that shows that the action changes what is computed: of its sites the first one
// that is wrong alone, else all of them. Nothing when no part by itself shows it.
Result<std::optional<ChangedPart>> FindWrongPart(const ir::Model& before,
                                                 const NativeAction& action,
                                                 const runtime::VerifyOptions& options);

// Writes before.onnx and after.onnx of the part; their paths.
Result<std::vector<std::string>> WriteReproducer(const ChangedPart& part, const std::string& folder,
                                                 const std::string& pass);

}  // namespace opass::orchestrator
