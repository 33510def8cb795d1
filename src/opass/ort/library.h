#pragma once

#include <string>

#include "opass/ort/abi.h"
#include "opass/support/result.h"

namespace opass::ort {

// libonnxruntime.so, loaded once per process and never unloaded. Looked for, in this order, at the
// path given to SetLibraryPath, in the environment variable OPASS_ORT_LIBRARY, in
// ../lib/opass/libonnxruntime.so beside the executable (an installed opass), and where the build
// was configured to look.
class Library {
 public:
  // Loads at the first call; every later call has the same answer. Thread-safe. Errors are
  // kEnvironment: no such file, not a library, too old, or an interface that is not the expected
  // one.
  static Result<const Library*> Get();

  const Api& api() const { return api_; }
  const std::string& version() const { return version_; }  // "1.32.0"
  const std::string& path() const { return path_; }

 private:
  friend Result<const Library*> LoadLibrary(const std::string& path);
  Api api_;
  std::string version_;
  std::string path_;
};

// Sets the path that Library::Get uses before all others; only before its first call.
void SetLibraryPath(std::string path);
// True when some path is set, given or configured, whether or not it works.
bool LibraryIsConfigured();

// Loads one given file apart from the process-wide choice (doctor, tests).
Result<const Library*> LoadLibrary(const std::string& path);

// The table of the loaded library. Only after Library::Get succeeded.
const Api& LoadedApi();

// What the runtime answered, and release of the answer. Null (success) has code 0.
struct Answer {
  int code = 0;
  std::string message;
  bool ok() const { return code == 0; }
};
Answer TakeAnswer(OrtStatus* status);

// The answer as a Status: kNotPossible with the reason "missing-kernel" or `reason`.
Status ToStatus(OrtStatus* status, const char* reason = "runtime-refused");

}  // namespace opass::ort
