#pragma once

namespace opass {

// Makes Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program. Long work asks
// `Interrupted()` between steps; a second signal ends the program at once.
void InstallInterruptHandler();
bool Interrupted();

}  // namespace opass
