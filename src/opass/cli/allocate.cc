// opass allocate: offsets for a list of buffers with fixed lifetimes, without a model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "opass/allocators/allocate_buffers.h"
#include "opass/allocators/buffer_list_csv.h"
#include "opass/cli/command.h"
#include "opass/cli/pool_options.h"
#include "opass/reports/report.h"
#include "opass/support/bytes.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"

namespace opass::cli {
namespace {

using allocators::BufferAllocation;
using allocators::PoolAllocation;

struct AllocateCommand {
  std::string input;
  std::string output;
  std::string capacity;
  std::vector<std::string> pools;
  std::vector<std::string> forbidden;
  allocators::AllocateOptions options;
};

bool IsOptimal(const PoolAllocation& found) { return found.arena_bytes == found.lower_bound_bytes; }

Json JsonOf(const PoolAllocation& found) {
  Json json = {{"arena_bytes", found.arena_bytes},
               {"max_live_bytes", found.max_live_bytes},
               {"lower_bound_bytes", found.lower_bound_bytes},
               {"proven_optimal", IsOptimal(found)}};
  if (found.pool.name.empty()) return json;
  json["pool"] = found.pool.name;
  json["capacity_bytes"] = nullptr;
  if (found.pool.capacity_bytes) json["capacity_bytes"] = *found.pool.capacity_bytes;
  return json;
}

void PrintJson(const BufferAllocation& found) {
  Json report;
  if (found.pools.size() == 1 && found.pools[0].pool.name.empty()) {
    report = JsonOf(found.pools[0]);
  } else {
    for (const PoolAllocation& each : found.pools) report["pools"].push_back(JsonOf(each));
  }
  report["buffers"] = found.offsets.size();
  fmt::print("{}\n", report.dump(2));
}

void PrintText(const PoolAllocation& found) {
  if (!found.pool.name.empty()) fmt::print("pool         {}\n", found.pool.name);
  fmt::print("arena        {} bytes\n", found.arena_bytes);
  fmt::print("lower bound  {} bytes, {}\n", found.lower_bound_bytes,
             found.lower_bound_bytes > found.max_live_bytes
                 ? "by constraints, or all below was searched to the end"
                 : "the most bytes live at a time");
  if (IsOptimal(found)) {
    fmt::print("gap          none: no arena is smaller\n");
  } else {
    fmt::print("gap          at most {:.2f} %\n",
               100 * reports::Gap(found.arena_bytes, found.lower_bound_bytes));
  }
}

void Print(const BufferAllocation& found, const Globals& globals) {
  if (globals.json) {
    PrintJson(found);
  } else if (!globals.quiet) {
    fmt::print("buffers      {}\n", found.offsets.size());
    for (const PoolAllocation& each : found.pools) PrintText(each);
    if (found.has_choice) {
      fmt::print("pools        chosen by load; the bounds are those of this choice\n");
    }
  }
}

std::string WhereOf(const PoolAllocation& found) {
  return found.pool.name.empty() ? "--capacity" : "pool " + found.pool.name;
}

// Another choice of pools could fit, unless all of them together are too small.
Status CheckChoice(const BufferAllocation& found) {
  std::int64_t left = found.max_live_bytes;
  for (const PoolAllocation& each : found.pools) {
    if (!each.pool.capacity_bytes) return {};
    left -= std::min(left, *each.pool.capacity_bytes);
  }
  if (left == 0) return {};
  return WithReason(NotPossible(fmt::format("no layout fits in the pools: {} bytes are live at a "
                                            "time, {} more than all have",
                                            found.max_live_bytes, left),
                                "--pool"),
                    "does-not-fit");
}

Status CheckCapacity(const PoolAllocation& found, bool has_choice) {
  const std::int64_t capacity = found.pool.capacity_bytes.value_or(found.arena_bytes);
  if (found.arena_bytes <= capacity) return {};
  if (found.lower_bound_bytes <= capacity || has_choice) {
    return WithReason(
        NotPossible(fmt::format("no layout within {} bytes was found, nor refuted; the best found "
                                "needs {}",
                                capacity, found.arena_bytes),
                    WhereOf(found), "give it more with --time"),
        "fit-unknown");
  }
  return WithReason(
      NotPossible(found.max_live_bytes > capacity
                      ? fmt::format("no layout fits in {} bytes: {} are live at a time", capacity,
                                    found.max_live_bytes)
                      : fmt::format("no layout fits in {} bytes: shown by a search that ended, or "
                                    "by constraints alone",
                                    capacity),
                  WhereOf(found)),
      "does-not-fit");
}

Status CheckCapacities(const BufferAllocation& found) {
  if (found.has_choice) OPASS_RETURN_IF_ERROR(CheckChoice(found));
  Status unknown;
  for (const PoolAllocation& each : found.pools) {
    const Status status = CheckCapacity(each, found.has_choice);
    if (status.ok()) continue;
    if (status.error().reason == "does-not-fit") return status;
    if (unknown.ok()) unknown = status;
  }
  return unknown;
}

// Nothing where no buffer names a pool and none had to be chosen.
std::vector<std::string> PoolNames(const BufferAllocation& found) {
  std::vector<std::string> names;
  for (const std::size_t pool : found.pool_of_buffer) names.push_back(found.pools[pool].pool.name);
  if (found.pools.size() == 1 && found.pools[0].pool.name.empty()) names.clear();
  return names;
}

Result<int> Run(AllocateCommand& command, const Globals& globals) {
  allocators::BufferList list;
  OPASS_ASSIGN_OR_RETURN(list.pools, ParsePools(command.pools, command.forbidden));
  if (!command.capacity.empty()) {
    OPASS_ASSIGN_OR_RETURN(command.options.capacity_bytes, ParseBytes(command.capacity));
  }
  OPASS_ASSIGN_OR_RETURN(const std::string csv, ReadFile(command.input));
  OPASS_ASSIGN_OR_RETURN(list.buffers, allocators::ParseBufferList(csv, command.input));
  OPASS_ASSIGN_OR_RETURN(const BufferAllocation found,
                         allocators::AllocateBuffers(list, command.options));
  if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
  OPASS_RETURN_IF_ERROR(CheckCapacities(found));
  if (!command.output.empty()) {
    OPASS_RETURN_IF_ERROR(WriteFileAtomically(
        command.output,
        allocators::BufferListToCsv(list.buffers, found.offsets, PoolNames(found))));
  }
  Print(found, globals);
  return 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<AllocateCommand>();
  app.add_option("BUFFERS", command->input,
                 "CSV: id,lower,upper,size and columns of constraints; - is standard input")
      ->required();
  app.add_option("-o,--output", command->output, "the CSV to write, with a column offset");
  app.add_option("--capacity", command->capacity,
                 "end when this is reached; 3 when it is not: 1MiB");
  app.add_option("--forbid", command->forbidden,
                 "bytes where no buffer may lie: 4096:8192, or of a pool: fast=4096:8192")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--pool", command->pools,
                 "a memory that the column pool names, or that buffers without one may go to, "
                 "with its capacity: fast=1MiB; slow")
      ->take_all()
      ->allow_extra_args(false);
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
        "  opass allocate buffers.csv --time 60 --json\n"
        "  opass allocate aligned_and_pinned.csv --forbid 0:4096 --forbid 60KiB:64KiB\n"
        "  opass allocate buffers.csv --pool fast=256KiB --pool slow -o placed.csv\n",
    .setup = Setup,
};

}  // namespace opass::cli
