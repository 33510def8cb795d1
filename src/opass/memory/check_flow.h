#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace opass::memory::check {

inline constexpr std::uint64_t kMaxWork = 2'000'000'000;  // arcs and operators looked at: seconds
inline constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max() / 2;

// A network and its flow. A plain maximum flow, apart from the one that finds bounds.
class Network {
 public:
  explicit Network(std::size_t nodes) : arcs_of_(nodes) {}

  std::size_t AddNode();
  // Arcs from a node to itself are left out.
  void AddArc(std::size_t from, std::size_t to, std::int64_t capacity);

  // Pushes flow, all shortest paths at a time, until `enough` flows, or all that can. Every flow is
  // a lower bound of the cut. None: `work`, to which the arcs looked at are added, is above
  // kMaxWork.
  std::optional<std::int64_t> Flow(std::size_t source, std::size_t sink, std::int64_t enough,
                                   std::uint64_t& work);

 private:
  struct Arc {
    std::size_t to;
    std::int64_t left;
  };

  bool Measure(std::size_t source, std::size_t sink, std::uint64_t& work);
  std::int64_t PushAlongShortest(std::size_t source, std::size_t sink, std::int64_t enough,
                                 std::uint64_t& work);
  std::int64_t Push(const std::vector<std::size_t>& path);

  std::vector<Arc> arcs_;  // an arc and its reverse are neighbours
  std::vector<std::vector<std::size_t>> arcs_of_;
  std::vector<std::size_t> distance_;  // from the source
  std::vector<std::size_t> tried_;     // per node: arcs that lead nowhere
};

}  // namespace opass::memory::check
