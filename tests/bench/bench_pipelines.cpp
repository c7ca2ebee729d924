// SPDX-License-Identifier: GPL-3.0-or-later
// Compiling a chain of functions under each pipeline; what observing a compile costs, beside the same passes run bare; and what
// kept work saves.
#include "base/clock.h"
#include "jit/object_emitter.h"
#include "lower/entry.h"
#include "lower/lowering.h"
#include "lower/symbols.h"
#include "lower/target.h"
#include "pipeline/modules/module_linking.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/pass_stages.h"
#include "runtime/dispatch/compiler.h"
#include "support/scripts/chain_graph.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Target/TargetMachine.h>

#include <benchmark/benchmark.h>

using namespace jitscope;
using pipeline::Observation;
using test::chainGraph;
using test::kLoopElements;
using test::kRunTimeElements;
using test::kUnrolledElements;

namespace {

struct Engine {
  std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  std::unique_ptr<runtime::Compiler> compiler = *runtime::Compiler::create(*clock, {});

  runtime::Compiled compile(const std::shared_ptr<const graph::Graph> &graph, const char *pipeline, const Observation &observation,
                            bool mayReuse = false) {
    runtime::Compiler::Request request{graph, {}, nullptr, mayReuse, observation};
    request.options.pipeline = pipeline;
    return *compiler->compile(request);
  }
};

/// The whole compile, lowering and linking included, of a chain of so many functions.
void chain(benchmark::State &state, const char *pipeline, std::int64_t elements) {
  Engine engine;
  const std::shared_ptr<const graph::Graph> graph = chainGraph(static_cast<std::uint32_t>(state.range(0)), elements);
  engine.compile(chainGraph(2, elements), pipeline, Observation::none()); // what the process does once
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine.compile(graph, pipeline, Observation::none()));
  }
}
void lengths(benchmark::internal::Benchmark *benchmark) {
  benchmark->Arg(10)->Arg(50)->Arg(100)->Arg(200)->Iterations(1)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(chain, loopsPerFunction, "per-function", kLoopElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, loopsDeferred, "deferred", kLoopElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, loopsPreLink, "pre-link", kLoopElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, loopsSeparate, "separate", kLoopElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, runTimeSizesDeferred, "deferred", kRunTimeElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, runTimeSizesPreLink, "pre-link", kRunTimeElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, unrolledPerFunction, "per-function", kUnrolledElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, unrolledDeferred, "deferred", kUnrolledElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, unrolledPreLink, "pre-link", kUnrolledElements)->Apply(lengths);
BENCHMARK_CAPTURE(chain, unrolledSeparate, "separate", kUnrolledElements)->Apply(lengths);

/// A chain of 50 where all but the root were kept by an earlier compile, or nothing was.
void preLink(benchmark::State &state, std::int64_t elements, bool isKept) {
  Engine engine;
  const std::shared_ptr<const graph::Graph> shorter = chainGraph(49, elements);
  const std::shared_ptr<const graph::Graph> longer = chainGraph(50, elements);
  for (auto _ : state) {
    state.PauseTiming();
    engine.compiler->forgetKeptWork();
    if (isKept) {
      engine.compile(shorter, "pre-link", Observation::none(), /*mayReuse=*/true);
    }
    state.ResumeTiming();
    benchmark::DoNotOptimize(engine.compile(longer, "pre-link", Observation::none(), /*mayReuse=*/true));
  }
}
BENCHMARK_CAPTURE(preLink, loopsCold, kLoopElements, false)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(preLink, loopsWithKeptCallees, kLoopElements, true)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(preLink, unrolledCold, kUnrolledElements, false)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(preLink, unrolledWithKeptCallees, kUnrolledElements, true)->Iterations(5)->Unit(benchmark::kMillisecond);

/// A compile whose only difference from run to run is what is written down about it.
void observed(benchmark::State &state, const char *pipeline, std::int64_t elements, const Observation &observation) {
  Engine engine;
  const std::shared_ptr<const graph::Graph> graph = chainGraph(20, elements);
  engine.compile(graph, pipeline, observation);
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine.compile(graph, pipeline, observation));
  }
}
Observation passesOnly() {
  Observation observation = Observation::none();
  observation.passes = true;
  return observation;
}
Observation irOnly() {
  Observation observation = Observation::none();
  observation.ir = pipeline::IrDetail::Stages;
  return observation;
}
Observation remarksOnly() {
  Observation observation = Observation::none();
  observation.remarkPasses = Observation::defaultRemarkPasses();
  return observation;
}
BENCHMARK_CAPTURE(observed, loopsDeferredOff, "deferred", kLoopElements, Observation::none())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, loopsDeferredOn, "deferred", kLoopElements, Observation())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, loopsPerFunctionOff, "per-function", kLoopElements, Observation::none())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, loopsPerFunctionOn, "per-function", kLoopElements, Observation())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledDeferredOff, "deferred", kUnrolledElements, Observation::none())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledDeferredOn, "deferred", kUnrolledElements, Observation())->Unit(benchmark::kMillisecond);
/// What each part takes.
BENCHMARK_CAPTURE(observed, unrolledDeferredPasses, "deferred", kUnrolledElements, passesOnly())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledDeferredIr, "deferred", kUnrolledElements, irOnly())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledDeferredRemarks, "deferred", kUnrolledElements, remarksOnly())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledPerFunctionOff, "per-function", kUnrolledElements, Observation::none())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observed, unrolledPerFunctionOn, "per-function", kUnrolledElements, Observation())->Unit(benchmark::kMillisecond);

