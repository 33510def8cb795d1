// opass list: what the tool knows, out of the registries.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/allocators/allocator.h"
#include "opass/cli/command.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/passes/pass.h"
#include "opass/passes/runner.h"
#include "opass/schedulers/scheduler.h"
#include "opass/support/json.h"
#include "opass/targets/target.h"

namespace opass::cli {
namespace {

Json Entry(std::string_view name, std::string_view summary) {
  Json entry;
  entry["name"] = name;
  entry["summary"] = summary;
  return entry;
}

Json Collect() {
  Json all;
  for (const passes::Pass* pass : passes::Passes()) {
    Json entry = Entry(pass->name, pass->summary);
    entry["exactness"] = passes::Name(pass->exactness);
    all["passes"].push_back(entry);
  }
  for (const auto& scheduler : schedulers::Schedulers()) {
    all["schedulers"].push_back(Entry(scheduler.name, scheduler.summary));
  }
  for (const auto& allocator : allocators::Allocators()) {
    all["allocators"].push_back(Entry(allocator.name, allocator.summary));
  }
  for (const orchestrator::Strategy& strategy : orchestrator::Strategies()) {
    all["strategies"].push_back(Entry(strategy.name, strategy.summary));
  }
  for (const targets::Target* target : targets::Targets()) {
    all["targets"].push_back(Entry(target->name, target->summary));
  }
  return all;
}

Result<int> Run(const std::string& what, const Globals& globals) {
  Json all = Collect();
  if (!what.empty()) {
    Json one;
    one[what] = all[what];
    all = one;
  }
  if (globals.json) {
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  if (globals.quiet) return 0;
  for (const auto& [kind, entries] : all.items()) {
    if (what.empty()) fmt::print("{}\n", kind);
    for (const Json& entry : entries) {
      fmt::print(
          "  {:<28} {}{}\n", entry["name"].get<std::string>(), entry["summary"].get<std::string>(),
          entry.contains("exactness") ? fmt::format(" ({})", entry["exactness"].get<std::string>())
                                      : "");
    }
  }
  return 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto what = std::make_shared<std::string>();
  app.add_option("what", *what,
                 "passes, schedulers, allocators, strategies or targets (default: all)")
      ->check(CLI::IsMember({"passes", "schedulers", "allocators", "strategies", "targets"}));
  return [what, &globals] { return Run(*what, globals); };
}

}  // namespace

extern const Command command_list;
const Command command_list = {
    .name = "list",
    .summary = "List passes, schedulers, allocators, strategies and targets",
    .examples =
        "  opass list\n"
        "  opass list passes --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
