#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opass/support/result.h"

// The results that the papers' artifact published: FOLDER/published_results.csv.
namespace opass::bench {

class Published {
 public:
  // Empty when the folder has no such file. Error: it has other columns.
  static Result<Published> Read(const std::string& folder);

  bool empty() const { return mib_.empty(); }
  // `profiler`: static, hmcos, serenity. `graph`: "01".
  std::optional<double> Mib(const std::string& profiler, const std::string& graph,
                            const std::string& method) const;
  std::optional<double> Seconds(const std::string& profiler, const std::string& graph,
                                const std::string& method) const;
  // Whether the sequence of passes holds one that changes precision.
  bool ChangesPrecision(const std::string& profiler, const std::string& graph,
                        const std::string& method) const;
  // How much less than Origin, in percent, on every graph that has both.
  std::vector<double> SavedPercent(const std::string& profiler, const std::string& method) const;

 private:
  struct Key {
    std::string profiler;
    std::string graph;
    std::string method;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, double> mib_;
  std::map<Key, double> seconds_;
  std::set<Key> change_precision_;
};

}  // namespace opass::bench
