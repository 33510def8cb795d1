#include "opass/ort/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace opass::ort {
namespace {

constexpr const char* kHint =
    "set OPASS_ORT_LIBRARY to a libonnxruntime.so of version 1.23 or later, for example the one "
    "inside the Python package onnxruntime (onnxruntime/capi/); 'opass doctor' checks it";

std::string& GivenPath() {
  static auto* path = new std::string;
  return *path;
}

std::filesystem::path FolderOfExecutable() {
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : executable.parent_path();
}

// Where to look, or nothing when nobody said.
std::optional<std::string> ChoosePath() {
  if (!GivenPath().empty()) return GivenPath();
  if (const char* path = std::getenv("OPASS_ORT_LIBRARY"); path != nullptr && *path != '\0') {
    return path;
  }
  const std::filesystem::path folder = FolderOfExecutable();
  const auto installed = folder / "../lib/opass/libonnxruntime.so";
  std::error_code error;
  if (std::filesystem::exists(installed, error)) return installed.lexically_normal().string();
  const std::string configured = OPASS_ORT_LIBRARY_DEFAULT;
  if (configured.empty()) return std::nullopt;
  // operator/ keeps an absolute path as it is.
  return (folder / configured).lexically_normal().string();
}

// 32 of "1.32.0"; -1 when it does not read so.
int MinorVersion(const std::string& version) {
  if (!version.starts_with("1.")) return -1;
  int minor = -1;
  std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

Api ReadTable(const void* table) {
  Api api;
  const auto* entries = static_cast<void* const*>(table);
  // Object and function pointers have one size and form here (POSIX asks for it, because of dlsym).
#define OPASS_ORT_READ(name, position, type, arguments) \
  std::memcpy(&api.name, &entries[position], sizeof(api.name));
  OPASS_ORT_ENTRIES(OPASS_ORT_READ)
#undef OPASS_ORT_READ
  return api;
}

// Catches a table that is not the one in abi.h before anything else is called.
bool StatusRoundTrips(const Api& api) {
  OrtStatus* status = api.CreateStatus(kStatusInvalidArgument, "opass");
  if (status == nullptr) return false;
  const bool same = api.GetErrorCode(status) == kStatusInvalidArgument &&
                    std::strcmp(api.GetErrorMessage(status), "opass") == 0;
  api.ReleaseStatus(status);
  return same;
}

const Library*& Loaded() {
  static const Library* library = nullptr;
  return library;
}

}  // namespace

void SetLibraryPath(std::string path) { GivenPath() = std::move(path); }

bool LibraryIsConfigured() { return ChoosePath().has_value(); }

Result<const Library*> LoadLibrary(const std::string& path) {
  std::error_code file_error;
  if (!std::filesystem::exists(path, file_error)) {
    return EnvironmentError("there is no ONNX Runtime library here", path, kHint);
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return EnvironmentError(fmt::format("cannot load ONNX Runtime: {}", dlerror()), path, kHint);
  }
  const OrtApiBase* (*get_base)() = nullptr;
  void* symbol = dlsym(handle, "OrtGetApiBase");
  std::memcpy(&get_base, &symbol, sizeof(symbol));
  if (get_base == nullptr) {
    return EnvironmentError("this library is not ONNX Runtime: it has no OrtGetApiBase", path,
                            kHint);
  }
  const OrtApiBase* base = get_base();
  const std::string version = base->GetVersionString();
  // Asking an old library for a new table makes it write to standard error, so the version first.
  if (MinorVersion(version) < static_cast<int>(kApiVersion)) {
    return EnvironmentError(fmt::format("ONNX Runtime {} is too old", version), path, kHint);
  }
  const void* table = base->GetApi(kApiVersion);
  if (table == nullptr) {
    return EnvironmentError(fmt::format("ONNX Runtime {} does not offer version {} of its "
                                        "interface",
                                        version, kApiVersion),
                            path, kHint);
  }
  auto library = std::make_unique<Library>();
  library->api_ = ReadTable(table);
  library->version_ = version;
  library->path_ = path;
  if (!StatusRoundTrips(library->api_)) {
    return EnvironmentError(fmt::format("the interface of ONNX Runtime {} is not the one that "
                                        "opass knows",
                                        version),
                            path, kHint);
  }
  return static_cast<const Library*>(library.release());  // lives as long as the process
}

Result<const Library*> Library::Get() {
  static std::once_flag once;
  static Error* failure = nullptr;
  std::call_once(once, [] {
    const std::optional<std::string> path = ChoosePath();
    Result<const Library*> library =
        path ? LoadLibrary(*path) : EnvironmentError("no ONNX Runtime library is set", "", kHint);
    if (library.ok()) {
      Loaded() = *library;
    } else {
      failure = new Error(library.error());
    }
  });
  if (failure != nullptr) return *failure;
  return Loaded();
}

const Api& LoadedApi() { return Loaded()->api(); }

Answer TakeAnswer(OrtStatus* status) {
  if (status == nullptr) return {};
  const Api& api = LoadedApi();
  Answer answer{api.GetErrorCode(status), api.GetErrorMessage(status)};
  if (answer.code == 0) answer.code = -1;  // a status object is a failure, whatever its code
  api.ReleaseStatus(status);
  return answer;
}

Status ToStatus(OrtStatus* status, const char* reason) {
  Answer answer = TakeAnswer(status);
  if (answer.ok()) return {};
  const bool no_kernel = answer.code == kStatusNotImplemented ||
                         answer.message.find("not a registered function/op") != std::string::npos;
  // Its messages end in line breaks and hold some.
  std::ranges::replace(answer.message, '\n', ' ');
  while (answer.message.ends_with(' ')) answer.message.pop_back();
  return WithReason(NotPossible("ONNX Runtime: " + answer.message),
                    no_kernel ? "missing-kernel" : reason);
}

}  // namespace opass::ort
