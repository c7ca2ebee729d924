// SPDX-License-Identifier: GPL-3.0-or-later
// Whole calls: a hit on one element beside its parts, the clock, and a miss on a function of two operations in a warm process.
#include "event/sink.h"
#include "runtime/call_overhead.h"
#include "runtime/compiler.h"
#include "runtime/dispatcher.h"
#include "runtime/id_registry.h"
#include "runtime/tensor_pool.h"
#include "runtime/vectorization_log.h"
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

/// What a benchmark's samples of one element say, as the mean: what they say too much is their overhead.
void sampleOfOneElement(benchmark::State &state) {
  Bare bare;
  const base::FunctionId function = bare.define();
  const graph::Tensor one = *bare.engine->tensors().allocate(DType::F32, {1});
  script::BenchRequest request;
  request.warmupSeconds = 0.01;
  request.timeSeconds = 60;
  request.maxSamples = 10'000;
  request.legs = {event::Leg::Warm};
  request.cases = {{"one", function, {{"", {one, one}}}}};
  for (auto _ : state) {
    const auto legs = bare.engine->bench(request);
    double sumNs = 0;
    for (const script::Sample &sample : legs->at(0).samples) {
      sumNs += static_cast<double>(sample.totalNs);
    }
    state.SetIterationTime(sumNs / static_cast<double>(legs->at(0).samples.size()) * 1e-9);
  }
}
BENCHMARK(sampleOfOneElement)->UseManualTime()->Iterations(20);

/// The same calls with no clock between them, as its baseline: many in a row, whose results are freed afterwards.
void callOfOneElementInARow(benchmark::State &state) {
  constexpr std::uint64_t kCalls = 1000;
  const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  event::NullSink sink;
  runtime::IdRegistry ids(sink);
  runtime::TensorPool pool;
  runtime::VectorizationLog vectorization;
  const std::unique_ptr<runtime::Compiler> compiler = std::move(*runtime::Compiler::create(*clock, {}));
  runtime::Dispatcher dispatcher({*clock, sink, ids, pool, *compiler, vectorization}, 0);
  const base::FunctionId function =
      dispatcher.addFunction("f", 1, false, std::make_unique<test::BuiltGraphs>(test::multiplyAddOne, nullptr));
  const graph::Tensor one = *pool.allocate(DType::F32, {1});
  const std::array<script::Argument, 2> arguments{one, one};
  benchmark::DoNotOptimize(dispatcher.call(function, arguments, {}));
  for (auto _ : state) {
    const auto row = dispatcher.callBatch(function, arguments, {}, kCalls);
    state.SetIterationTime(static_cast<double>(row->durationNs) / kCalls * 1e-9);
  }
}
BENCHMARK(callOfOneElementInARow)->UseManualTime()->Iterations(200);

void timingOverheadThatSamplesAreToldToHave(benchmark::State &state) {
  const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  for (auto _ : state) {
    state.SetIterationTime(runtime::measureTimingOverheadNs(*clock) * 1e-9);
  }
}
BENCHMARK(timingOverheadThatSamplesAreToldToHave)->UseManualTime()->Iterations(20);

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
