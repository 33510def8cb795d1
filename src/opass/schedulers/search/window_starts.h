#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

// ImproveByWindows from several orders: each gets a little work, and the best of them then as much
// as all did. Which order leads to the best one cannot be told from its peak. Those far above the
// best are left out, and orders that stand there twice. Returns the best order found, no worse than
// the best given; all in about three seconds.
std::vector<memory::OpId> BestByWindows(const memory::StorageGraph& graph,
                                        std::span<const std::vector<memory::OpId>> starts,
                                        std::int64_t floor_bytes);

}  // namespace opass::schedulers
