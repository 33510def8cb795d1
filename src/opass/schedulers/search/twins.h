#pragma once

#include <vector>

#include "opass/memory/storage.h"
#include "opass/schedulers/search/precedences.h"

namespace opass::schedulers {

// Twins are operators, or chains of operators that lead from one to the next alone, that could
// change places: they read the same storages, make outputs of the same sizes for the same readers,
// and take over alike. Changing them in an order changes no step, so that of every order there is
// one as good in which the first operators of twins follow their ids. Returns the precedences that
// say so; searches need not look at the other orders.
std::vector<Precedence> TwinPrecedences(const memory::StorageGraph& graph);

}  // namespace opass::schedulers