/// The deferred pipeline without anything around LLVM's passes: the baseline of `observed/deferredOff`, which links into the
/// process besides.
void bareDeferred(benchmark::State &state, bool isBare) {
  const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  const lower::TargetSpec target = *lower::hostTarget();
  const std::unique_ptr<llvm::TargetMachine> machine = *lower::createTargetMachine(target, 3);
  const std::unique_ptr<llvm::TargetLibraryInfoImpl> library = lower::createLibraryInfo(target, true);
  const std::shared_ptr<const graph::Graph> graph = chainGraph(20);
  const lower::LowerOptions options;
  const pipeline::PipelineTools tools{*machine,
                                      *library,
                                      options.compile,
                                      *clock,
                                      [&](llvm::Module &module) { return jit::emitObject(module, *machine); },
                                      Observation::none()};
  const std::unique_ptr<pipeline::Pipeline> recipe = *pipeline::makePipeline("deferred");
  for (auto _ : state) {
    llvm::LLVMContext context;
    pipeline::PipelineInput input;
    for (const lower::NamedFunction &function : lower::functionsOf(graph)) {
      lower::LoweredFunction lowered = *lower::lowerFunction(*function.graph, options, *machine, context);
      input.units.emplace_back(function.graph->functionId(), lowered.symbol,
                               std::vector<pipeline::UnitFunction>{{function.graph->functionId(), lowered.symbol}},
                               std::move(lowered.module));
    }
    lower::LoweredFunction entry = *lower::lowerEntry(*graph, options, *machine, context);
    input.exported = {entry.symbol, input.units.back().name};
    input.entry = std::move(entry.module);
    if (!isBare) {
      benchmark::DoNotOptimize(recipe->run(std::move(input), tools));
      continue;
    }
    llvm::PassInstrumentationCallbacks callbacks;
    for (pipeline::Unit &unit : input.units) {
      pipeline::runPasses(pipeline::PassList::Function, *unit.module, tools, callbacks);
    }
    llvm::Module &root = *input.units.back().module;
    for (std::size_t i = 0; i + 1 < input.units.size(); ++i) {
      benchmark::DoNotOptimize(pipeline::linkInto(root, std::move(input.units[i].module)));
    }
    benchmark::DoNotOptimize(pipeline::linkInto(root, std::move(input.entry)));
    pipeline::internalizeAllBut(root, input.exported);
    pipeline::runPasses(pipeline::PassList::Program, root, tools, callbacks);
    benchmark::DoNotOptimize(jit::emitObject(root, *machine));
  }
}
BENCHMARK_CAPTURE(bareDeferred, passesAlone, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bareDeferred, recipeOff, false)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
