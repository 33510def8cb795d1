#include "opass/bench/allocate_puzzles.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace opass::bench {
namespace {

constexpr std::int64_t kSide = 1024;  // steps and units
constexpr std::int64_t kScale = 1024;

using Random = std::mt19937_64;

std::int64_t Below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

struct Piece {
  std::int64_t first = 0;  // steps
  std::int64_t last = 0;
  std::int64_t low = 0;  // units
  std::int64_t high = 0;

  std::int64_t area() const { return (last - first) * (high - low); }
};

// Replaces a piece by two, cut at a step or at a unit.
void Cut(std::vector<Piece>& pieces, std::size_t number, bool in_time, std::int64_t at) {
  Piece other = pieces[number];
  (in_time ? pieces[number].last : pieces[number].high) = at;
  (in_time ? other.first : other.low) = at;
  pieces.push_back(other);
}

// None of those that live at three steps, so that the arena stays full there.
void RemoveSome(Random& random, std::vector<Piece>& pieces, std::size_t wanted) {
  const std::int64_t steps[] = {Below(random, kSide), Below(random, kSide), Below(random, kSide)};
  for (int tries = 0; tries < 10'000 && pieces.size() > wanted; ++tries) {
    const auto piece = pieces.begin() + Below(random, std::ssize(pieces));
    const bool stays = std::ranges::any_of(
        steps, [&](std::int64_t step) { return piece->first <= step && step < piece->last; });
    if (!stays) pieces.erase(piece);
  }
}

// The larger of any two pieces, anywhere.
std::vector<Piece> UnevenPieces(Random& random) {
  const auto wanted = static_cast<std::size_t>(150 + Below(random, 300));
  const std::int64_t percent_in_time = 40 + 5 * Below(random, 5);
  std::vector<Piece> pieces = {{0, kSide, 0, kSide}};
  while (pieces.size() < wanted + wanted / 6) {
    auto number = static_cast<std::size_t>(Below(random, std::ssize(pieces)));
    const auto other = static_cast<std::size_t>(Below(random, std::ssize(pieces)));
    if (pieces[other].area() > pieces[number].area()) number = other;
    const bool in_time = Below(random, 100) < percent_in_time;
    const Piece& piece = pieces[number];
    const std::int64_t low = in_time ? piece.first : piece.low;
    const std::int64_t high = in_time ? piece.last : piece.high;
    if (high - low > 1) Cut(pieces, number, in_time, low + 1 + Below(random, high - low - 1));
  }
  RemoveSome(random, pieces, wanted);
  return pieces;
}

// Always the largest piece, near its middle and across its longer side; a step counts as two units.
std::vector<Piece> EvenPieces(Random& random) {
  std::vector<Piece> pieces = {{0, kSide, 0, kSide}};
  while (pieces.size() < 500) {
    const auto largest = std::ranges::max_element(pieces, {}, &Piece::area);
    const bool in_time = 2 * (largest->last - largest->first) > largest->high - largest->low;
    const std::int64_t low = in_time ? largest->first : largest->low;
    const std::int64_t length = (in_time ? largest->last : largest->high) - low;
    const std::int64_t at = low + length * (35 + Below(random, 31)) / 100;
    Cut(pieces, static_cast<std::size_t>(largest - pieces.begin()), in_time, at);
  }
  RemoveSome(random, pieces, static_cast<std::size_t>(290 + Below(random, 30)));
  return pieces;
}

}  // namespace

Puzzle MakePuzzle(std::uint64_t number) {
  Random random(number);
  const bool is_even = number % 4 == 0;
  std::vector<Piece> pieces = is_even ? EvenPieces(random) : UnevenPieces(random);
  for (std::size_t i = pieces.size(); i > 1; --i) {
    std::swap(pieces[i - 1],
              pieces[static_cast<std::size_t>(Below(random, static_cast<std::int64_t>(i)))]);
  }
  Puzzle puzzle;
  puzzle.name = fmt::format("{}{}", is_even ? "even" : "uneven", number);
  for (const Piece& piece : pieces) {
    puzzle.buffers.push_back({std::to_string(puzzle.buffers.size()), piece.first * kScale,
                              piece.last * kScale, (piece.high - piece.low) * kScale});
    puzzle.offsets.push_back(piece.low * kScale);
  }
  return puzzle;
}

std::vector<allocators::ListedBuffer> MakeManyBuffers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<allocators::ListedBuffer> buffers;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = Below(random, count);
    const std::int64_t longest = random() % 50 == 0 ? 1000 : 20;
    const std::int64_t size = std::int64_t{64} << Below(random, 8);
    buffers.push_back({std::to_string(i), first, first + 1 + Below(random, longest),
                       size + 64 * Below(random, size / 8)});
  }
  return buffers;
}

}  // namespace opass::bench
