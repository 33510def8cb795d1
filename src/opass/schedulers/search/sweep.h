#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

// Rearranges an order by sweeps along it, by turns from either end. What is ready and leads to no
// more live bytes than before, over steps within the budget, is taken before the order goes on: it
// costs nothing, whatever the rest (rules R1 and R2 of the design "scheduling"). The budget starts
// low and rises only when the next step of the order and all that is ready need more, to the least
// that one of them needs.
//
// Windows cannot do that: what frees bytes in the middle of the graph, seen from the end (an output
// much larger than what it is made of), moves over the whole order, to where it makes room for what
// else is needed there. Time grows with the links of the graph: some hundredths of a second for
// 100,000 operators.
//
// `floor_bytes`: no order has a lower peak. Returns an order that is no worse. Deterministic.
std::vector<memory::OpId> Sweep(const memory::StorageGraph& graph,
                                std::span<const memory::OpId> order, std::int64_t floor_bytes);

}  // namespace opass::schedulers
