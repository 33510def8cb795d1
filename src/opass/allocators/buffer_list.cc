#include "opass/allocators/buffer_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::allocators {
namespace {

bool IsPlainBuffer(const ListedBuffer& buffer) {
  return buffer.alignment == 1 && !buffer.pinned_offset && buffer.gaps.empty() &&
         buffer.pool.empty() && buffer.group.empty();
}

Status ValidateGaps(const ListedBuffer& buffer) {
  std::int64_t end = buffer.first;
  for (const Gap& gap : buffer.gaps) {
    const std::string text = fmt::format("gap {}-{}", gap.first, gap.last);
    if (gap.first >= gap.last) return InvalidInput(text + " is empty");
    if (gap.first < buffer.first || gap.last > buffer.last) {
      return InvalidInput(text + " is not within the lifetime");
    }
    if (gap.first < end) return InvalidInput(text + " begins before the one before it ends");
    end = gap.last;
  }
  return {};
}

}  // namespace

Status ValidateBuffer(const ListedBuffer& buffer) {
  if (buffer.first >= buffer.last) return InvalidInput("upper is not above lower");
  if (buffer.size_bytes < 0) return InvalidInput("size is negative");
  if (buffer.size_bytes > kMostListBytes) return InvalidInput("size exceeds 2^62");
  if (buffer.alignment < 1 || buffer.alignment > kMostAlignment) {
    return InvalidInput(fmt::format("alignment {} is not from 1 to 2^30", buffer.alignment));
  }
  OPASS_RETURN_IF_ERROR(ValidateGaps(buffer));
  if (const auto pin = buffer.pinned_offset) {
    if (*pin < 0 || *pin > kMostPlacedBytes) {
      return InvalidInput(fmt::format("pin {} is not from 0 to 2^60", *pin));
    }
    if (*pin % buffer.alignment != 0) {
      return InvalidInput(
          fmt::format("pin {} is no multiple of alignment {}", *pin, buffer.alignment));
    }
  }
  if (buffer.group.empty() && buffer.delta_bytes != 0) {
    return InvalidInput("a delta without a group");
  }
  if (buffer.delta_bytes < -kMostPlacedBytes || buffer.delta_bytes > kMostPlacedBytes) {
    return InvalidInput(fmt::format("delta {} is not within 2^60", buffer.delta_bytes));
  }
  return {};
}

bool IsPlain(const BufferList& list) {
  const bool has_limits = std::any_of(list.pools.begin(), list.pools.end(), [](const Pool& pool) {
    return !pool.name.empty() || !pool.forbidden.empty();
  });
  return !has_limits && list.pools.size() <= 1 &&
         std::all_of(list.buffers.begin(), list.buffers.end(), IsPlainBuffer);
}

}  // namespace opass::allocators
