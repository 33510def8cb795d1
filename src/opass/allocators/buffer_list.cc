#include "opass/allocators/buffer_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

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

struct Event {
  std::int64_t step;
  bool is_birth;  // deaths come first
  std::size_t buffer;
  bool operator<(const Event& other) const {
    return std::tie(step, is_birth, buffer) < std::tie(other.step, other.is_birth, other.buffer);
  }
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
  std::vector<Event> events;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (offsets[i] < 0 || offsets[i] > kMostBytes) {
      return refuse(fmt::format("the offset of '{}' is {}", buffers[i].name, offsets[i]));
    }
    if (buffers[i].size_bytes == 0) continue;
    events.push_back({buffers[i].first, true, i});
    events.push_back({buffers[i].last, false, i});
  }
  std::sort(events.begin(), events.end());
  std::map<std::int64_t, std::size_t> live;  // by offset
  const auto end = [&](std::size_t i) { return offsets[i] + buffers[i].size_bytes; };
  for (const auto& [step, is_birth, i] : events) {
    if (!is_birth) {
      live.erase(offsets[i]);
      continue;
    }
    // What lives does not overlap, so only the neighbours can be met.
    const auto above = live.lower_bound(offsets[i]);
    auto met = live.end();
    if (above != live.end() && above->first < end(i)) met = above;
    if (above != live.begin() && end(std::prev(above)->second) > offsets[i]) met = std::prev(above);
    if (met != live.end()) {
      return refuse(fmt::format("'{}' and '{}' overlap at step {}", buffers[met->second].name,
                                buffers[i].name, step));
    }
    live.emplace(offsets[i], i);
  }
  return {};
}

}  // namespace opass::allocators
