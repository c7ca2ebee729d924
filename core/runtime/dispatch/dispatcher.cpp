// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/dispatcher.h"

#include "base/try.h"
#include "graph/graph.h"
#include "runtime/dispatch/argument_numbers.h"
#include "runtime/memory/tensor_pool.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>

namespace jitscope::runtime {

using base::Result;
using cache::Entry;
using event::Outcome;
using graph::Tensor;
using script::Argument;
using EntryPointer = std::shared_ptr<const Entry>;

namespace {

/// How often a change of memory is written down at most; peaks are kept exactly in between.
constexpr std::uint64_t kMemoryIntervalNs = 10'000'000;

} // namespace

Dispatcher::Dispatcher(Services services, std::uint16_t process) : m_services(services), m_process(process) { useOptionsText(); }

void Dispatcher::useOptionsText() {
  m_optionsText = lower::toText(m_options.compile);
  m_optionsKey = base::hashText(m_optionsText).low;
  m_knownOptions.emplace(m_optionsText, m_options.compile);
}

base::FunctionId Dispatcher::addFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source) {
  const std::lock_guard lock(m_functionsMutex);
  const base::FunctionId id = m_services.ids.addFunction(name, line, eager);
  m_functions.resize(std::max<std::size_t>(m_functions.size(), id.value));
  m_functions[id.value - 1] = {std::move(name), std::move(source)};
  return id;
}

Dispatcher::Function &Dispatcher::functionOf(base::FunctionId id) {
  const std::lock_guard lock(m_functionsMutex);
  return m_functions[id.value - 1];
}

Result<script::CallResult> Dispatcher::call(base::FunctionId function, std::span<const Argument> arguments,
                                            const CallContext &context) {
  Attempt attempt;
  attempt.function = function;
  attempt.arguments = arguments;
  attempt.event.caseId = context.caseId;
  attempt.event.leg = context.leg;
  attempt.event.phase = context.phase;
  attempt.event.thread = context.thread;
  attempt.event.process = m_process;
  attempt.event.startNs = m_services.clock.nowNs();
  attempt.key = keyOf(function, arguments);
  EntryPointer entry = m_cache.find(attempt.key, attempt.event.startNs);
  std::uint64_t readyNs = m_services.clock.nowNs();
  attempt.event.lookupNs = readyNs - attempt.event.startNs;
  attempt.event.id = m_services.ids.nextCall();
  if (!entry) {
    const std::uint64_t missedNs = readyNs;
    JITSCOPE_TRY(EntryPointer served, serve(attempt));
    entry = std::move(served);
    // Whatever is neither waiting nor compiling (explaining the miss, recording it) belongs to looking up.
    readyNs = m_services.clock.nowNs();
    attempt.event.lookupNs += (readyNs - missedNs) - attempt.event.waitNs - attempt.event.compileNs;
  }
  Result<std::vector<Tensor>> results = execute(*entry, arguments);
  const std::uint64_t endNs = m_services.clock.nowNs();
  attempt.event.executeNs = endNs - readyNs;
  attempt.event.templateId = entry->templateId;
  attempt.event.sectionId = base::SectionId(m_section.load(std::memory_order_relaxed));
  // A call that found no room for its results is recorded where a compile belongs to it; otherwise whoever frees memory and calls
  // again would count twice.
  if (results || attempt.event.outcome != Outcome::Hit) {
    count(attempt.event);
    m_services.sink.call(attempt.event);
  }
  // Nothing may come after the call that changed what the cache holds.
  if (attempt.event.outcome != Outcome::Hit || endNs >= m_nextMemoryNs.load(std::memory_order_relaxed)) {
    recordMemoryNow(endNs);
  }
  if (!results) {
    results.error().message = functionOf(function).name + ": " + results.error().message;
    return std::unexpected(std::move(results.error()));
  }
  return script::CallResult{std::move(*results), attempt.event, entry->frozen};
}

