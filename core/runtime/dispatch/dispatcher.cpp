// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/dispatcher.h"

#include "base/try.h"
#include "graph/graph.h"
#include "runtime/dispatch/argument_numbers.h"
#include "runtime/memory/tensor_pool.h"

#include <utility>

#include <llvm/ADT/SmallVector.h>

namespace jitscope::runtime {

using base::Result;
using cache::Entry;
using event::Outcome;
using graph::Tensor;
using script::Argument;
using EntryPointer = std::shared_ptr<const Entry>;

Dispatcher::Dispatcher(Services services, std::uint16_t process)
    : m_services(services), m_process(process), m_memory(services.sink, services.pool, m_cache),
      m_misses({services.clock, services.sink, services.ids, services.compiler, services.vectorization, services.disk,
                services.activities, m_functions, m_cache, m_options, m_counters, process}) {}

base::FunctionId Dispatcher::addFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source) {
  return m_functions.add(m_services.ids, std::move(name), line, eager, std::move(source));
}

Result<script::CallResult> Dispatcher::call(base::FunctionId function, std::span<const Argument> arguments,
                                            const CallContext &context) {
  Attempt attempt(function, arguments, context, m_process, m_services.clock.nowNs());
  attempt.key = m_options.keyOf(function, arguments);
  EntryPointer entry = m_cache.find(attempt.key, attempt.startNs());
  std::uint64_t servedNs = m_services.clock.nowNs();
  attempt.setId(m_services.ids.nextCall());
  if (!entry) {
    JITSCOPE_TRY(entry, m_misses.serve(attempt));
    servedNs = m_services.clock.nowNs();
  }
  attempt.isServed(entry->templateId, section(), servedNs);
  Result<std::vector<Tensor>> results = execute(*entry, arguments);
  const std::uint64_t endNs = m_services.clock.nowNs();
  attempt.hasRun(endNs);
  const bool isHit = attempt.outcome() == Outcome::Hit;
  // A call that found no room for its results is recorded where a compile belongs to it; otherwise whoever frees memory and calls
  // again would count twice.
  if (results || !isHit) {
    record(attempt.event());
  }
  // Nothing may come after the call that changed what the cache holds.
  if (isHit) {
    m_memory.recordInTime(endNs);
  } else {
    m_memory.record(endNs);
  }
  if (!results) {
    results.error().message = nameOf(function) + ": " + results.error().message;
    return std::unexpected(std::move(results.error()));
  }
  return script::CallResult{std::move(*results), attempt.event(), entry->frozen};
}

std::optional<Dispatcher::BatchedCalls> Dispatcher::callBatch(base::FunctionId function, std::span<const Argument> arguments,
                                                              const CallContext &context, std::uint64_t count) {
  // Results are freed when all is measured, as those of single calls are.
  std::vector<std::vector<Tensor>> results;
  results.reserve(count);
  base::TemplateId templateId;
  Attempt attempt(function, arguments, context, m_process, m_services.clock.nowNs());
  for (std::uint64_t i = 0; i < count; ++i) {
    const EntryPointer entry = m_cache.find(m_options.keyOf(function, arguments), attempt.startNs());
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
  attempt.isServed(templateId, section(), endNs);
  BatchedCalls batch;
  batch.durationNs = endNs - attempt.startNs();
  batch.event = attempt.asMeanOf(count, batch.durationNs);
  for (const std::vector<Tensor> &tensors : results) {
    for (const Tensor &tensor : tensors) {
      batch.resultBytes += tensor.buffer->byteSize();
    }
  }
  return batch;
}

void Dispatcher::recordBatch(BatchedCalls &batch) {
  batch.event.id = m_services.ids.nextCall();
  record(batch.event);
  m_memory.recordInTime(batch.event.startNs + batch.durationNs);
}

Result<event::CallEvent> Dispatcher::compileAhead(base::FunctionId function, std::span<const Argument> arguments) {
  Attempt attempt(function, arguments, {}, m_process, m_services.clock.nowNs());
  attempt.isAhead = true;
  attempt.key = m_options.keyOf(function, arguments);
  EntryPointer entry = m_cache.find(attempt.key, attempt.startNs());
  if (!entry) {
    JITSCOPE_TRY(entry, m_misses.serve(attempt));
  }
  attempt.isServed(entry->templateId, section(), m_services.clock.nowNs());
  recordMemory();
  return attempt.event();
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
  // The miss handler alone makes entries, always of compiled code.
  const auto &executable = static_cast<const CompiledExecutable &>(*entry.executable);
  return executable.run({inputs.data(), inputs.size()}, m_services.pool);
}

void Dispatcher::record(const event::CallEvent &event) {
  m_counters.called(event.outcome);
  m_services.sink.call(event);
}

bool Dispatcher::contains(base::FunctionId function, std::span<const Argument> arguments) const {
  return m_cache.contains(m_options.keyOf(function, arguments));
}

std::shared_ptr<const script::FrozenValues> Dispatcher::frozenIn(base::FunctionId function, std::span<const Argument> arguments) {
  const EntryPointer entry = m_cache.find(m_options.keyOf(function, arguments), m_services.clock.nowNs());
  return entry ? entry->frozen : nullptr;
}

void Dispatcher::clear() {
  m_services.compiler.forgetKeptWork();
  left(m_cache.clear());
}

void Dispatcher::left(const std::vector<cache::Eviction> &evictions) {
  m_misses.left(evictions);
  if (!evictions.empty()) {
    recordMemory();
  }
}

Result<void> Dispatcher::setOptions(const DispatchOptions &options) {
  if (options.compile != m_options.options().compile) {
    JITSCOPE_TRY_VOID(m_services.compiler.check(options.compile));
  }
  m_options.set(options);
  left(m_cache.setOptions(options.cache));
  return {};
}

void Dispatcher::setSection(base::SectionId section) {
  m_section.store(section.value, std::memory_order_relaxed);
  m_counters.sectionBegan();
  recordMemory();
}

script::EngineCounters Dispatcher::counters() const {
  script::EngineCounters counters = m_counters.counters();
  const cache::CacheSize code = m_cache.size();
  counters.cacheEntries = code.entries;
  counters.cacheCodeBytes = code.codeBytes;
  const TensorMemory tensors = m_services.pool.memory();
  counters.tensorLiveBytes = tensors.liveBytes;
  counters.tensorPeakBytes = tensors.peakBytes;
  return counters;
}

} // namespace jitscope::runtime
