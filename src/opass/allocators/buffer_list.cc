#include "opass/allocators/buffer_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include "opass/memory/extent_overlaps.h"

namespace opass::allocators {
namespace {

constexpr std::array<std::string_view, 5> kColumns = {"id", "lower", "upper", "size", "offset"};
constexpr std::size_t kOffset = 4;  // may be missing
constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

std::vector<std::string_view> Cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    cells.push_back(line.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

std::optional<std::int64_t> ParseNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What a message may quote.
std::string Shown(std::string_view text) {
  std::string shown(text.substr(0, 40));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

class ListReader {
 public:
  explicit ListReader(const std::string& where) : where_(where) {}

  Result<std::vector<ListedBuffer>> Read(std::string_view csv) {
    while (!csv.empty()) {
      const std::size_t newline = csv.find('\n');
      std::string_view text = csv.substr(0, newline);
      csv.remove_prefix(newline == std::string_view::npos ? csv.size() : newline + 1);
      ++line_;
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (text.empty()) continue;
      OPASS_RETURN_IF_ERROR(has_heading_ ? ReadRow(Cells(text)) : ReadHeading(Cells(text)));
    }
    if (!has_heading_) return Fail("no heading", "the first line is id,lower,upper,size");
    return std::move(buffers_);
  }

 private:
  Error Fail(std::string message, std::string hint = "") const {
    return InvalidInput(std::move(message), fmt::format("{}:{}", where_, line_), std::move(hint));
  }

  Status ReadHeading(const std::vector<std::string_view>& cells) {
    has_heading_ = true;
    num_cells_ = cells.size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto column = std::find(kColumns.begin(), kColumns.end(), cells[i]);
      if (column == kColumns.end()) {
        return Fail(fmt::format("unknown column '{}'", Shown(cells[i])),
                    "the columns are id,lower,upper,size and perhaps offset");
      }
      auto& place = place_[static_cast<std::size_t>(column - kColumns.begin())];
      if (place) return Fail(fmt::format("column '{}' twice", *column));
      place = i;
    }
    for (std::size_t i = 0; i < kOffset; ++i) {
      if (!place_[i]) return Fail(fmt::format("no column '{}'", kColumns[i]));
    }
    return {};
  }

  Status ReadRow(const std::vector<std::string_view>& cells) {
    if (cells.size() != num_cells_) {
      return Fail(fmt::format("{} cells, the heading has {}", cells.size(), num_cells_));
    }
    std::array<std::int64_t, kOffset> number = {};
    for (std::size_t i = 1; i < kOffset; ++i) {
      const std::string_view text = cells[*place_[i]];
      const std::optional<std::int64_t> parsed = ParseNumber(text);
      if (!parsed) {
        return Fail(fmt::format("{} '{}' is not a whole number", kColumns[i], Shown(text)));
      }
      number[i] = *parsed;
    }
    ListedBuffer buffer{std::string(cells[*place_[0]]), number[1], number[2], number[3]};
    if (buffer.first >= buffer.last) return Fail("upper is not above lower");
    if (buffer.size_bytes < 0) return Fail("size is negative");
    if (buffer.size_bytes > kMostBytes - sum_) return Fail("all sizes together exceed 2^62");
    sum_ += buffer.size_bytes;
    buffers_.push_back(std::move(buffer));
    return {};
  }

  const std::string& where_;
  std::size_t line_ = 0;
  bool has_heading_ = false;
  std::size_t num_cells_ = 0;
  std::array<std::optional<std::size_t>, kColumns.size()> place_;  // per column: its cell
  std::int64_t sum_ = 0;
  std::vector<ListedBuffer> buffers_;
};

}  // namespace

Result<std::vector<ListedBuffer>> ParseBufferList(std::string_view csv, const std::string& where) {
  return ListReader(where).Read(csv);
}

std::string BufferListToCsv(std::span<const ListedBuffer> buffers,
                            std::span<const std::int64_t> offsets) {
  std::string csv = "id,lower,upper,size,offset\n";
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const ListedBuffer& buffer = buffers[i];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{}\n", buffer.name, buffer.first,
                   buffer.last, buffer.size_bytes, offsets[i]);
  }
  return csv;
}

Status CheckOffsets(std::span<const ListedBuffer> buffers, std::span<const std::int64_t> offsets) {
  const auto refuse = [](std::string message) {
    return Error{ErrorCode::kRefused, std::move(message), "", "", ""};
  };
  if (buffers.size() != offsets.size()) return refuse("another number of offsets than buffers");
  std::vector<memory::check::Extent> extents;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& [name, first, last, size_bytes] = buffers[i];
    if (offsets[i] < 0 || offsets[i] > kMostBytes - size_bytes) {
      return refuse(fmt::format("the offset of '{}' is {}", name, offsets[i]));
    }
    extents.push_back({offsets[i], offsets[i] + size_bytes, first, last});
  }
  if (const auto overlap = memory::check::FindOverlap(extents)) {
    const ListedBuffer& later = buffers[overlap->later];
    return refuse(fmt::format("'{}' and '{}' overlap at step {}", buffers[overlap->earlier].name,
                              later.name, later.first));
  }
  return {};
}

}  // namespace opass::allocators