std::optional<Dispatcher::BatchedCalls> Dispatcher::callBatch(base::FunctionId function, std::span<const Argument> arguments,
                                                              const CallContext &context, std::uint64_t count) {
  // Results are freed when all is measured, as those of single calls are.
  std::vector<std::vector<Tensor>> results;
  results.reserve(count);
  base::TemplateId templateId;
  const std::uint64_t startNs = m_services.clock.nowNs();
  for (std::uint64_t i = 0; i < count; ++i) {
    const EntryPointer entry = m_cache.find(keyOf(function, arguments), startNs);
    if (!entry) {
      return std::nullopt;
    }
    Result<std::vector<Tensor>> result = execute(*entry, arguments);
    if (!result) {
      return std::nullopt;
    }
    results.push_back(std::move(*result));
    templateId = entry->templateId;
  }
  const std::uint64_t endNs = m_services.clock.nowNs();
  BatchedCalls batch;
  batch.durationNs = endNs - startNs;
  batch.event.templateId = templateId;
  batch.event.sectionId = base::SectionId(m_section.load(std::memory_order_relaxed));
  batch.event.caseId = context.caseId;
  batch.event.leg = context.leg;
  batch.event.phase = context.phase;
  batch.event.thread = context.thread;
  batch.event.process = m_process;
  batch.event.startNs = startNs;
  batch.event.executeNs = (batch.durationNs + count / 2) / count;
  for (const std::vector<Tensor> &tensors : results) {
    for (const Tensor &tensor : tensors) {
      batch.resultBytes += tensor.buffer->byteSize();
    }
  }
  return batch;
}

void Dispatcher::recordBatch(BatchedCalls &batch) {
  batch.event.id = m_services.ids.nextCall();
  count(batch.event);
  m_services.sink.call(batch.event);
  const std::uint64_t endNs = batch.event.startNs + batch.durationNs;
  if (endNs >= m_nextMemoryNs.load(std::memory_order_relaxed)) {
    recordMemoryNow(endNs);
  }
}

Result<Dispatcher::Traced> Dispatcher::trace(base::FunctionId function, std::span<const Argument> arguments) {
  script::GraphSource &source = *functionOf(function).source;
  const graph::Template tmpl = templateOf(m_options.templateMode, arguments);
  const base::TemplateId templateId = m_services.ids.templateOf(function, signatureOf(tmpl));
  const std::lock_guard lock(m_traceMutex);
  JITSCOPE_TRY(std::shared_ptr<const graph::Graph> graph, source.trace(tmpl, arguments));
  if (!m_cache.contains(keyOf(function, arguments))) {
    source.forget(tmpl);
  }
  return Traced{templateId, std::move(graph)};
}

std::vector<script::FunctionTemplate> Dispatcher::templatesOf(base::FunctionId function) {
  const std::lock_guard lock(m_traceMutex);
  std::map<base::TemplateId, script::FunctionTemplate> inOrder;
  for (const auto &[id, known] : m_templates) {
    if (known.function == function) {
      inOrder.emplace(id, script::FunctionTemplate{signatureOf(known.tmpl), known.codeBytes});
    }
  }
  std::vector<script::FunctionTemplate> templates;
  templates.reserve(inOrder.size());
  for (auto &[id, entry] : inOrder) {
    templates.push_back(std::move(entry));
  }
  return templates;
}

std::string Dispatcher::nameOf(base::FunctionId function) { return functionOf(function).name; }

Result<event::CallEvent> Dispatcher::compileAhead(base::FunctionId function, std::span<const Argument> arguments) {
  Attempt attempt;
  attempt.function = function;
  attempt.arguments = arguments;
  attempt.isAhead = true;
  attempt.event.process = m_process;
  attempt.event.startNs = m_services.clock.nowNs();
  attempt.key = keyOf(function, arguments);
  EntryPointer entry = m_cache.find(attempt.key, attempt.event.startNs);
  attempt.event.lookupNs = m_services.clock.nowNs() - attempt.event.startNs;
  if (!entry) {
    JITSCOPE_TRY(EntryPointer served, serve(attempt));
    entry = std::move(served);
  }
  attempt.event.templateId = entry->templateId;
  attempt.event.sectionId = base::SectionId(m_section.load(std::memory_order_relaxed));
  recordMemory();
  return attempt.event;
}

/// Memory has nothing: waits for whoever is making it, or makes it.
Result<EntryPointer> Dispatcher::serve(Attempt &attempt) {
  if (m_cache.isOff()) {
    attempt.event.outcome = Outcome::Bypass;
    return make(attempt);
  }
  while (true) {
    cache::ExecutableCache::Lookup lookup = m_cache.acquire(attempt.key, attempt.event.startNs);
    if (lookup.entry) {
      // Published between the first look and this one.
      return lookup.entry;
    }
    if (lookup.isOwner) {
      return makeAndPublish(attempt, lookup.flight);
    }
    const std::uint64_t waitStartNs = m_services.clock.nowNs();
    EntryPointer entry = cache::ExecutableCache::wait(*lookup.flight);
    attempt.event.waitNs += m_services.clock.nowNs() - waitStartNs;
    if (entry) {
      attempt.event.outcome = Outcome::Wait;
      return entry;
    }
  }
}

