// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/engine.h"

#include "base/clock.h"
#include "base/try.h"
#include "pipeline/pipeline.h"
#include "runtime/bench/bench_order.h"
#include "runtime/bench/bench_runner.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/dispatcher.h"
#include "runtime/dispatch/gate_sink.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/dispatch/run_observer.h"
#include "runtime/memory/tensor_pool.h"
#include "runtime/study/graph_study.h"

#include <array>
#include <cmath>

#include <cblas.h>
#include <fmt/format.h>

namespace jitscope::runtime {

using base::ErrorCode;
using base::fail;
using base::Result;
using script::Argument;

namespace {

std::uint64_t toNs(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 1e9)); }

ColdTarget targetAt(std::uint32_t bench, const BenchPlace &place) {
  return {bench, static_cast<std::uint32_t>(place.caseIndex), static_cast<std::uint32_t>(place.inputIndex)};
}

} // namespace

struct Engine::State {
  explicit State(EngineSetup theSetup)
      : setup(std::move(theSetup)), gate(setup.sink, /*isOpen=*/!setup.coldTarget.has_value()), ids(gate),
        pool({.maxLiveBytes = setup.options.tensorBytes}) {
    if (!setup.diskFolder.empty()) {
      disk.emplace(setup.diskFolder);
    }
  }

  EngineSetup setup;
  GateSink gate;
  IdRegistry ids;
  TensorPool pool;
  std::optional<jit::DiskCache> disk;
  std::unique_ptr<Compiler> compiler;
  VectorizationLog vectorization;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<BenchRunner> benchRunner;

  base::SectionId section;
  std::uint32_t benches = 0;
  std::uint16_t processes = 0;
  std::uint64_t failedExpectations = 0;
  bool coldLegDone = false;
};

Engine::Engine(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::create(EngineSetup setup) {
  auto state = std::make_unique<State>(std::move(setup));
  openblas_set_num_threads(static_cast<int>(state->setup.options.blasThreads));
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(
      state->setup.clock,
      {.scriptPath = state->setup.scriptPath, .version = state->setup.version, .stopRequested = &state->setup.stopRequested});
  if (!compiler) {
    return std::unexpected(std::move(compiler.error()));
  }
  state->compiler = std::move(*compiler);
  // The process of a cold leg is given its number by whoever imports it.
  state->dispatcher = std::make_unique<Dispatcher>(
      Dispatcher::Services{state->setup.clock, state->gate, state->ids, state->pool, *state->compiler, state->vectorization,
                           state->disk ? &*state->disk : nullptr, state->setup.activities},
      /*process=*/std::uint16_t{0});
  JITSCOPE_TRY_VOID(state->compiler->check(state->setup.options.dispatch.compile));
  JITSCOPE_TRY_VOID(state->dispatcher->setOptions(state->setup.options.dispatch));
  state->benchRunner =
      std::make_unique<BenchRunner>(BenchRunner::Services{state->setup.clock, *state->dispatcher, state->setup.stopRequested});
  std::unique_ptr<Engine> engine(new Engine(std::move(state)));
  engine->beginSection("");
  return engine;
}

base::FunctionId Engine::defineFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source) {
  return m_state->dispatcher->addFunction(std::move(name), line, eager, std::move(source));
}

Result<script::CallResult> Engine::call(base::FunctionId function, std::span<const Argument> arguments) {
  return m_state->dispatcher->call(function, arguments, {});
}

Result<event::CallEvent> Engine::compile(base::FunctionId function, std::span<const Argument> arguments) {
  return m_state->dispatcher->compileAhead(function, arguments);
}

bool Engine::contains(base::FunctionId function, std::span<const Argument> arguments) {
  return m_state->dispatcher->contains(function, arguments);
}

std::shared_ptr<const script::FrozenValues> Engine::frozenIn(base::FunctionId function, std::span<const Argument> arguments) {
  return m_state->dispatcher->frozenIn(function, arguments);
}

void Engine::clearCache() { m_state->dispatcher->clear(); }
graph::TensorAllocator &Engine::tensors() { return m_state->pool; }
script::EngineCounters Engine::counters() const { return m_state->dispatcher->counters(); }

Result<void> Engine::setOption(std::string_view name, const script::OptionValue &value) {
  EngineOptions changed = m_state->setup.options;
  if (Result<void> set = runtime::setOption(changed, OptionScope::Script, name, value); !set) {
    return set;
  }
  if (Result<void> set = m_state->dispatcher->setOptions(changed.dispatch); !set) {
    return set;
  }
  m_state->setup.options = std::move(changed);
  return {};
}

