// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a million samples, and the comparison of two such sets, beside the sort that both contain.
#include "analysis/statistics/median_shift.h"
#include "analysis/statistics/rank_test.h"
#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace jitscope::analysis;
using Samples = std::vector<std::uint64_t>;

/// Latencies with a long tail, in nanoseconds.
Samples latencies(std::size_t count, std::uint64_t seed, double scale) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> draw(std::log(scale), 0.3);
  Samples samples(count);
  std::ranges::generate(samples, [&] { return static_cast<std::uint64_t>(draw(random)); });
  return samples;
}

void sortAlone(benchmark::State &state) {
  const Samples samples = latencies(static_cast<std::size_t>(state.range(0)), 1, 350'000);
  for (auto _ : state) {
    Samples copy = samples;
    std::ranges::sort(copy);
    benchmark::DoNotOptimize(copy.data());
  }
}
BENCHMARK(sortAlone)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void describeWithIntervals(benchmark::State &state) {
  const Samples samples = latencies(static_cast<std::size_t>(state.range(0)), 1, 350'000);
  for (auto _ : state) {
    benchmark::DoNotOptimize(describe(samples));
  }
}
BENCHMARK(describeWithIntervals)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void compareSorted(benchmark::State &state) {
  Samples base = latencies(static_cast<std::size_t>(state.range(0)), 1, 350'000);
  Samples contender = latencies(static_cast<std::size_t>(state.range(0)), 2, 360'000);
  std::ranges::sort(base);
  std::ranges::sort(contender);
  for (auto _ : state) {
    benchmark::DoNotOptimize(mannWhitney(base, contender));
    benchmark::DoNotOptimize(medianShift(base, contender));
  }
}
BENCHMARK(compareSorted)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