Result<EntryPointer> Dispatcher::makeAndPublish(Attempt &attempt, const std::shared_ptr<cache::ExecutableCache::Flight> &flight) {
  Result<EntryPointer> entry = make(attempt);
  if (!entry) {
    m_cache.abandon(attempt.key, flight);
    return entry;
  }
  const std::vector<cache::Eviction> evictions = m_cache.publish(attempt.key, flight, *entry, m_services.clock.nowNs());
  forget(evictions);
  recordEvictions(evictions);
  return entry;
}

Result<EntryPointer> Dispatcher::make(Attempt &attempt) {
  script::GraphSource &source = *functionOf(attempt.function).source;
  const graph::Template tmpl = templateOf(m_options.templateMode, attempt.arguments);
  const base::TemplateId templateId = m_services.ids.templateOf(attempt.function, signatureOf(tmpl));
  const bool isBypass = attempt.event.outcome == Outcome::Bypass;
  event::CompileActivity activity(m_services.activities, nameOf(attempt.function), signatureOf(tmpl), m_options.compile.pipeline);

  std::unique_lock traceLock(m_traceMutex, std::try_to_lock);
  if (!traceLock) {
    const std::uint64_t queuedNs = m_services.clock.nowNs();
    traceLock.lock();
    attempt.event.waitNs += m_services.clock.nowNs() - queuedNs;
  }
  const std::uint64_t startNs = m_services.clock.nowNs();
  cache::MissExplanation explanation =
      m_history.explain(attempt.function, templateId, tmpl, m_optionsText, [this](const std::string &known) {
        return lower::differenceOf(m_knownOptions.at(known), m_options.compile);
      });
  if (isBypass) {
    source.forget(tmpl);
  }
  const std::uint64_t traceStartNs = m_services.clock.nowNs();
  Result<std::shared_ptr<const graph::Graph>> graph = source.trace(tmpl, attempt.arguments);
  const std::uint64_t traceNs = m_services.clock.nowNs() - traceStartNs;
  if (!graph) {
    return std::unexpected(std::move(graph.error()));
  }
  if (!attempt.isAhead) {
    // Before anything is compiled: most such calls are mistakes.
    if (Result<void> fits = checkArgumentNumbers(**graph, attempt.arguments); !fits) {
      source.forget(tmpl);
      fits.error().message = functionOf(attempt.function).name + ": " + fits.error().message;
      return std::unexpected(std::move(fits.error()));
    }
  }
  std::shared_ptr<const script::FrozenValues> frozen = source.frozenIn(tmpl);
  traceLock.unlock();

  Result<Compiled> compiled = m_services.compiler.compile(
      {*graph, m_options.compile, m_options.usesDisk && !isBypass ? m_services.disk : nullptr,
       /*mayReuse=*/!isBypass, m_options.observation, &activity, tmpl, explanation.reason == event::MissReason::NewFunction});
  if (!compiled) {
    const std::lock_guard lock(m_traceMutex);
    source.forget(tmpl);
    return std::unexpected(std::move(compiled.error()).within("while compiling " + (*graph)->name() + " for " + signatureOf(tmpl)));
  }
  attempt.event.templateId = templateId;
  attempt.event.compileNs += m_services.clock.nowNs() - startNs;
  if (!isBypass) {
    attempt.event.outcome = compiled->origin == Compiled::Origin::Compiled ? Outcome::Miss
                            : compiled->origin == Compiled::Origin::Disk   ? Outcome::Disk
                                                                           : Outcome::Retrace;
  }
  {
    const std::lock_guard lock(m_traceMutex);
    m_history.compiled(attempt.function, templateId, tmpl, m_optionsText);
    m_templates[templateId] = {attempt.function, tmpl, compiled->executable->codeBytes()};
  }
  EntryPointer entry =
      std::make_shared<const Entry>(Entry{templateId, compiled->executable, (*graph)->captures(), m_optionsText,
                                          (*graph)->numberChecks().isEmpty() ? nullptr : *graph, std::move(frozen)});
  if (compiled->origin == Compiled::Origin::Compiled) {
    m_services.vectorization.compiled(**graph, m_options.compile.pipeline, compiled->trace);
  }
  recordOrigin(attempt, std::move(*compiled), std::move(explanation), startNs, traceNs);
  return entry;
}

