#include "opass/onnx/external_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace opass::onnxlib {
namespace {

namespace fs = std::filesystem;

Error BadLocation(std::string message, const std::string& where, std::string hint = "") {
  return WithReason(InvalidInput(std::move(message), where, std::move(hint)), "external-data");
}

bool IsInside(const fs::path& folder, const fs::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

Result<std::string> ExternalFiles::Resolve(const std::string& location,
                                           const std::string& where) const {
  if (folder_.empty()) {
    return BadLocation("a model read from a stream cannot have external data", where,
                       "give the model's path");
  }
  const fs::path relative(location);
  if (location.empty() || location.find('\0') != std::string::npos || relative.is_absolute() ||
      std::ranges::find(relative, fs::path("..")) != relative.end()) {
    return BadLocation(
        fmt::format("external data at '{}' would leave the model's folder", location), where);
  }
  std::error_code code;
  const fs::path folder = fs::canonical(folder_, code);
  const fs::path file = code ? fs::path() : fs::canonical(folder / relative, code);
  if (code) {
    return BadLocation(fmt::format("external data file '{}' is missing", location), where,
                       "it must stand beside the model");
  }
  if (!IsInside(folder, file)) {
    return BadLocation(
        fmt::format("external data at '{}' leaves the model's folder by a link", location), where,
        "copy the file into the folder");
  }
  return file.string();
}

Result<std::shared_ptr<const MappedFile>> ExternalFiles::Open(const std::string& location,
                                                              const std::string& where) {
  if (const auto found = files_.find(location); found != files_.end()) return found->second;
  OPASS_ASSIGN_OR_RETURN(const std::string path, Resolve(location, where));
  auto file = MappedFile::Open(path);
  if (!file.ok()) {
    return BadLocation(fmt::format("external data file '{}': {}", location, file.error().message),
                       where);
  }
  files_.emplace(location, *file);
  return *file;
}

}  // namespace opass::onnxlib