void Engine::beginSection(std::string name) {
  m_state->section = m_state->ids.nextSection();
  m_state->gate.record(event::SectionEvent{m_state->section, name, m_state->setup.clock.nowNs()});
  m_state->dispatcher->setSection(m_state->section);
  m_state->setup.observer.sectionBegan(name);
}

Result<std::vector<script::BenchLegResult>> Engine::bench(const script::BenchRequest &request) {
  State &state = *m_state;
  ++state.benches;
  // Ids and results in the script's order, however the legs are shuffled.
  const std::vector<BenchPlace> places = placesOf(request);
  std::vector<script::BenchLegResult> results;
  for (const BenchPlace &place : places) {
    const script::BenchCase &benchCase = request.cases[place.caseIndex];
    const script::BenchInput &input = benchCase.inputs[place.inputIndex];
    if (place.legIndex > 0) {
      results.push_back(results.back());
    } else {
      results.push_back({state.ids.nextCase(), benchCase.name, input.name, event::Leg::None, {}, input.isBroken});
      state.gate.record(event::BenchCaseEvent{results.back().caseId, state.benches, benchCase.name, input.name, benchCase.function,
                                              toNs(request.warmupSeconds), toNs(request.timeSeconds), request.parallel});
    }
    results.back().leg = request.legs[place.legIndex];
  }
  event::BenchLegEvent leg;
  leg.seed = state.setup.seed;
  leg.maxSamples = request.maxSamples.value_or(script::kMaxSamples);
  for (const std::size_t next : measuringOrder(places.size(), state.setup.seed, state.benches)) {
    script::BenchLegResult &result = results[next];
    if (result.isBroken) {
      continue;
    }
    Result<MeasuredLeg> measured = measureLeg(request, places[next], result.caseId);
    if (!measured) {
      return std::unexpected(std::move(measured.error())
                                 .within(fmt::format("in the {} leg of benchmark case '{}'", nameOf(result.leg), result.caseName)));
    }
    leg.caseId = result.caseId;
    leg.leg = result.leg;
    ++leg.position;
    recordLeg(request, leg, *measured);
    result.samples = std::move(measured->samples);
  }
  return results;
}

/// Says how it was measured, and warns where it ended early though nobody asked for that.
void Engine::recordLeg(const script::BenchRequest &request, const event::BenchLegEvent &place, const MeasuredLeg &measured) {
  if (measured.samples.empty()) {
    return;
  }
  event::BenchLegEvent leg = place;
  leg.callsPerSample = measured.callsPerSample;
  leg.clockStepNs = measured.clockStepNs;
  leg.overheadNs = measured.overheadNs;
  leg.isCapped = measured.isCapped;
  m_state->gate.record(leg);
  if (measured.isCapped && !request.maxSamples) {
    log(event::LogLevel::Warning, fmt::format("a {} leg ended early, after {} samples, the maximum; max_samples changes it",
                                              nameOf(leg.leg), measured.samples.size()));
  }
}

Result<MeasuredLeg> Engine::measureLeg(const script::BenchRequest &request, const BenchPlace &place, base::CaseId caseId) {
  State &state = *m_state;
  if (state.setup.coldTarget) {
    return measureColdTarget(request, place, caseId);
  }
  const script::BenchCase &benchCase = request.cases[place.caseIndex];
  const script::BenchInput &input = benchCase.inputs[place.inputIndex];
  const event::Leg leg = request.legs[place.legIndex];
  const bool isCold = leg == event::Leg::Cold;
  if (isCold && state.setup.coldLegs == nullptr) {
    return fail(ErrorCode::RuntimeProcess, "cold legs need fresh processes, which are not available here: use legs = {\"warm\"}");
  }
  const LegPlan plan{benchCase.function,
                     input.arguments,
                     caseId,
                     leg,
                     isCold ? 0 : toNs(request.warmupSeconds),
                     toNs(request.timeSeconds),
                     request.parallel,
                     request.maxSamples.value_or(script::kMaxSamples)};
  state.setup.observer.legBegan(benchCase.name, input.name, leg, plan.timeNs + plan.warmupNs);
  Result<MeasuredLeg> measured =
      isCold ? state.setup.coldLegs->launch({targetAt(state.benches, place), caseId, state.section, ++state.processes}, state.ids)
             : state.benchRunner->measure(plan);
  state.setup.observer.legEnded();
  return measured;
}

