#include "opass/allocators/allocate_buffers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "opass/allocators/check_layout.h"
#include "opass/allocators/choose_pools.h"
#include "opass/allocators/list_blocks.h"
#include "opass/allocators/place_pool.h"
#include "opass/allocators/resolve_pools.h"

namespace opass::allocators {
namespace {

constexpr int kMostChoices = 4;  // of pools, each with less room where the last did not fit

Status ValidatePlain(const BufferList& list) {
  std::int64_t sum = 0;
  for (const ListedBuffer& buffer : list.buffers) {
    const Status status = ValidateBuffer(buffer);
    if (!status.ok()) return InvalidInput(status.error().message, buffer.name);
    if (buffer.size_bytes > kMostListBytes - sum) {
      return InvalidInput("all sizes together exceed 2^62", buffer.name);
    }
    sum += buffer.size_bytes;
  }
  for (const Pool& pool : list.pools) {
    if (pool.capacity_bytes.value_or(0) < 0) return InvalidInput("capacity is negative");
  }
  return {};
}

Result<BufferAllocation> AllocatePlain(const BufferList& list, AllocateOptions options) {
  OPASS_RETURN_IF_ERROR(ValidatePlain(list));
  Pool pool = list.pools.empty() ? Pool{} : list.pools.front();
  if (pool.capacity_bytes) options.capacity_bytes = pool.capacity_bytes;
  OPASS_ASSIGN_OR_RETURN(Allocation found, AllocateList(list.buffers, options));
  BufferAllocation made;
  made.offsets = std::move(found.offsets);
  made.pool_of_buffer.assign(list.buffers.size(), 0);
  made.max_live_bytes = found.max_live_bytes;
  pool.capacity_bytes = options.capacity_bytes;
  made.pools.push_back(
      {std::move(pool), found.arena_bytes, found.max_live_bytes, found.lower_bound_bytes});
  return made;
}

// By how much the arenas exceed their pools.
std::int64_t ExcessOf(const BufferAllocation& made) {
  std::int64_t excess = 0;
  for (const PoolAllocation& each : made.pools) {
    if (const auto capacity = each.pool.capacity_bytes) {
      excess += std::max<std::int64_t>(0, each.arena_bytes - *capacity);
    }
  }
  return excess;
}

class BufferAllocator {
 public:
  BufferAllocator(const BufferList& list, ResolvedList resolved, const AllocateOptions& options)
      : buffers_(list.buffers), resolved_(std::move(resolved)), options_(options) {
    if (options_.max_seconds) {
      *options_.max_seconds /= static_cast<double>(resolved_.pools.size());
    }
    for (Pool& pool : resolved_.pools) {
      if (!pool.capacity_bytes) pool.capacity_bytes = options.capacity_bytes;
    }
  }

  Result<BufferAllocation> Run() {
    bool has_choice = false;
    for (const Unit& unit : resolved_.units) {
      OPASS_ASSIGN_OR_RETURN(UnitBlock block, MakeUnitBlock(buffers_, unit));
      blocks_.push_back(std::move(block));
      if (unit.pool != kAnyPool) continue;
      has_choice = true;
      if (blocks_.back().block.fixed_base) {
        return InvalidInput("a pin needs a pool", buffers_[unit.buffers.front()].name);
      }
    }
    std::vector<std::int64_t> room = Rooms();
    OPASS_ASSIGN_OR_RETURN(BufferAllocation best, Place(room));
    OPASS_ASSIGN_OR_RETURN(const std::int64_t max_live, MaxLive());
    std::int64_t excess = ExcessOf(best);
    // Where the choice does not fit, another one that leaves more room there.
    BufferAllocation last = best;
    for (int i = 1; has_choice && excess > 0 && i < kMostChoices; ++i) {
      for (std::size_t p = 0; p < room.size(); ++p) {
        const std::int64_t most = last.pools[p].pool.capacity_bytes.value_or(kMostListBytes);
        room[p] -= std::max<std::int64_t>(0, last.pools[p].arena_bytes - most);
      }
      OPASS_ASSIGN_OR_RETURN(last, Place(room));
      if (ExcessOf(last) < excess) best = last;
      excess = ExcessOf(best);
    }
    best.has_choice = has_choice;
    best.max_live_bytes = max_live;
    return best;
  }

 private:
  Result<std::int64_t> MaxLive() const {
    std::vector<Block> blocks;
    for (const UnitBlock& each : blocks_) {
      if (!each.block.pieces.empty()) blocks.push_back(each.block);
    }
    OPASS_ASSIGN_OR_RETURN(const PoolBlocks all, MakePoolBlocks(std::move(blocks), {}));
    return all.max_live_bytes;
  }

