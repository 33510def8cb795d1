#include "opass/runtime/machine_memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include "opass/support/bytes.h"

namespace opass::runtime {

Status CheckFitsInMemory(std::int64_t size_bytes, const std::string& what) {
  const std::int64_t half = sysconf(_SC_PHYS_PAGES) / 2 * sysconf(_SC_PAGESIZE);
  if (size_bytes <= half) return {};
  return WithReason(
      NotPossible(fmt::format("{} of {} does not fit this machine", what, FormatBytes(size_bytes))),
      "no-memory");
}

}  // namespace opass::runtime
