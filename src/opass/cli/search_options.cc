#include "opass/cli/search_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "opass/orchestrator/strategies/strategy.h"

namespace opass::cli {
namespace {

constexpr double kMaxShare = 100;
constexpr std::int64_t kMaxEvaluations = 1'000'000'000;
constexpr std::int64_t kMaxOpset = 1'000;

}  // namespace

void AddSearch(CLI::App& app, PlanCommand& command) {
  PassSearch& search = command.model.options.search;
  std::vector<std::string> names;
  for (const orchestrator::Strategy& strategy : orchestrator::Strategies()) {
    names.emplace_back(strategy.name);
  }
  app.add_option("--strategy", search.strategy,
                 "how to search for the passes that save memory, see 'opass list strategies'")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--evaluations", search.evaluations, "graphs that the search may schedule")
      ->check(CLI::Range(std::int64_t{1}, kMaxEvaluations))
      ->capture_default_str();
  app.add_option("--max-flops-overhead", command.max_flops_overhead,
                 "multiplications that the result may have more: 0.5% or 0.005")
      ->capture_default_str();
  app.add_option("--max-opset", search.max_opset,
                 "operator set up to which a fusion may raise the model's (HardSwish 14, Gelu 20,\n"
                 "Swish 24); 0: never")
      ->check(CLI::Range(std::int64_t{0}, kMaxOpset))
      ->capture_default_str();
  app.add_option("--reproducers", search.reproducer_folder,
                 "folder for two small models of each action that verification takes off");
  app.add_flag("--explain", command.explain,
               "tell what each action of the search saved and enabled, and what was tried in vain");
}

Result<double> ParseShare(const std::string& text, const std::string& where) {
  const bool is_percent = !text.empty() && text.back() == '%';
  const char* end = text.data() + text.size() - (is_percent ? 1 : 0);
  double share = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, share);
  if (is_percent) share /= 100;
  if (error != std::errc() || stop != end || !(share >= 0 && share <= kMaxShare)) {
    return InvalidInput(fmt::format("'{}' is not a share", text), where,
                        "from 0 to 100: 0.5% or 0.005");
  }
  return share;
}

}  // namespace opass::cli
