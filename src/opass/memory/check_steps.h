#pragma once

#include <vector>

#include "opass/memory/check_least_live.h"
#include "opass/memory/check_recount.h"
#include "opass/support/result.h"

namespace opass::memory::check {

// The order that a certificate's segments are ranges of, read and judged: a topological order,
// splits inside it, segments between them, their peaks as they are.
class Steps {
 public:
  static Result<Steps> Read(const Recount& recount);

  std::size_t size() const { return order_->size(); }
  // The part of the steps from `first` to before `last`.
  Between Part(std::size_t first, std::size_t last) const { return {Prefix(first), Prefix(last)}; }
  // Per operator: is it one of the first so many?
  std::vector<bool> Prefix(std::size_t length) const;

 private:
  explicit Steps(const std::vector<OpId>& order) : order_(&order) {}

  const std::vector<OpId>* order_;  // of the plan or its certificate
};

}  // namespace opass::memory::check