  std::vector<std::int64_t> Rooms() const {
    std::vector<std::int64_t> rooms;
    for (const Pool& pool : resolved_.pools) {
      std::int64_t room = pool.capacity_bytes.value_or(std::numeric_limits<std::int64_t>::max());
      for (const ByteRange& range : pool.forbidden) {
        if (!pool.capacity_bytes || range.begin >= *pool.capacity_bytes) continue;
        room -= std::min(range.end, *pool.capacity_bytes) - range.begin;
      }
      rooms.push_back(room);
    }
    return rooms;
  }

  Result<BufferAllocation> Place(const std::vector<std::int64_t>& room) {
    unit_pools_ = ChoosePools(resolved_.units, blocks_, room);
    BufferAllocation made;
    made.offsets.assign(buffers_.size(), 0);
    made.pool_of_buffer.assign(buffers_.size(), 0);
    ListLayout layout;
    for (std::size_t p = 0; p < resolved_.pools.size(); ++p) {
      OPASS_RETURN_IF_ERROR(CheckFixed(p));
      OPASS_RETURN_IF_ERROR(PlaceOne(p, made));
      layout.arena_bytes.push_back(made.pools.back().arena_bytes);
    }
    layout.offsets = made.offsets;
    layout.pools = made.pool_of_buffer;
    if (const Status status = CheckLayout(buffers_, resolved_.pools, layout); !status.ok()) {
      return InternalError("the check refuses the offsets: " + status.error().message);
    }
    return made;
  }

  // What is pinned cannot make way.
  Status CheckFixed(std::size_t pool) const {
    std::vector<ListedBuffer> pinned;
    ListLayout layout;
    for (std::size_t u = 0; u < blocks_.size(); ++u) {
      const auto base = blocks_[u].block.fixed_base;
      if (!base || unit_pools_[u] != pool) continue;
      for (std::size_t i = 0; i < blocks_[u].delta_bytes.size(); ++i) {
        pinned.push_back(buffers_[resolved_.units[u].buffers[i]]);
        layout.offsets.push_back(*base + blocks_[u].delta_bytes[i]);
      }
    }
    layout.pools.assign(pinned.size(), 0);
    layout.arena_bytes = {std::numeric_limits<std::int64_t>::max()};
    const Status status = CheckLayout(pinned, {&resolved_.pools[pool], 1}, layout);
    if (status.ok()) return {};
    return WithReason(NotPossible("the pins leave no layout: " + status.error().message, "",
                                  "no capacity is enough"),
                      "does-not-fit");
  }

  Status PlaceOne(std::size_t number, BufferAllocation& made) {
    const Pool& pool = resolved_.pools[number];
    std::vector<std::size_t> placed_units;
    std::vector<Block> blocks;
    for (std::size_t u = 0; u < blocks_.size(); ++u) {
      if (unit_pools_[u] != number) continue;
      const Block& block = blocks_[u].block;
      SetOffsets(u, block.fixed_base.value_or(AlignedUp(block, 0)), made);
      if (block.pieces.empty()) continue;
      placed_units.push_back(u);
      blocks.push_back(block);
    }
    AllocateOptions options = options_;
    options.capacity_bytes = pool.capacity_bytes;
    OPASS_ASSIGN_OR_RETURN(const PoolBlocks problem, MakePoolBlocks(std::move(blocks), pool));
    OPASS_ASSIGN_OR_RETURN(const PlacedPool placed, PlacePool(problem, options));
    for (std::size_t i = 0; i < placed_units.size(); ++i) {
      SetOffsets(placed_units[i], placed.bases[i], made);
    }
    made.pools.push_back(
        {pool, placed.arena_bytes, problem.max_live_bytes, placed.lower_bound_bytes});
    return {};
  }

  void SetOffsets(std::size_t unit, std::int64_t base, BufferAllocation& made) const {
    const std::vector<std::size_t>& buffers = resolved_.units[unit].buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      made.offsets[buffers[i]] = base + blocks_[unit].delta_bytes[i];
      made.pool_of_buffer[buffers[i]] = unit_pools_[unit];
    }
  }

  const std::vector<ListedBuffer>& buffers_;
  ResolvedList resolved_;
  AllocateOptions options_;
  std::vector<UnitBlock> blocks_;        // per unit
  std::vector<std::size_t> unit_pools_;  // of this choice
};

}  // namespace

Result<BufferAllocation> AllocateBuffers(const BufferList& list, const AllocateOptions& options) {
  if (IsPlain(list)) return AllocatePlain(list, options);
  OPASS_ASSIGN_OR_RETURN(ResolvedList resolved, ResolvePools(list));
  return BufferAllocator(list, std::move(resolved), options).Run();
}

}  // namespace opass::allocators