void Dispatcher::recordOrigin(const Attempt &attempt, Compiled compiled, cache::MissExplanation explanation, std::uint64_t startNs,
                              std::uint64_t traceNs) {
  explanation = withDiskMiss(std::move(explanation), compiled.diskMiss, attempt.event.templateId);
  const base::CallId callId = attempt.isAhead ? base::CallId() : attempt.event.id;
  if (compiled.origin == Compiled::Origin::Compiled) {
    event::CompileEvent compile;
    compile.id = m_services.ids.nextCompile();
    compile.callId = callId;
    compile.templateId = attempt.event.templateId;
    compile.pipeline = m_options.compile.pipeline;
    compile.reason = explanation.reason;
    compile.nearestTemplateId = explanation.nearest;
    compile.difference = std::move(explanation.difference);
    compile.startNs = startNs;
    compile.traceNs = traceNs;
    compile.lowerNs = compiled.lowerNs;
    compile.optimizeNs = compiled.optimizeNs;
    compile.codegenNs = compiled.codegenNs;
    compile.linkNs = compiled.linkNs;
    compile.totalNs = attempt.event.compileNs;
    compile.codeBytes = compiled.executable->codeBytes();
    compile.process = m_process;
    compile.target = compiled.target;
    compile.work = std::move(compiled.trace.work);
    compile.passes = std::move(compiled.trace.passes);
    compile.remarks = std::move(compiled.trace.remarks);
    compile.hasLoops = compiled.trace.hasLoops;
    compile.loops = std::move(compiled.trace.loops);
    compile.snapshots = std::move(compiled.trace.snapshots);
    m_compiles.fetch_add(1, std::memory_order_relaxed);
    m_compilesInSection.fetch_add(1, std::memory_order_relaxed);
    m_compileNs.fetch_add(compile.totalNs, std::memory_order_relaxed);
    m_services.sink.record(std::move(compile));
  } else {
    event::RetrievalEvent retrieval;
    retrieval.callId = callId;
    retrieval.templateId = attempt.event.templateId;
    retrieval.outcome = attempt.event.outcome;
    retrieval.reason = explanation.reason;
    retrieval.nearestTemplateId = explanation.nearest;
    retrieval.difference = std::move(explanation.difference);
    retrieval.startNs = startNs;
    retrieval.traceNs = traceNs;
    retrieval.loadNs = compiled.loadNs;
    retrieval.codeBytes = compiled.executable->codeBytes();
    retrieval.process = m_process;
    m_services.sink.record(std::move(retrieval));
  }
  if (compiled.storeFailure) {
    m_services.sink.record(event::LogEvent{m_services.clock.nowNs(), event::LogLevel::Warning, compiled.storeFailure->message});
  }
}

Result<std::vector<Tensor>> Dispatcher::execute(const Entry &entry, std::span<const Argument> arguments) {
  if (entry.numberChecks) {
    JITSCOPE_TRY_VOID(checkArgumentNumbers(*entry.numberChecks, arguments));
  }
  llvm::SmallVector<const Tensor *, 8> inputs;
  for (const Argument &argument : arguments) {
    if (const auto *tensor = std::get_if<Tensor>(&argument)) {
      inputs.push_back(tensor);
    }
  }
  for (const Tensor &capture : entry.captures) {
    inputs.push_back(&capture);
  }
  // Entries are made here alone, always of compiled code.
  const auto &executable = static_cast<const CompiledExecutable &>(*entry.executable);
  return executable.run({inputs.data(), inputs.size()}, m_services.pool);
}

void Dispatcher::count(const event::CallEvent &event) {
  m_callsByOutcome.at(static_cast<std::size_t>(event.outcome)).fetch_add(1, std::memory_order_relaxed);
}

bool Dispatcher::contains(base::FunctionId function, std::span<const Argument> arguments) const {
  return m_cache.contains(keyOf(function, arguments));
}

