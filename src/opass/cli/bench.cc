// opass bench: the measurements behind every claim, as commands.
#include <CLI/CLI.hpp>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/cli/command.h"

namespace opass::cli {
namespace {

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  app.require_subcommand(1);
  auto chosen = std::make_shared<std::function<Result<int>()>>();
  for (const bench::Benchmark* benchmark : bench::Benchmarks()) {
    CLI::App* sub =
        app.add_subcommand(std::string(benchmark->name), std::string(benchmark->summary));
    sub->footer("Examples:\n" + std::string(benchmark->examples));
    sub->fallthrough();
    auto run = benchmark->setup(*sub, globals.json);
    sub->callback([chosen, run = std::move(run)] { *chosen = run; });
  }
  return [chosen] { return (*chosen)(); };
}

}  // namespace

extern const Command command_bench;
const Command command_bench = {
    .name = "bench",
    .summary = "Measure: every figure in the documentation comes from one of these",
    .examples =
        "  opass bench models models\n"
        "  opass bench onnx-testdata /usr/share/libonnx-testdata/data\n",
    .setup = Setup,
};

}  // namespace opass::cli
