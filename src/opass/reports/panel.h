#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "opass/reports/picture_layout.h"

namespace opass::reports {

inline constexpr std::int64_t kPanelWidth = 630 * kPixel;
inline constexpr std::int64_t kPanelHeight = 566 * kPixel;

// One side as an <svg> element: the arena above, live bytes below. `attributes`: of the element.
std::string Panel(const PictureSide& side, const SideLayout& layout, const Scales& scales,
                  std::string_view attributes);

// The rectangles of the buffers with their names, from the top left corner of the arena.
std::string ArenaElements(const PictureSide& side, const SideLayout& layout);

// The area of live bytes, the lines of peak and bound, from the top left corner of their plot.
std::string LiveElements(const PictureSide& side, const SideLayout& layout, const Scales& scales);

// The distance of lines on an axis from 0 to `end`, at most `max_lines` of them: powers of two for
// bytes; 1, 2 or 5 times a power of ten for steps.
std::int64_t ByteTick(std::int64_t end, std::int64_t max_lines);
std::int64_t StepTick(std::int64_t end, std::int64_t max_lines);

}  // namespace opass::reports
