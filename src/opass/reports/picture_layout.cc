#include "opass/reports/picture_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

namespace opass::reports {
namespace {

// One division and one multiplication of doubles, each rounded as IEEE 754 says: the same
// everywhere, and monotone, so that buffers that do not overlap are not drawn so.
std::int64_t Scaled(std::int64_t value, std::int64_t of, std::int64_t length) {
  const double part = static_cast<double>(value) / static_cast<double>(of);
  return std::llround(part * static_cast<double>(length));
}

double Area(const PictureBuffer& buffer) {
  return static_cast<double>(buffer.size_bytes) * static_cast<double>(buffer.last - buffer.first);
}

// Held bytes lie below, what shares the bytes of others above them.
int Layer(PictureBuffer::Kind kind) {
  switch (kind) {
    case PictureBuffer::Kind::kHeld:
      return 0;
    case PictureBuffer::Kind::kOwn:
    case PictureBuffer::Kind::kWorkspace:
      return 1;
    case PictureBuffer::Kind::kInPlace:
      return 2;
    case PictureBuffer::Kind::kView:
      return 3;
  }
  return 0;
}

Box BoxOf(const PictureBuffer& buffer, const Scales& scales) {
  return {scales.X(buffer.first), scales.ArenaY(buffer.offset_bytes + buffer.size_bytes),
          scales.X(buffer.last), scales.ArenaY(buffer.offset_bytes)};
}

// The runs of cells of a grid over the arena that the buffers touch, row by row.
std::vector<Box> Merge(const PictureSide& side, const std::vector<std::size_t>& buffers,
                       const Scales& scales) {
  std::vector<bool> touched(static_cast<std::size_t>(kGridColumns * kGridRows));
  const auto cell = [](std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(row * kGridColumns + column);
  };
  const auto last_cell = [](std::int64_t end, std::int64_t size, std::int64_t num) {
    return std::min(num, (end + size - 1) / size);
  };
  constexpr std::int64_t kWidth = kPlotWidth / kGridColumns;
  constexpr std::int64_t kHeight = kArenaHeight / kGridRows;
  for (const std::size_t i : buffers) {
    const Box box = BoxOf(side.buffers[i], scales);
    const std::int64_t right = last_cell(std::max(box.right, box.left + 1), kWidth, kGridColumns);
    const std::int64_t bottom = last_cell(std::max(box.bottom, box.top + 1), kHeight, kGridRows);
    for (std::int64_t row = std::min(box.top / kHeight, kGridRows - 1); row < bottom; ++row) {
      for (std::int64_t column = std::min(box.left / kWidth, kGridColumns - 1); column < right;
           ++column) {
        touched[cell(row, column)] = true;
      }
    }
  }
  std::vector<Box> runs;
  for (std::int64_t row = 0; row < kGridRows; ++row) {
    for (std::int64_t column = 0; column < kGridColumns; ++column) {
      if (!touched[cell(row, column)]) continue;
      const std::int64_t start = column;
      while (column < kGridColumns && touched[cell(row, column)]) ++column;
      runs.push_back({start * kWidth, row * kHeight, column * kWidth, (row + 1) * kHeight});
    }
  }
  return runs;
}

std::vector<LiveColumn> Columns(const std::vector<std::int64_t>& step_bytes, const Scales& scales) {
  std::vector<LiveColumn> columns;
  const std::size_t num_steps = step_bytes.size();
  const std::size_t num_columns = std::min(num_steps, kMaxColumns);
  for (std::size_t i = 0; i < num_columns; ++i) {
    const std::size_t first = i * num_steps / num_columns;
    const std::size_t last = (i + 1) * num_steps / num_columns;
    const auto most = std::max_element(step_bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                       step_bytes.begin() + static_cast<std::ptrdiff_t>(last));
    LiveColumn column;
    column.first = static_cast<std::int64_t>(first);
    column.last = static_cast<std::int64_t>(last);
    column.step = most - step_bytes.begin();
    column.bytes = *most;
    column.box = {scales.X(column.first), scales.LiveY(*most), scales.X(column.last), kLiveHeight};
    columns.push_back(column);
  }
  return columns;
}

}  // namespace

std::int64_t Scales::X(std::int64_t step) const { return Scaled(step, num_steps, kPlotWidth); }
std::int64_t Scales::ArenaY(std::int64_t address) const {
  return kArenaHeight - Scaled(address, bytes, kArenaHeight);
}
std::int64_t Scales::LiveY(std::int64_t live_bytes) const {
  return kLiveHeight - Scaled(live_bytes, bytes, kLiveHeight);
}

Scales ScalesOf(const Picture& picture) {
  Scales scales;
  for (const PictureSide& side : picture.sides) {
    scales.num_steps = std::max(scales.num_steps, static_cast<std::int64_t>(side.steps.size()));
    scales.bytes = std::max({scales.bytes, side.arena_bytes, side.peak_bytes});
  }
  return scales;
}

SideLayout LayOut(const PictureSide& side, const Scales& scales, std::size_t max_rectangles) {
  SideLayout layout;
  layout.peak_step = side.step_bytes.empty()
                         ? -1
                         : std::ranges::max_element(side.step_bytes) - side.step_bytes.begin();
  const std::vector<PictureBuffer>& buffers = side.buffers;
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return Area(buffers[i]); });
  std::vector<std::size_t> merged;
  if (order.size() > max_rectangles) {
    const auto cut = order.begin() + static_cast<std::ptrdiff_t>(max_rectangles);
    merged.assign(cut, order.end());
    order.erase(cut, order.end());
  }
  layout.num_merged = merged.size();
  layout.merged = Merge(side, merged, scales);
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(Layer(buffers[i].kind), buffers[i].first, i);
  });
  for (const std::size_t i : order) {
    const bool at_peak = buffers[i].first <= layout.peak_step && layout.peak_step < buffers[i].last;
    layout.drawn.push_back({i, BoxOf(buffers[i], scales), at_peak});
  }
  layout.columns = Columns(side.step_bytes, scales);
  return layout;
}

}  // namespace opass::reports
