#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opass/reports/picture.h"

// Where things are drawn: all geometry of the picture, in hundredths of a pixel.
namespace opass::reports {

inline constexpr std::int64_t kPixel = 100;
inline constexpr std::int64_t kPlotWidth = 540 * kPixel;
inline constexpr std::int64_t kArenaHeight = 320 * kPixel;
inline constexpr std::int64_t kLiveHeight = 130 * kPixel;

// Bounds the size of the file: of a side with more buffers only the largest, by bytes times steps,
// are drawn one by one; the cells of a grid say where the others are.
inline constexpr std::size_t kMaxRectangles = 1500;
inline constexpr std::int64_t kGridColumns = 180;
inline constexpr std::int64_t kGridRows = 80;
inline constexpr std::size_t kMaxColumns = 270;  // of live bytes; each the most of its steps

// From the top left corner of a plot.
struct Box {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t right = 0;
  std::int64_t bottom = 0;
};

// All sides are drawn on the same scales.
struct Scales {
  std::int64_t num_steps = 1;
  std::int64_t bytes = 1;

  std::int64_t X(std::int64_t step) const;
  std::int64_t ArenaY(std::int64_t address) const;
  std::int64_t LiveY(std::int64_t live_bytes) const;
};

Scales ScalesOf(const Picture& picture);

struct DrawnBuffer {
  std::size_t buffer = 0;  // index into PictureSide::buffers
  Box box;
  bool at_peak = false;  // lives at the step of the peak
};

// Live bytes of the steps [first, last): the most, and the first step that has them.
struct LiveColumn {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 0;
  std::int64_t bytes = 0;
  Box box;
};

struct SideLayout {
  std::vector<DrawnBuffer> drawn;  // in the order of drawing: what is shared lies above
  std::vector<Box> merged;         // runs of cells that other buffers touch
  std::size_t num_merged = 0;      // those buffers
  std::vector<LiveColumn> columns;
  std::int64_t peak_step = 0;  // the first with the most live bytes; -1: there are no steps
};

SideLayout LayOut(const PictureSide& side, const Scales& scales,
                  std::size_t max_rectangles = kMaxRectangles);

}  // namespace opass::reports
