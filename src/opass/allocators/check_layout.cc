#include "opass/allocators/check_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "opass/memory/extent_overlaps.h"

namespace opass::allocators {
namespace {

Error Refuse(std::string message) { return {ErrorCode::kRefused, std::move(message), "", "", ""}; }

// A buffer's steps between two of its gaps.
struct Span {
  std::int64_t first;
  std::int64_t last;
  std::size_t buffer;
};

// Is there a step in which it has bytes?
bool HoldsBytes(const ListedBuffer& buffer) {
  std::int64_t first = buffer.first;
  for (const Gap& gap : buffer.gaps) {
    if (gap.first > first) break;
    first = gap.last;
  }
  return buffer.size_bytes > 0 && first < buffer.last;
}

// The bytes of one pool in use at a step. Every byte has one owner, a group or a buffer without
// one, and as many users as buffers of the owner hold it.
class BytesInUse {
 public:
  // A byte that somebody else owns, if there is one.
  std::optional<std::size_t> Add(std::int64_t begin, std::int64_t end, std::size_t owner) {
    for (auto at = FirstTouching(begin); at != runs_.end() && at->first < end; ++at) {
      if (at->second.owner != owner) return at->second.owner;
    }
    SplitAt(begin);
    SplitAt(end);
    for (auto at = runs_.lower_bound(begin); begin < end; ++at) {
      if (at == runs_.end() || at->first > begin) {
        const std::int64_t until = at == runs_.end() ? end : std::min(end, at->first);
        at = runs_.emplace_hint(at, begin, Run{until, owner, 0});
      }
      ++at->second.users;
      begin = at->second.end;
    }
    return std::nullopt;
  }

  void Remove(std::int64_t begin, std::int64_t end) {
    for (auto at = runs_.lower_bound(begin); at != runs_.end() && at->first < end;) {
      at = --at->second.users == 0 ? runs_.erase(at) : std::next(at);
    }
  }

 private:
  struct Run {
    std::int64_t end;
    std::size_t owner;
    std::size_t users;
  };
  using Runs = std::map<std::int64_t, Run>;  // by begin, apart

  Runs::iterator FirstTouching(std::int64_t begin) {
    auto at = runs_.upper_bound(begin);
    if (at != runs_.begin() && std::prev(at)->second.end > begin) --at;
    return at;
  }

  void SplitAt(std::int64_t byte) {
    const auto at = FirstTouching(byte);
    if (at == runs_.end() || at->first >= byte) return;
    const Run upper = at->second;
    at->second.end = byte;
    runs_.emplace(byte, upper);
  }

  Runs runs_;
};

class LayoutJudge {
 public:
  LayoutJudge(std::span<const ListedBuffer> buffers, std::span<const Pool> pools,
              const ListLayout& layout)
      : buffers_(buffers), pools_(pools), layout_(layout) {}

  Status Judge() {
    const std::size_t count = buffers_.size();
    if (layout_.offsets.size() != count || layout_.pools.size() != count) {
      return Refuse("another number of offsets than buffers");
    }
    if (layout_.arena_bytes.size() != pools_.size()) return Refuse("another number of arenas");
    for (std::size_t i = 0; i < count; ++i) OPASS_RETURN_IF_ERROR(JudgePlace(i));
    OPASS_RETURN_IF_ERROR(JudgeGroups());
    return JudgeOverlaps();
  }

 private:
  Error RefuseOffset(std::size_t i, std::string_view why) const {
    return Refuse(
        fmt::format("the offset of '{}' is {}, {}", buffers_[i].name, layout_.offsets[i], why));
  }

  Status JudgePlace(std::size_t i) const {
    const ListedBuffer& buffer = buffers_[i];
    const std::int64_t offset = layout_.offsets[i];
    if (layout_.pools[i] >= pools_.size()) return Refuse("a pool that there is not");
    const Pool& pool = pools_[layout_.pools[i]];
    if (!buffer.pool.empty() && buffer.pool != pool.name) {
      return Refuse(fmt::format("'{}' lies in pool '{}'", buffer.name, pool.name));
    }
    if (offset < 0) return RefuseOffset(i, "below 0");
    if (offset % buffer.alignment != 0) return RefuseOffset(i, "off its alignment");
    if (buffer.pinned_offset && offset != *buffer.pinned_offset) {
      return RefuseOffset(i, "not its pin");
    }
    if (!HoldsBytes(buffer)) return {};
    if (buffer.size_bytes > layout_.arena_bytes[layout_.pools[i]] - offset) {
      return RefuseOffset(i, "and its end is beyond the arena");
    }
    for (const ByteRange& range : pool.forbidden) {
      if (range.begin < offset + buffer.size_bytes && offset < range.end &&
          range.begin < range.end) {
        return RefuseOffset(i, "in a forbidden range");
      }
    }
    return {};
  }

