#pragma once

namespace opass::cli {

// The whole tool: parses the command line, runs the command, returns the exit code.
int Main(int argc, char** argv);

}  // namespace opass::cli
