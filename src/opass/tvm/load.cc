#include "opass/tvm/load.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace opass::tvm {
namespace {

constexpr const char* kHint =
    "run 'make tvm' in the project, which installs Apache TVM and builds the plugin; a plugin "
    "elsewhere is named by the environment variable OPASS_TVM_PLUGIN (docs/tvm.md)";

std::filesystem::path FolderOfExecutable() {
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : executable.parent_path();
}

}  // namespace

std::string PluginPath() {
  const char* path = std::getenv("OPASS_TVM_PLUGIN");
  if (path != nullptr && *path != '\0') return path;
  const std::filesystem::path folder = FolderOfExecutable();
  const auto installed = folder / "../lib/opass/libopass_tvm.so";
  std::error_code error;
  if (std::filesystem::exists(installed, error)) return installed.lexically_normal().string();
  // `make tvm` has a build folder of its own, beside the tool's.
  return (folder / "../build-tvm/libopass_tvm.so").lexically_normal().string();
}

Result<Session*> OpenSessionAt(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return EnvironmentError("the TVM component of opass is not built: there is no plugin here",
                            path, kHint);
  }
  // Global: extension modules of Python expect its symbols in the process.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    return EnvironmentError(fmt::format("cannot load the TVM plugin: {}", dlerror()), path, kHint);
  }
  OpassTvmOpenSession open = nullptr;
  void* symbol = dlsym(handle, kFactoryName);
  std::memcpy(&open, &symbol, sizeof(symbol));
  if (open == nullptr) {
    return EnvironmentError(
        fmt::format("this library is no TVM plugin: it has no {}", kFactoryName), path, kHint);
  }
  PluginAnswer answer;
  open(&answer);
  if (answer.interface_version != kInterfaceVersion) {
    return EnvironmentError("the TVM plugin was built for another version of opass", path,
                            "run 'make tvm' again");
  }
  if (answer.session == nullptr) {
    return EnvironmentError(fmt::format("Apache TVM does not start: {}", answer.error), path,
                            "run 'make tvm' again");
  }
  return answer.session;
}

Result<Session*> OpenSession() {
  static Session* session = nullptr;
  if (session == nullptr) {
    OPASS_ASSIGN_OR_RETURN(session, OpenSessionAt(PluginPath()));
  }
  return session;
}

}  // namespace opass::tvm
