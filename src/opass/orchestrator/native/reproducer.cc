#include "opass/orchestrator/native/reproducer.h"

#include <fmt/format.h>

#include <filesystem>

#include "opass/onnx/write.h"

namespace opass::orchestrator {
namespace {

// The part that the action changes, when it is wrong.
Result<std::optional<ChangedPart>> WrongPart(const ir::Model& before, const NativeAction& action,
                                             const runtime::VerifyOptions& options) {
  ir::Model after = before;
  const Result<bool> applied = ApplyAction(after, action);
  if (!applied.ok() || !*applied) return std::optional<ChangedPart>();
  std::optional<ChangedPart> part = FindChangedPart(before, after);
  if (!part) return part;
  OPASS_ASSIGN_OR_RETURN(const runtime::Verdict verdict,
                         runtime::VerifyModels(part->before, part->after, options));
  if (verdict.verified != false) return std::optional<ChangedPart>();
  return part;
}

}  // namespace

Result<std::optional<ChangedPart>> FindWrongPart(const ir::Model& before,
                                                 const NativeAction& action,
                                                 const runtime::VerifyOptions& options) {
  for (const passes::Site& site : action.rewrite.sites) {
    NativeAction single = action;
    single.is_everywhere = false;
    single.rewrite.sites = {site};
    OPASS_ASSIGN_OR_RETURN(std::optional<ChangedPart> part, WrongPart(before, single, options));
    if (part) return part;
  }
  return WrongPart(before, action, options);
}

Result<std::vector<std::string>> WriteReproducer(const ChangedPart& part, const std::string& folder,
                                                 const std::string& pass) {
  std::vector<std::string> paths;
  for (const auto& [model, name] : {std::pair(&part.before, "before"), {&part.after, "after"}}) {
    const std::string path =
        (std::filesystem::path(folder) / fmt::format("{}_{}.onnx", pass, name)).string();
    OPASS_RETURN_IF_ERROR(onnxlib::WriteModelFile(
        *model, path, {.external = onnxlib::ExternalPolicy::kEmbed}, nullptr));
    paths.push_back(path);
  }
  return paths;
}

}  // namespace opass::orchestrator