std::shared_ptr<const script::FrozenValues> Dispatcher::frozenIn(base::FunctionId function, std::span<const Argument> arguments) {
  const EntryPointer entry = m_cache.find(keyOf(function, arguments), m_services.clock.nowNs());
  return entry ? entry->frozen : nullptr;
}

void Dispatcher::clear() {
  m_services.compiler.forgetKeptWork();
  const std::vector<cache::Eviction> evictions = m_cache.clear();
  forget(evictions);
  recordEvictions(evictions);
}

void Dispatcher::forget(const std::vector<cache::Eviction> &evictions) {
  for (const cache::Eviction &eviction : evictions) {
    const std::lock_guard lock(m_traceMutex);
    const KnownTemplate &known = m_templates.at(eviction.templateId);
    m_history.left(known.function, eviction.templateId, eviction.options, eviction.reason);
    functionOf(known.function).source->forget(known.tmpl);
  }
}

void Dispatcher::recordEvictions(const std::vector<cache::Eviction> &evictions) {
  for (const cache::Eviction &eviction : evictions) {
    m_evictions.fetch_add(1, std::memory_order_relaxed);
    m_services.sink.record(
        event::EvictionEvent{m_services.clock.nowNs(), eviction.templateId, eviction.reason, eviction.codeBytes});
  }
  if (!evictions.empty()) {
    recordMemory();
  }
}

Result<void> Dispatcher::setOptions(const DispatchOptions &options) {
  if (options.compile != m_options.compile) {
    if (Result<void> sound = m_services.compiler.check(options.compile); !sound) {
      return sound;
    }
  }
  m_options = options;
  useOptionsText();
  const std::vector<cache::Eviction> evictions = m_cache.setOptions(options.cache);
  forget(evictions);
  recordEvictions(evictions);
  return {};
}

void Dispatcher::setSection(base::SectionId section) {
  m_section.store(section.value, std::memory_order_relaxed);
  m_compilesInSection.store(0, std::memory_order_relaxed);
  recordMemory();
}

void Dispatcher::recordMemory() { recordMemoryNow(m_services.clock.nowNs()); }

void Dispatcher::recordMemoryNow(std::uint64_t nowNs) {
  m_nextMemoryNs.store(nowNs + kMemoryIntervalNs, std::memory_order_relaxed);
  const TensorMemory tensors = m_services.pool.memory();
  const cache::CacheSize code = m_cache.size();
  event::MemoryEvent memory{nowNs, tensors.liveBytes, tensors.peakBytes, code.entries, code.codeBytes};
  {
    const std::lock_guard lock(m_memoryMutex);
    event::MemoryEvent same = m_lastMemory;
    same.atNs = nowNs;
    const bool isSame = same.tensorLiveBytes == memory.tensorLiveBytes && same.tensorPeakBytes == memory.tensorPeakBytes &&
                        same.cacheEntries == memory.cacheEntries && same.cacheCodeBytes == memory.cacheCodeBytes;
    if (isSame) {
      return;
    }
    m_lastMemory = memory;
  }
  m_services.sink.record(memory);
}

script::EngineCounters Dispatcher::counters() const {
  const auto calls = [&](Outcome outcome) {
    return m_callsByOutcome.at(static_cast<std::size_t>(outcome)).load(std::memory_order_relaxed);
  };
  script::EngineCounters counters;
  counters.hits = calls(Outcome::Hit);
  counters.retraces = calls(Outcome::Retrace);
  counters.disk = calls(Outcome::Disk);
  counters.misses = calls(Outcome::Miss);
  counters.waits = calls(Outcome::Wait);
  counters.bypasses = calls(Outcome::Bypass);
  counters.calls = counters.hits + counters.retraces + counters.disk + counters.misses + counters.waits + counters.bypasses;
  counters.compiles = m_compiles.load(std::memory_order_relaxed);
  counters.compilesInSection = m_compilesInSection.load(std::memory_order_relaxed);
  counters.compileNs = m_compileNs.load(std::memory_order_relaxed);
  counters.evictions = m_evictions.load(std::memory_order_relaxed);
  const cache::CacheSize code = m_cache.size();
  counters.cacheEntries = code.entries;
  counters.cacheCodeBytes = code.codeBytes;
  const TensorMemory tensors = m_services.pool.memory();
  counters.tensorLiveBytes = tensors.liveBytes;
  counters.tensorPeakBytes = tensors.peakBytes;
  return counters;
}

} // namespace jitscope::runtime
