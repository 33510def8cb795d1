#pragma once

#include <string>

#include "opass/support/result.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// Where the plugin is: the environment variable OPASS_TVM_PLUGIN, else beside an installed tool
// (../lib/opass/), else where `make tvm` builds it.
std::string PluginPath();

// The plugin's session, opened at the first call and open to the end of the process. Error
// (kEnvironment): there is no plugin, with how to get it, or TVM does not start.
Result<Session*> OpenSession();
// The same of a plugin at this path; for tests.
Result<Session*> OpenSessionAt(const std::string& path);

}  // namespace opass::tvm
