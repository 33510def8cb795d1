#include "opass/allocators/buffer_list_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace opass::allocators {
namespace {

enum Column : std::size_t {
  kId,
  kLower,
  kUpper,
  kSize,
  kNumRequired,
  kAlignment = kNumRequired,
  kGaps,
  kPin,
  kPool,
  kGroup,
  kDelta,
  kOffset,
  kNumColumns,
};
constexpr std::array<std::string_view, kNumColumns> kNames = {
    "id", "lower", "upper", "size", "alignment", "gaps", "pin", "pool", "group", "delta", "offset"};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// Reads a number from the front of `text`, which keeps the rest.
std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
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
      cells_ = Split(text, ',');
      OPASS_RETURN_IF_ERROR(has_heading_ ? ReadRow() : ReadHeading());
    }
    if (!has_heading_) return Fail("no heading", "the first line is id,lower,upper,size");
    return std::move(buffers_);
  }

 private:
  Error Fail(std::string message, std::string hint = "") const {
    return InvalidInput(std::move(message), fmt::format("{}:{}", where_, line_), std::move(hint));
  }

  Status ReadHeading() {
    has_heading_ = true;
    num_cells_ = cells_.size();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const auto column = std::find(kNames.begin(), kNames.end(), cells_[i]);
      if (column == kNames.end()) {
        return Fail(fmt::format("unknown column '{}'", Shown(cells_[i])),
                    "the columns are id,lower,upper,size and perhaps alignment, gaps, pin, pool, "
                    "group, delta, offset");
      }
      auto& place = place_[static_cast<std::size_t>(column - kNames.begin())];
      if (place) return Fail(fmt::format("column '{}' twice", *column));
      place = i;
    }
    for (std::size_t i = 0; i < kNumRequired; ++i) {
      if (!place_[i]) return Fail(fmt::format("no column '{}'", kNames[i]));
    }
    return {};
  }

  // Empty where there is no such column.
  std::string_view Cell(Column column) const {
    return place_[column] ? cells_[*place_[column]] : std::string_view();
  }

  Result<std::int64_t> Number(Column column) const {
    std::string_view rest = Cell(column);
    const std::optional<std::int64_t> number = TakeNumber(rest);
    if (!number || !rest.empty()) {
      return Fail(
          fmt::format("{} '{}' is not a whole number", kNames[column], Shown(Cell(column))));
    }
    return *number;
  }

  Result<std::int64_t> NumberOr(Column column, std::int64_t if_empty) const {
    if (Cell(column).empty()) return if_empty;
    return Number(column);
  }

  Result<std::vector<Gap>> Gaps() const {
    std::vector<Gap> gaps;
    for (const std::string_view part : Split(Cell(kGaps), ' ')) {
      if (part.empty()) continue;
      std::string_view rest = part;
      const auto first = TakeNumber(rest);
      const bool has_dash = rest.starts_with('-');
      if (has_dash) rest.remove_prefix(1);
      const auto last = TakeNumber(rest);
      if (!first || !has_dash || !last || !rest.empty()) {
        return Fail(fmt::format("gap '{}' is not lower-upper", Shown(part)),
                    "several with spaces between them: 3-5 8-9");
      }
      gaps.push_back({*first, *last});
    }
    return gaps;
  }

  Status ReadRow() {
    if (cells_.size() != num_cells_) {
      return Fail(fmt::format("{} cells, the heading has {}", cells_.size(), num_cells_));
    }
    ListedBuffer buffer;
    buffer.name = Cell(kId);
    OPASS_ASSIGN_OR_RETURN(buffer.first, Number(kLower));
    OPASS_ASSIGN_OR_RETURN(buffer.last, Number(kUpper));
    OPASS_ASSIGN_OR_RETURN(buffer.size_bytes, Number(kSize));
    OPASS_ASSIGN_OR_RETURN(buffer.alignment, NumberOr(kAlignment, 1));
    OPASS_ASSIGN_OR_RETURN(buffer.gaps, Gaps());
    if (!Cell(kPin).empty()) {
      OPASS_ASSIGN_OR_RETURN(buffer.pinned_offset, Number(kPin));
    }
    buffer.pool = Cell(kPool);
    buffer.group = Cell(kGroup);
    OPASS_ASSIGN_OR_RETURN(buffer.delta_bytes, NumberOr(kDelta, 0));
    if (const Status status = ValidateBuffer(buffer); !status.ok()) {
      return Fail(status.error().message);
    }
    if (buffer.size_bytes > kMostListBytes - sum_) return Fail("all sizes together exceed 2^62");
    sum_ += buffer.size_bytes;
    buffers_.push_back(std::move(buffer));
    return {};
  }

  const std::string& where_;
  std::size_t line_ = 0;
  bool has_heading_ = false;
  std::size_t num_cells_ = 0;
  std::array<std::optional<std::size_t>, kNumColumns> place_;  // per column: its cell
  std::vector<std::string_view> cells_;                        // of this line
  std::int64_t sum_ = 0;
  std::vector<ListedBuffer> buffers_;
};

