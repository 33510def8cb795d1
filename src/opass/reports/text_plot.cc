#include "opass/reports/text_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/support/bytes.h"

namespace opass::reports {

std::string TextPlot(const std::vector<std::int64_t>& step_bytes, int width, int height) {
  if (step_bytes.empty()) return "";
  static constexpr const char* kEighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t num_steps = step_bytes.size();
  const std::size_t columns = std::min(num_steps, static_cast<std::size_t>(width));
  std::vector<std::int64_t> column_bytes(columns);
  for (std::size_t step = 0; step < num_steps; ++step) {
    std::int64_t& bytes = column_bytes[step * columns / num_steps];
    bytes = std::max(bytes, step_bytes[step]);
  }
  const std::int64_t peak = std::max<std::int64_t>(1, *std::ranges::max_element(step_bytes));
  std::string text;
  for (int row = height; row-- > 0;) {
    text += row == height - 1 ? fmt::format("{:>12} ┤", FormatBytes(peak))
            : row == 0        ? fmt::format("{:>12} ┤", "0 B")
                              : fmt::format("{:>12} │", "");
    for (const std::int64_t bytes : column_bytes) {
      const double eighths =
          8.0 * (static_cast<double>(bytes) * height / static_cast<double>(peak) -
                 static_cast<double>(row));
      text += kEighths[static_cast<int>(std::clamp(eighths, 0.0, 8.0))];
    }
    text += '\n';
  }
  return text + fmt::format("{:>12}  step 0 .. {}\n", "", num_steps - 1);
}

}  // namespace opass::reports
