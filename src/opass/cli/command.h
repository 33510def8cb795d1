#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "opass/support/result.h"

namespace CLI {
class App;
}

namespace opass::cli {

// Options that every command understands.
struct Globals {
  bool json = false;   // one object on standard output, everything else on standard error
  bool quiet = false;  // errors only
  int verbose = 0;
  bool color = false;  // standard output is a terminal and NO_COLOR is not set
  std::string ort_library;
};

// One command, one file of this folder: its name is the file's.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  // lines of --help
  // Declares the options on `app` and returns what to do after parsing. The returned function's
  // answer is the exit code; an Error is printed by main.
  std::function<Result<int>()> (*setup)(CLI::App& app, const Globals& globals);
};

std::span<const Command* const> Commands();

}  // namespace opass::cli