// The columns of constraints: is one needed, and its cell of a buffer.
struct Extra {
  Column column;
  bool (*is_set)(const ListedBuffer& buffer);
  std::string (*text)(const ListedBuffer& buffer);
};

constexpr Extra kExtras[] = {
    {kAlignment, [](const ListedBuffer& b) { return b.alignment != 1; },
     [](const ListedBuffer& b) { return std::to_string(b.alignment); }},
    {kGaps, [](const ListedBuffer& b) { return !b.gaps.empty(); },
     [](const ListedBuffer& b) {
       std::string text;
       for (const Gap& gap : b.gaps) {
         text += fmt::format("{}{}-{}", text.empty() ? "" : " ", gap.first, gap.last);
       }
       return text;
     }},
    {kPin, [](const ListedBuffer& b) { return b.pinned_offset.has_value(); },
     [](const ListedBuffer& b) {
       return b.pinned_offset ? std::to_string(*b.pinned_offset) : std::string();
     }},
    {kPool, [](const ListedBuffer& b) { return !b.pool.empty(); },
     [](const ListedBuffer& b) { return b.pool; }},
    {kGroup, [](const ListedBuffer& b) { return !b.group.empty(); },
     [](const ListedBuffer& b) { return b.group; }},
    {kDelta, [](const ListedBuffer& b) { return b.delta_bytes != 0; },
     [](const ListedBuffer& b) { return std::to_string(b.delta_bytes); }},
};

}  // namespace

Result<std::vector<ListedBuffer>> ParseBufferList(std::string_view csv, const std::string& where) {
  return ListReader(where).Read(csv);
}

std::string BufferListToCsv(std::span<const ListedBuffer> buffers,
                            std::span<const std::int64_t> offsets,
                            std::span<const std::string> pools) {
  std::vector<Extra> extras;
  std::string csv = "id,lower,upper,size";
  for (const Extra& extra : kExtras) {
    const bool is_written = (extra.column == kPool && !pools.empty()) ||
                            std::any_of(buffers.begin(), buffers.end(), extra.is_set);
    if (!is_written) continue;
    extras.push_back(extra);
    fmt::format_to(std::back_inserter(csv), ",{}", kNames[extra.column]);
  }
  csv += ",offset\n";
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const ListedBuffer& buffer = buffers[i];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{}", buffer.name, buffer.first, buffer.last,
                   buffer.size_bytes);
    for (const Extra& extra : extras) {
      const bool is_pool = extra.column == kPool && !pools.empty();
      fmt::format_to(std::back_inserter(csv), ",{}", is_pool ? pools[i] : extra.text(buffer));
    }
    fmt::format_to(std::back_inserter(csv), ",{}\n", offsets[i]);
  }
  return csv;
}

}  // namespace opass::allocators
