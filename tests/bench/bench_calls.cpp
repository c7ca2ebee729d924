// SPDX-License-Identifier: GPL-3.0-or-later
// Whole calls: a hit on one element beside its parts, the clock, and a miss on a function of two operations in a warm process.
#include "event/sink.h"
#include "support/engine_fixture.h"

#include <chrono>

#include <benchmark/benchmark.h>

using namespace jitscope;
using graph::DType;

namespace {

/// An engine that records nothing.
struct Bare {
  std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  event::NullSink sink;
  test::SilentObserver observer;
  std::atomic<bool> stop{false};
  std::unique_ptr<runtime::Engine> engine = std::move(*runtime::Engine::create(runtime::EngineSetup{*clock, sink, observer, stop}));

  base::FunctionId define() {
    return engine->defineFunction("f", 1, false, std::make_unique<test::BuiltGraphs>(test::multiplyAddOne, nullptr));
  }
};

void wholeHitOnOneElement(benchmark::State &state) {
  Bare bare;
  const base::FunctionId function = bare.define();
  const graph::Tensor one = *bare.engine->tensors().allocate(DType::F32, {1});
  const std::array<script::Argument, 2> arguments{one, one};
  for (auto _ : state) {
    benchmark::DoNotOptimize(bare.engine->call(function, arguments));
  }
}
BENCHMARK(wholeHitOnOneElement);

void allocateAndFreeOneResult(benchmark::State &state) {
  Bare bare;
  for (auto _ : state) {
    benchmark::DoNotOptimize(bare.engine->tensors().allocate(DType::F32, {1}));
  }
}
BENCHMARK(allocateAndFreeOneResult);

void clockOfARun(benchmark::State &state) {
  const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  for (auto _ : state) {
    benchmark::DoNotOptimize(clock->nowNs());
  }
}
BENCHMARK(clockOfARun);

void clockOfTheStandardLibrary(benchmark::State &state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::chrono::steady_clock::now());
  }
}
BENCHMARK(clockOfTheStandardLibrary);

void missOnTwoOperations(benchmark::State &state) {
  Bare bare;
  const base::FunctionId function = bare.define();
  std::int64_t size = 100;
  for (auto _ : state) {
    // A shape that was never seen: nothing can be reused.
    state.PauseTiming();
    const graph::Tensor input = *bare.engine->tensors().allocate(DType::F32, {++size});
    const std::array<script::Argument, 2> arguments{input, input};
    state.ResumeTiming();
    benchmark::DoNotOptimize(bare.engine->call(function, arguments));
  }
}
BENCHMARK(missOnTwoOperations)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
