#include "opass/bench/benchmark.h"

namespace opass::bench {

#define X(name) extern const Benchmark benchmark_##name;
#include "bench_list.inc"
#undef X

namespace {
#define X(name) &benchmark_##name,
constexpr const Benchmark* kBenchmarks[] = {
#include "bench_list.inc"
};
#undef X
}  // namespace

std::span<const Benchmark* const> Benchmarks() { return kBenchmarks; }

}  // namespace opass::bench