/// In the process of a cold leg: passes over every leg but its own, and ends the script after that one.
Result<MeasuredLeg> Engine::measureColdTarget(const script::BenchRequest &request, const BenchPlace &place, base::CaseId caseId) {
  State &state = *m_state;
  if (targetAt(state.benches, place) != *state.setup.coldTarget) {
    return MeasuredLeg{};
  }
  const script::BenchCase &benchCase = request.cases[place.caseIndex];
  state.dispatcher->clear();
  // A cold leg starts with an empty disk cache, too: it neither reads nor fills the user's.
  DispatchOptions withoutDisk = state.dispatcher->options();
  withoutDisk.usesDisk = false;
  JITSCOPE_TRY_VOID(state.dispatcher->setOptions(withoutDisk));
  state.gate.open();
  const Result<MeasuredLeg> measured =
      state.benchRunner->measure({benchCase.function, benchCase.inputs[place.inputIndex].arguments, caseId, event::Leg::Cold, 0,
                                  toNs(request.timeSeconds), request.parallel, request.maxSamples.value_or(script::kMaxSamples)});
  if (!measured) {
    return measured;
  }
  event::BenchLegEvent leg;
  leg.caseId = caseId;
  leg.leg = event::Leg::Cold;
  recordLeg(request, leg, *measured);
  state.coldLegDone = true;
  return fail(ErrorCode::ScriptInterrupted, "the cold leg is measured");
}

Result<std::vector<script::StudyPipeline>> Engine::study(const script::StudyRequest &request) {
  State &state = *m_state;
  if (state.setup.coldTarget) {
    return std::vector<script::StudyPipeline>{}; // takes long and leaves nothing behind that the case could need
  }
  if (!request.modules) {
    GraphStudy study(
        {{state.setup.clock, state.gate, state.ids, state.setup.observer, state.setup.stopRequested, state.setup.activities},
         state.pool,
         *state.compiler,
         *state.dispatcher,
         state.vectorization});
    return study.run(request, state.section);
  }
  if (state.setup.moduleStudies == nullptr) {
    return fail(ErrorCode::RuntimeProcess, "modules are studied in a process of their own, which is not available here");
  }
  ModuleStudyRequest modules;
  modules.modules = *request.modules;
  modules.pipelines = request.pipelines;
  modules.repetitions = request.repetitions;
  modules.line = request.line;
  modules.section = state.section;
  modules.options = state.setup.options.dispatch.compile;
  modules.observation = state.setup.options.dispatch.observation;
  const std::filesystem::path folder = std::filesystem::path(state.setup.scriptPath).parent_path();
  for (std::string &path : modules.modules.paths) {
    path = (folder / path).string();
  }
  return state.setup.moduleStudies->launch(modules, state.ids);
}

Result<std::vector<event::LoopResult>> Engine::vectorizedLoops(base::FunctionId function, std::string_view pipeline) {
  const std::string wanted(pipeline.empty() ? m_state->setup.options.dispatch.compile.pipeline : pipeline);
  JITSCOPE_TRY_VOID(pipeline::makePipeline(wanted));
  return m_state->vectorization.find(function, m_state->dispatcher->nameOf(function), wanted);
}

std::vector<script::FunctionTemplate> Engine::templatesOf(base::FunctionId function) {
  return m_state->dispatcher->templatesOf(function);
}

Result<std::vector<std::string>> Engine::findings(const script::FindingQuery &query) {
  if (m_state->setup.findings == nullptr) {
    return fail(ErrorCode::RuntimeProcess, "findings are about a session, and this run records none");
  }
  return m_state->setup.findings->find(query);
}

bool Engine::isReplay() const { return m_state->setup.coldTarget.has_value(); }

void Engine::expectation(event::ExpectationEvent expectation) {
  if (m_state->setup.coldTarget) {
    return;
  }
  m_state->failedExpectations += expectation.passed ? 0 : 1;
  m_state->gate.record(std::move(expectation));
}

void Engine::log(event::LogLevel level, std::string message) {
  m_state->gate.record(event::LogEvent{m_state->setup.clock.nowNs(), level, std::move(message)});
}

void Engine::print(std::string_view text) {
  if (!m_state->setup.coldTarget) {
    m_state->setup.observer.printed(text);
  }
}

std::uint64_t Engine::failedExpectations() const { return m_state->failedExpectations; }
bool Engine::coldLegDone() const { return m_state->coldLegDone; }

} // namespace jitscope::runtime
