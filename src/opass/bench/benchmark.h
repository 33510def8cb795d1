#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "opass/support/result.h"

namespace CLI {
class App;
}

namespace opass::bench {

// One measurement as a command: `opass bench NAME`. One file of this folder each.
struct Benchmark {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;
  // Declares options and returns the work. Its answer is the exit code: 1 when a goal is missed.
  std::function<Result<int>()> (*setup)(CLI::App& app, const bool& json);
};

std::span<const Benchmark* const> Benchmarks();

}  // namespace opass::bench
