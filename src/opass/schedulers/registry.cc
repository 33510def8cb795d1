#include <algorithm>
#include <array>

#include "opass/schedulers/scheduler.h"

namespace opass::schedulers {

#define X(name) extern const Scheduler name;
#include "schedulers_list.inc"
#undef X

std::span<const Scheduler> Schedulers() {
  // Made at the first call: the entries are constants of other files.
#define X(name) name,
  static const auto kSchedulers = std::to_array<Scheduler>({
#include "schedulers_list.inc"
  });
#undef X
  return kSchedulers;
}

const Scheduler* FindScheduler(std::string_view name) {
  const std::span<const Scheduler> all = Schedulers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Scheduler& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace opass::schedulers
