// Offsets for buffers whose lifetimes are known: two pieces of a concat result that lie side by
// side, a buffer at multiples of 256 that rests in the middle of its life, and the first 64 bytes
// kept free.
#include <cstdio>
#include <vector>

#include "opass/allocators/allocate_buffers.h"

int main() {
  using opass::allocators::ListedBuffer;
  opass::allocators::BufferList list;
  list.buffers = {{"left", 0, 3, 1000},
                  {"right", 1, 3, 500},
                  {"both", 2, 6, 1500},  // at step 2 its bytes are those of the pieces
                  {"x", 0, 9, 3000}};
  for (ListedBuffer& buffer : list.buffers) buffer.group = buffer.name == "x" ? "" : "concat";
  list.buffers[1].delta_bytes = 1000;
  list.buffers[3].alignment = 256;
  list.buffers[3].gaps = {{3, 6}};
  list.pools = {{"", 8192, {{0, 64}}}};  // name, capacity, forbidden bytes

  const auto found = opass::allocators::AllocateBuffers(list, {.seed = 1});
  if (!found.ok()) {
    std::fprintf(stderr, "%s\n", found.error().ToString().c_str());
    return opass::ExitCode(found.error().code);
  }
  const opass::allocators::PoolAllocation& pool = found->pools[0];
  std::printf("arena %lld of %lld bytes, at least %lld\n",
              static_cast<long long>(pool.arena_bytes),
              static_cast<long long>(*pool.pool.capacity_bytes),
              static_cast<long long>(pool.lower_bound_bytes));
  for (std::size_t i = 0; i < list.buffers.size(); ++i) {
    std::printf("%s at %lld\n", list.buffers[i].name.c_str(),
                static_cast<long long>(found->offsets[i]));
  }
  return pool.arena_bytes <= *pool.pool.capacity_bytes ? 0 : 3;
}
