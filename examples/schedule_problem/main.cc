// Two branches that grow and shrink: which order needs less memory, and is there a better one?
#include <opass/schedule.h>

#include <cstdio>

int main() {
  opass::memory::Problem problem;
  problem.values = {{.name = "x", .size_bytes = 640},
                    {.name = "a", .size_bytes = 6400, .producer = opass::memory::OpId(0)},
                    {.name = "b", .size_bytes = 6400, .producer = opass::memory::OpId(1)},
                    {.name = "c", .size_bytes = 64, .producer = opass::memory::OpId(2)},
                    {.name = "y", .size_bytes = 64, .producer = opass::memory::OpId(3)}};
  using V = opass::memory::ValueId;
  problem.values[4].is_output = true;
  problem.ops = {{.name = "grow_a", .inputs = {V(0)}, .outputs = {V(1)}},
                 {.name = "grow_b", .inputs = {V(0)}, .outputs = {V(2)}},
                 {.name = "shrink_a", .inputs = {V(1)}, .outputs = {V(3)}},
                 {.name = "join", .inputs = {V(2), V(3)}, .outputs = {V(4)}}};
  const auto result = opass::Schedule(problem);
  if (!result.ok()) return std::fprintf(stderr, "%s\n", result.error().ToString().c_str()), 1;
  std::printf("file order %lld, planned %lld, arena %lld bytes%s\n",
              static_cast<long long>(result->plan.file_order_peak_bytes),
              static_cast<long long>(result->plan.peak_bytes),
              static_cast<long long>(result->plan.arena_bytes),
              result->plan.proven_optimal ? ": no order needs less" : "");
}
