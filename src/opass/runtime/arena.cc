#include "opass/runtime/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "opass/runtime/machine_memory.h"
#include "opass/support/bytes.h"

namespace opass::runtime {
namespace {

constexpr std::byte kCanary{0xC5};
constexpr std::byte kPoison{0xFF};

}  // namespace

Result<std::unique_ptr<Arena>> Arena::Make(std::int64_t size_bytes) {
  if (size_bytes < 0 || size_bytes > kMaxBytes) {
    return InvalidInput(fmt::format("an arena of {} bytes is not possible", size_bytes));
  }
  OPASS_RETURN_IF_ERROR(CheckFitsInMemory(size_bytes, "an arena"));
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t used = RoundUp(size_bytes, kAlignment);
  const std::int64_t body = RoundUp(used + kAlignment, page);  // room for a canary in any case
  const auto total = static_cast<std::size_t>(body + 2 * page);
  void* mapping = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool mapped = mapping != MAP_FAILED;
  auto* start = static_cast<std::byte*>(mapping) + page;
  if (!mapped || mprotect(start, static_cast<std::size_t>(body), PROT_READ | PROT_WRITE) != 0) {
    if (mapped) munmap(mapping, total);
    return WithReason(
        NotPossible(fmt::format("no memory for an arena of {}", FormatBytes(size_bytes))),
        "no-memory");
  }
  std::unique_ptr<Arena> arena(new Arena);
  arena->mapping_ = mapping;
  arena->mapping_bytes_ = total;
  const auto lead = static_cast<std::size_t>(body - used);
  const auto size = static_cast<std::size_t>(size_bytes);
  arena->before_ = {start, lead};
  arena->bytes_ = {start + lead, size};
  arena->after_ = {start + lead + size, static_cast<std::size_t>(used) - size};
  std::ranges::fill(arena->before_, kCanary);
  std::ranges::fill(arena->after_, kCanary);
  return arena;
}

Arena::~Arena() { munmap(mapping_, mapping_bytes_); }

void Arena::Poison(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  std::memset(bytes_.data() + begin, static_cast<int>(kPoison),
              static_cast<std::size_t>(end - begin));
}

bool Arena::CanaryIsIntact() const {
  const auto intact = [](std::byte byte) { return byte == kCanary; };
  return std::ranges::all_of(before_, intact) && std::ranges::all_of(after_, intact);
}

}  // namespace opass::runtime
