#include "opass/allocators/exact/instance.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace opass::allocators::exact_offsets {
namespace {

// A section is a run of births that a death ends.
void MakeSections(std::span<const Rectangle> rectangles, Instance& made) {
  struct Event {
    std::int64_t step;
    bool is_birth;  // deaths come first
    std::size_t buffer;
    bool operator<(const Event& other) const {
      return std::tie(step, is_birth, buffer) < std::tie(other.step, other.is_birth, other.buffer);
    }
  };
  std::vector<Event> events;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    events.push_back({rectangles[i].first, true, i});
    events.push_back({rectangles[i].last, false, i});
  }
  std::sort(events.begin(), events.end());
  bool open = false;
  for (const Event& event : events) {
    if (event.is_birth) {
      made.first[event.buffer] = made.num_sections;
      open = true;
      continue;
    }
    if (open) ++made.num_sections;
    open = false;
    made.last[event.buffer] = made.num_sections;
  }
}

}  // namespace

bool Instance::Meets(std::int32_t a, std::int32_t b) const {
  const auto x = static_cast<std::size_t>(a);
  const auto y = static_cast<std::size_t>(b);
  return first[x] < last[y] && first[y] < last[x];
}

std::optional<Instance> MakeInstance(std::span<const Rectangle> rectangles) {
  constexpr std::int64_t kMostUnits = std::int64_t{1} << 30;
  Instance made;
  std::int64_t unit = 0;
  for (const Rectangle& rectangle : rectangles) unit = std::gcd(unit, rectangle.size_bytes);
  made.unit_bytes = std::max<std::int64_t>(1, unit);
  std::int64_t sum = 0;
  for (const Rectangle& rectangle : rectangles) {
    const std::int64_t units = rectangle.size_bytes / made.unit_bytes;
    if (units > kMostUnits - sum) return std::nullopt;
    sum += units;
    made.size.push_back(static_cast<std::int32_t>(units));
    made.steps.push_back(static_cast<double>(rectangle.last) -
                         static_cast<double>(rectangle.first));
  }
  made.first.resize(rectangles.size());
  made.last.resize(rectangles.size());
  MakeSections(rectangles, made);
  made.load.assign(static_cast<std::size_t>(made.num_sections), 0);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> families;
  for (std::size_t i = 0; i < made.size.size(); ++i) {
    for (std::int32_t s = made.first[i]; s < made.last[i]; ++s) {
      std::int32_t& load = made.load[static_cast<std::size_t>(s)];
      load += made.size[i];
      made.max_load = std::max(made.max_load, load);
    }
    const auto number = static_cast<std::int32_t>(families.size());
    made.family.push_back(
        families.try_emplace({made.first[i], made.last[i]}, number).first->second);
  }
  return made;
}

}  // namespace opass::allocators::exact_offsets
