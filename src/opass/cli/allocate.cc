// opass allocate: offsets for a list of buffers with fixed lifetimes, without a model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "opass/allocators/allocate_list.h"
#include "opass/allocators/buffer_list.h"
#include "opass/cli/command.h"
#include "opass/reports/report.h"
#include "opass/support/bytes.h"
#include "opass/support/file.h"
#include "opass/support/json.h"

namespace opass::cli {
namespace {

using allocators::Allocation;

struct AllocateCommand {
  std::string input;
  std::string output;
  std::string capacity;
  allocators::AllocateOptions options;
};

void Print(const Allocation& found, std::size_t num_buffers, const Globals& globals) {
  const bool is_optimal = found.arena_bytes == found.lower_bound_bytes;
  if (globals.json) {
    const Json report = {{"buffers", num_buffers},
                         {"arena_bytes", found.arena_bytes},
                         {"max_live_bytes", found.max_live_bytes},
                         {"lower_bound_bytes", found.lower_bound_bytes},
                         {"proven_optimal", is_optimal}};
    fmt::print("{}\n", report.dump(2));
  } else if (!globals.quiet) {
    const bool is_searched = found.lower_bound_bytes > found.max_live_bytes;
    fmt::print("buffers      {}\n", num_buffers);
    fmt::print("arena        {} bytes\n", found.arena_bytes);
    fmt::print("lower bound  {} bytes, {}\n", found.lower_bound_bytes,
               is_searched ? "all below was searched to the end" : "the most bytes live at a time");
    if (is_optimal) {
      fmt::print("gap          none: no arena is smaller\n");
    } else {
      fmt::print("gap          at most {:.2f} %\n",
                 100 * reports::Gap(found.arena_bytes, found.lower_bound_bytes));
    }
  }
}

Status CheckCapacity(const Allocation& found, std::int64_t capacity) {
  if (found.arena_bytes <= capacity) return {};
  if (found.lower_bound_bytes <= capacity) {
    return WithReason(NotPossible(fmt::format("no layout within {} bytes was found, nor refuted; "
                                              "the best found needs {}",
                                              capacity, found.arena_bytes),
                                  "--capacity", "give it more with --time"),
                      "fit-unknown");
  }
  const bool is_searched = found.max_live_bytes <= capacity;
  return WithReason(
      NotPossible(is_searched
                      ? fmt::format("no layout fits in {} bytes: the search ended", capacity)
                      : fmt::format("no layout fits in {} bytes: {} are live at a time", capacity,
                                    found.max_live_bytes),
                  "--capacity"),
      "does-not-fit");
}

Result<int> Run(AllocateCommand& command, const Globals& globals) {
  if (!command.capacity.empty()) {
    OPASS_ASSIGN_OR_RETURN(command.options.capacity_bytes, ParseBytes(command.capacity));
  }
  OPASS_ASSIGN_OR_RETURN(const std::string csv, ReadFile(command.input));
  OPASS_ASSIGN_OR_RETURN(const auto buffers, allocators::ParseBufferList(csv, command.input));
  OPASS_ASSIGN_OR_RETURN(const Allocation found,
                         allocators::AllocateList(buffers, command.options));
  if (const auto capacity = command.options.capacity_bytes) {
    OPASS_RETURN_IF_ERROR(CheckCapacity(found, *capacity));
  }
  if (!command.output.empty()) {
    OPASS_RETURN_IF_ERROR(
        WriteFileAtomically(command.output, allocators::BufferListToCsv(buffers, found.offsets)));
  }
  Print(found, buffers.size(), globals);
  return 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<AllocateCommand>();
  app.add_option("BUFFERS", command->input, "CSV: id,lower,upper,size; - is standard input")
      ->required();
  app.add_option("-o,--output", command->output, "the CSV to write, with a column offset");
  app.add_option("--capacity", command->capacity,
                 "end when this is reached; 3 when it is not: 1MiB");
  app.add_option("--time", command->options.max_seconds,
                 "search for so many seconds instead of a fixed amount of work")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--threads", command->options.threads, "change the time, not the answer")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--seed", command->options.seed, "of the searches")->capture_default_str();
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_allocate;
const Command command_allocate = {
    .name = "allocate",
    .summary = "Place a list of buffers with fixed lifetimes",
    .examples =
        "  opass allocate buffers.csv -o placed.csv\n"
        "  opass allocate buffers.csv --capacity 1MiB --threads 2\n"
        "  opass allocate buffers.csv --time 60 --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
