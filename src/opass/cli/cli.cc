#include "opass/cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <span>
#include <string_view>
#include <system_error>

#include "opass/cli/command.h"
#include "opass/ort/library.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"
#include "opass/version.h"

namespace opass::cli {
namespace {

constexpr const char* kDescription =
    "opass reads a neural network and makes it run in less memory, with proof.";
constexpr const char* kFooter =
    "Examples:\n"
    "  opass optimize model.onnx -o small.onnx     less memory, checked by execution\n"
    "  opass analyze model.onnx                    what the peak is made of\n"
    "  opass optimize --help                       all options of a command\n"
    "\n"
    "Exit codes: 0 done, 1 the answer is no, 2 wrong input or use, 3 not possible, 4 environment,\n"
    "70 a bug of opass, 130 interrupted. See docs/errors.md.";

int PrintError(const Error& error, bool json) {
  fmt::print(stderr, "opass: error: {}{}{}\n", error.where, error.where.empty() ? "" : ": ",
             error.message);
  if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", error.hint);
  if (json) {
    Json object;
    Json& body = object["error"];
    body["exit_code"] = ExitCode(error.code);
    body["reason"] = error.reason.empty() ? Json() : Json(error.reason);
    body["where"] = error.where;
    body["message"] = error.message;
    body["hint"] = error.hint;
    fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  return ExitCode(error.code);
}

void AddGlobals(CLI::App& app, Globals& globals) {
  app.add_flag("--json", globals.json,
               "print one JSON object on standard output (docs/formats.md)");
  app.add_flag("-q,--quiet", globals.quiet, "print errors only");
  app.add_flag("-v,--verbose", globals.verbose, "print more");
  app.add_option("--ort-library", globals.ort_library,
                 "path of libonnxruntime.so (also: the environment variable OPASS_ORT_LIBRARY)");
  app.set_version_flag("--version", fmt::format("opass {}", kVersion));
}

// What CLI11 says of a wrong use; it takes a misspelt command for a missing one.
Error WrongUse(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* level = &app;
  std::string help = "opass";
  while (!level->get_subcommands().empty()) {
    level = level->get_subcommands().front();
    help += " " + level->get_name();
  }
  const std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  const bool wants_command = !level->get_subcommands({}).empty();
  if (wants_command && !rest.empty() && !rest.front().starts_with('-')) {
    return InvalidInput(fmt::format("there is no command '{}'", rest.front()), "",
                        fmt::format("see '{} --help'", help));
  }
  return InvalidInput(error.what(), "", fmt::format("see '{} --help'", help));
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "opass");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.fallthrough();
  Globals globals;
  globals.color = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  AddGlobals(app, globals);

  std::function<Result<int>()> chosen;
  for (const Command* command : Commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->summary));
    sub->footer("Examples:\n" + std::string(command->examples));
    sub->fallthrough();
    auto run = command->setup(*sub, globals);
    sub->callback([&chosen, run = std::move(run)] { chosen = run; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has exit codes of its own; a wrong use is 2 (--help and --version are 0).
    if (error.get_exit_code() == 0) return app.exit(error);
    const bool json = std::ranges::any_of(
        std::span(argv, static_cast<std::size_t>(argc)),
        [](const char* argument) { return std::string_view(argument) == "--json"; });
    return PrintError(WrongUse(app, error), json);
  }
  if (!globals.ort_library.empty()) ort::SetLibraryPath(globals.ort_library);
  InstallInterruptHandler();
  const Result<int> result = chosen();
  std::cout.flush();
  if (!result.ok()) return PrintError(result.error(), globals.json);
  if (std::fflush(stdout) != 0 || !std::cout) {
    return PrintError(EnvironmentError("standard output cannot be written"), false);
  }
  return *result;
}

}  // namespace

int Main(int argc, char** argv) {
  int code = 0;
  try {
    code = Run(argc, argv);
  } catch (const std::bad_alloc&) {
    code = PrintError(EnvironmentError("out of memory"), false);
  } catch (const std::system_error& exception) {
    // fmt throws when standard output takes no more than its buffer held.
    const bool is_full = std::ferror(stdout) != 0;
    code = PrintError(is_full ? EnvironmentError("standard output cannot be written")
                              : InternalError(exception.what()),
                      false);
  } catch (const std::exception& exception) {
    code = PrintError(InternalError(exception.what()), false);
  }
  RemoveTemporaryFiles();
  return code;
}

}  // namespace opass::cli
