#include "opass/allocators/exact/lane.h"

#include <algorithm>

namespace opass::allocators::exact_offsets {
namespace {

constexpr std::uint64_t kRunNodes = 500;
constexpr std::size_t kMostWinners = 8;

template <typename T>
void AddNewest(const T& draw, std::vector<T>& draws) {
  if (draws.size() == kMostWinners) draws.erase(draws.begin());
  draws.push_back(draw);
}

}  // namespace

Lane::Lane(const Instance& instance, LaneKind kind, std::uint64_t seed, bool use_symmetry)
    : instance_(instance),
      kind_(kind),
      use_symmetry_(use_symmetry),
      random_(seed),
      canonical_(instance, &stop_),
      fit_(instance, &stop_) {}

void Lane::Prepare(std::int32_t capacity, const Winners& winners) {
  capacity_ = capacity;
  ++num_runs_;
  const auto draw = [&](const auto& won, auto drawn) {
    const bool again = !won.empty() && random_() % 2 == 0;
    return again ? won[random_() % won.size()] : drawn(random_);
  };
  if (kind_ == LaneKind::kPlain) canonical_draw_ = PlainCanonical(num_runs_ - 1);
  if (kind_ == LaneKind::kCanonical) canonical_draw_ = draw(winners.canonical, DrawCanonical);
  if (kind_ == LaneKind::kFit) fit_draw_ = draw(winners.fit, DrawFit);
}

std::uint64_t Lane::Limit() const {
  if (kind_ != LaneKind::kPlain) return kRunNodes * LubyNumber(num_runs_);
  return 4 * instance_.num_buffers() << std::min<std::uint64_t>((num_runs_ - 1) / 3, 32);
}

void Lane::Run(std::uint64_t max_nodes) {
  max_nodes = std::min(max_nodes, Limit());
  if (kind_ == LaneKind::kFit) {
    FitSettings settings = MakeSettings(instance_, fit_draw_, random_);
    settings.use_symmetry = use_symmetry_;
    answer_ = fit_.Run(capacity_, settings, max_nodes);
  } else {
    CanonicalSettings settings = MakeSettings(instance_, canonical_draw_, random_);
    settings.use_symmetry = use_symmetry_;
    answer_ = canonical_.Run(capacity_, settings, max_nodes);
  }
}

void Lane::AddTo(Winners& winners) const {
  if (kind_ == LaneKind::kFit) AddNewest(fit_draw_, winners.fit);
  if (kind_ == LaneKind::kCanonical) AddNewest(canonical_draw_, winners.canonical);
}

const std::vector<std::int32_t>& Lane::offsets() const {
  return kind_ == LaneKind::kFit ? fit_.offsets() : canonical_.offsets();
}

}  // namespace opass::allocators::exact_offsets
