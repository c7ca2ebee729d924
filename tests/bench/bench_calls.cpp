// SPDX-License-Identifier: GPL-3.0-or-later
// Whole calls: a hit on one element beside its parts, the clock, and a miss on a function of two operations in a warm process.
#include "cache/executable_cache.h"
#include "event/sink.h"
#include "runtime/bench/call_overhead.h"
#include "runtime/dispatch/argument_numbers.h"
#include "runtime/dispatch/call_key.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/dispatcher.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/memory/tensor_pool.h"
#include "runtime/study/vectorization_log.h"
#include "script/sandbox/watchdog.h"
#include "script/script_context.h"
#include "script/trace/frozen_values.h"
#include "support/engine_fixture.h"

#include <chrono>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <lua.hpp>

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

/// What is captured in the hits below.
enum class Captured : std::int64_t { Numbers, Strings, Globals };

class NoCode final : public cache::Executable {
public:
  [[nodiscard]] std::uint64_t codeBytes() const override { return 100; }
};

/// A Lua function that captures `count` values of a kind.
std::string capturingFunction(Captured what, std::int64_t count) {
  std::string declarations;
  std::string body = "return function(x) return x";
  for (std::int64_t i = 0; i < count; ++i) {
    declarations += fmt::format("{} v{} = {}\n", what == Captured::Globals ? "" : "local", i,
                                what == Captured::Strings ? fmt::format("'mode {}'", i) : fmt::format("{}.5", i));
    body += what == Captured::Strings ? fmt::format(" * #v{}", i) : fmt::format(" * v{}", i);
  }
  return declarations + body + " end";
}

/// A hit (key, lookup, bookkeeping) and noticing that the script has changed none of the values that its code has frozen. Without
/// values it is the baseline.
void hitWithCapturedValues(benchmark::State &state) {
  Bare bare;
  script::Watchdog watchdog({}, 0, bare.stop);
  script::ScriptContext context("bench.lua", *bare.engine, {}, watchdog);
  const std::unique_ptr<lua_State, void (*)(lua_State *)> owned(luaL_newstate(), &lua_close);
  lua_State *lua = owned.get();
  setContext(lua, context);
  if (luaL_dostring(lua, capturingFunction(static_cast<Captured>(state.range(0)), state.range(1)).c_str()) != LUA_OK) {
    state.SkipWithError("the function does not parse");
    return;
  }
  const auto reads = script::OutsideReads::of(lua, -1);
  const auto frozen = script::LuaFrozenValues::join({"f", reads, reads->values(lua)}, {});

  const graph::Tensor tensor{DType::F32, {64, 64}, false, nullptr};
  const std::array<script::Argument, 2> arguments{tensor, tensor};
  const auto keyOf = [&arguments] { return runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, arguments); };
  cache::ExecutableCache cache;
  const cache::ExecutableCache::Lookup owner = cache.acquire(keyOf(), 0);
  cache::Entry entry{base::TemplateId(1), std::make_shared<NoCode>(), {}, ""};
  entry.frozen = frozen;
  cache.publish(keyOf(), owner.flight, std::make_shared<const cache::Entry>(std::move(entry)), 0);
  std::uint64_t now = 0;
  for (auto _ : state) {
    const std::shared_ptr<const cache::Entry> hit = cache.find(keyOf(), ++now);
    const auto *values = static_cast<const script::LuaFrozenValues *>(hit->frozen.get());
    benchmark::DoNotOptimize(values != nullptr && values->hasChanged());
  }
}
BENCHMARK(hitWithCapturedValues)->ArgNames({"kind", "values"})->ArgsProduct({{0, 1, 2}, {0, 1, 3, 8}});

/// What the code's checks of two Lua numbers among three arguments take at each call.
void checkingTheNumbersOfACall(benchmark::State &state) {
  Bare bare;
  const graph::TensorType integer{DType::S64, {}, true};
  graph::GraphBuilder builder("f", 1, base::FunctionId(1), {{DType::U8, {4}}, integer, integer});
  const auto graph = builder.finish({*builder.binary(graph::Op::Add, *builder.binary(graph::Op::Multiply, 0, 1), 2)});
  graph::Tensor number = *bare.engine->tensors().allocate(DType::S64, {});
  number.weak = true;
  number.elements<std::int64_t>()[0] = 7;
  const std::array<script::Argument, 3> arguments{*bare.engine->tensors().allocate(DType::U8, {4}), number, number};
  for (auto _ : state) {
    benchmark::DoNotOptimize(runtime::checkArgumentNumbers(**graph, arguments));
  }
}
BENCHMARK(checkingTheNumbersOfACall);

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