  Status JudgeGroups() {
    std::map<std::string_view, std::size_t> first_of;  // by name
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      owners_.push_back(i);
      if (buffers_[i].group.empty()) continue;
      const std::size_t other = first_of.try_emplace(buffers_[i].group, i).first->second;
      owners_[i] = other;
      const auto base = [&](std::size_t b) { return layout_.offsets[b] - buffers_[b].delta_bytes; };
      if (base(i) != base(other)) return RefuseOffset(i, "not at its distance in its group");
      if (layout_.pools[i] != layout_.pools[other]) {
        return Refuse(fmt::format("group '{}' lies in two pools", buffers_[i].group));
      }
    }
    return {};
  }

  std::vector<Span> Spans() const {
    std::vector<Span> spans;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i].size_bytes == 0) continue;
      std::int64_t first = buffers_[i].first;
      for (const Gap& gap : buffers_[i].gaps) {
        if (first < gap.first) spans.push_back({first, gap.first, i});
        first = gap.last;
      }
      if (first < buffers_[i].last) spans.push_back({first, buffers_[i].last, i});
    }
    return spans;
  }

  Status JudgeOverlaps() {
    std::vector<Span> births = Spans();
    std::vector<Span> deaths = births;
    std::sort(births.begin(), births.end(), [](const Span& a, const Span& b) {
      return std::tie(a.first, a.buffer) < std::tie(b.first, b.buffer);
    });
    std::sort(deaths.begin(), deaths.end(), [](const Span& a, const Span& b) {
      return std::tie(a.last, a.buffer) < std::tie(b.last, b.buffer);
    });
    std::vector<BytesInUse> in_use(pools_.size());
    auto dead = deaths.begin();
    for (const Span& born : births) {
      for (; dead->last <= born.first; ++dead) {
        in_use[layout_.pools[dead->buffer]].Remove(layout_.offsets[dead->buffer],
                                                   End(dead->buffer));
      }
      BytesInUse& bytes = in_use[layout_.pools[born.buffer]];
      const std::int64_t offset = layout_.offsets[born.buffer];
      if (const auto owner = bytes.Add(offset, End(born.buffer), owners_[born.buffer])) {
        return Refuse(fmt::format("'{}' and '{}' overlap at step {}", NameOf(*owner, born),
                                  buffers_[born.buffer].name, born.first));
      }
    }
    return {};
  }

  std::int64_t End(std::size_t i) const { return layout_.offsets[i] + buffers_[i].size_bytes; }

  // Of the buffers of `owner`, one that `born` overlaps at its birth.
  std::string_view NameOf(std::size_t owner, const Span& born) const {
    for (const Span& span : Spans()) {
      const std::size_t i = span.buffer;
      if (owners_[i] == owner && span.first <= born.first && born.first < span.last &&
          layout_.offsets[i] < End(born.buffer) && layout_.offsets[born.buffer] < End(i)) {
        return buffers_[i].name;
      }
    }
    return buffers_[owner].name;
  }

  const std::span<const ListedBuffer> buffers_;
  const std::span<const Pool> pools_;
  const ListLayout& layout_;
  std::vector<std::size_t> owners_;  // per buffer: the first one of its group, or itself
};

}  // namespace

Status CheckLayout(std::span<const ListedBuffer> buffers, std::span<const Pool> pools,
                   const ListLayout& layout) {
  return LayoutJudge(buffers, pools, layout).Judge();
}

Status CheckOffsets(std::span<const ListedBuffer> buffers, std::span<const std::int64_t> offsets) {
  if (buffers.size() != offsets.size()) return Refuse("another number of offsets than buffers");
  std::vector<memory::check::Extent> extents;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const ListedBuffer& buffer = buffers[i];
    if (offsets[i] < 0 || offsets[i] > kMostListBytes - buffer.size_bytes) {
      return Refuse(fmt::format("the offset of '{}' is {}", buffer.name, offsets[i]));
    }
    extents.push_back({offsets[i], offsets[i] + buffer.size_bytes, buffer.first, buffer.last});
  }
  if (const auto overlap = memory::check::FindOverlap(extents)) {
    const ListedBuffer& later = buffers[overlap->later];
    return Refuse(fmt::format("'{}' and '{}' overlap at step {}", buffers[overlap->earlier].name,
                              later.name, later.first));
  }
  return {};
}

}  // namespace opass::allocators
