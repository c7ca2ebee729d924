// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/miss_handler.h"

#include "base/try.h"
#include "graph/graph.h"
#include "runtime/dispatch/argument_numbers.h"
#include "runtime/dispatch/disk_miss.h"

#include <map>
#include <utility>

namespace jitscope::runtime {

using base::Result;
using cache::Entry;
using event::Outcome;
using EntryPointer = std::shared_ptr<const Entry>;

namespace {

Outcome outcomeOf(Compiled::Origin origin) {
  switch (origin) {
  case Compiled::Origin::Compiled:
    return Outcome::Miss;
  case Compiled::Origin::Disk:
    return Outcome::Disk;
  case Compiled::Origin::EqualGraph:
    break;
  }
  return Outcome::Retrace;
}

} // namespace

Result<EntryPointer> MissHandler::serve(Attempt &attempt) {
  if (m_services.cache.isOff()) {
    attempt.setOutcome(Outcome::Bypass);
    return make(attempt);
  }
  while (true) {
    cache::ExecutableCache::Lookup lookup = m_services.cache.acquire(attempt.key, attempt.startNs());
    if (lookup.entry) {
      // Published between the first look and this one.
      return lookup.entry;
    }
    if (lookup.isOwner) {
      return makeAndPublish(attempt, lookup.flight);
    }
    const std::uint64_t waitStartNs = m_services.clock.nowNs();
    EntryPointer entry = cache::ExecutableCache::wait(*lookup.flight);
    attempt.waited(m_services.clock.nowNs() - waitStartNs);
    if (entry) {
      attempt.setOutcome(Outcome::Wait);
      return entry;
    }
  }
}

Result<EntryPointer> MissHandler::makeAndPublish(Attempt &attempt, const std::shared_ptr<cache::ExecutableCache::Flight> &flight) {
  Result<EntryPointer> entry = make(attempt);
  if (!entry) {
    m_services.cache.abandon(attempt.key, flight);
    return entry;
  }
  left(m_services.cache.publish(attempt.key, flight, *entry, m_services.clock.nowNs()));
  return entry;
}

Result<MissHandler::Made> MissHandler::traceFor(Attempt &attempt, base::TemplateId templateId, const graph::Template &tmpl) {
  const FunctionTable::Function &function = m_services.functions.of(attempt.function);
  script::GraphSource &source = *function.source;
  std::unique_lock lock(m_traceMutex, std::try_to_lock);
  if (!lock) {
    const std::uint64_t queuedNs = m_services.clock.nowNs();
    lock.lock();
    attempt.waited(m_services.clock.nowNs() - queuedNs);
  }
  Made made;
  made.origin.startNs = m_services.clock.nowNs();
  made.origin.explanation =
      m_history.explain(attempt.function, templateId, tmpl, m_services.options.text(),
                        [this](const std::string &known) { return m_services.options.differenceFrom(known); });
  if (attempt.outcome() == Outcome::Bypass) {
    source.forget(tmpl);
  }
  const std::uint64_t traceStartNs = m_services.clock.nowNs();
  JITSCOPE_TRY(made.graph, source.trace(tmpl, attempt.arguments));
  made.origin.traceNs = m_services.clock.nowNs() - traceStartNs;
  if (!attempt.isAhead) {
    // Before anything is compiled: most such calls are mistakes.
    if (Result<void> fits = checkArgumentNumbers(*made.graph, attempt.arguments); !fits) {
      source.forget(tmpl);
      fits.error().message = function.name + ": " + fits.error().message;
      return std::unexpected(std::move(fits.error()));
    }
  }
  made.frozen = source.frozenIn(tmpl);
  return made;
}

Result<EntryPointer> MissHandler::make(Attempt &attempt) {
  const DispatchOptions &options = m_services.options.options();
  const graph::Template tmpl = templateOf(options.templateMode, attempt.arguments);
  const std::string signature = signatureOf(tmpl);
  const base::TemplateId templateId = m_services.ids.templateOf(attempt.function, signature);
  const bool isBypass = attempt.outcome() == Outcome::Bypass;
  const FunctionTable::Function &function = m_services.functions.of(attempt.function);
  event::CompileActivity activity(m_services.activities, function.name, signature, options.compile.pipeline);

  JITSCOPE_TRY(Made made, traceFor(attempt, templateId, tmpl));
  Compiler::Request request;
  request.graph = made.graph;
  request.options = options.compile;
  request.disk = options.usesDisk && !isBypass ? m_services.disk : nullptr;
  request.mayReuse = !isBypass;
  request.observation = options.observation;
  request.activity = &activity;
  request.tmpl = tmpl;
  request.isNewFunction = made.origin.explanation.reason == event::MissReason::NewFunction;
  Result<Compiled> compiled = m_services.compiler.compile(request);
  if (!compiled) {
    const std::lock_guard lock(m_traceMutex);
    function.source->forget(tmpl);
    return std::unexpected(std::move(compiled.error()).within("while compiling " + made.graph->name() + " for " + signature));
  }
  attempt.compiled(m_services.clock.nowNs() - made.origin.startNs);
  if (!isBypass) {
    attempt.setOutcome(outcomeOf(compiled->origin));
  }
  {
    const std::lock_guard lock(m_traceMutex);
    m_history.compiled(attempt.function, templateId, tmpl, m_services.options.text());
    m_templates[templateId] = {attempt.function, tmpl, compiled->executable->codeBytes()};
  }
  EntryPointer entry =
      std::make_shared<const Entry>(Entry{templateId, compiled->executable, made.graph->captures(), m_services.options.text(),
                                          made.graph->numberChecks().isEmpty() ? nullptr : made.graph, std::move(made.frozen)});
  if (compiled->origin == Compiled::Origin::Compiled) {
    m_services.vectorization.compiled(*made.graph, options.compile.pipeline, compiled->trace);
  }
  record(attempt, templateId, *std::move(compiled), std::move(made.origin));
  return entry;
}

void MissHandler::record(const Attempt &attempt, base::TemplateId templateId, Compiled compiled, Origin origin) {
  origin.explanation = withDiskMiss(std::move(origin.explanation), compiled.diskMiss, templateId);
  if (compiled.origin == Compiled::Origin::Compiled) {
    m_services.counters.compiled(attempt.compileNs());
    m_services.sink.record(compileEventOf(attempt, templateId, compiled, origin));
  } else {
    m_services.sink.record(retrievalEventOf(attempt, templateId, compiled, origin));
  }
  if (compiled.storeFailure) {
    m_services.sink.record(event::LogEvent{m_services.clock.nowNs(), event::LogLevel::Warning, compiled.storeFailure->message});
  }
}

event::CompileEvent MissHandler::compileEventOf(const Attempt &attempt, base::TemplateId templateId, Compiled &compiled,
                                                Origin &origin) {
  event::CompileEvent compile;
  compile.id = m_services.ids.nextCompile();
  compile.callId = attempt.callId();
  compile.templateId = templateId;
  compile.pipeline = m_services.options.options().compile.pipeline;
  compile.reason = origin.explanation.reason;
  compile.nearestTemplateId = origin.explanation.nearest;
  compile.difference = std::move(origin.explanation.difference);
  compile.startNs = origin.startNs;
  compile.traceNs = origin.traceNs;
  compile.lowerNs = compiled.lowerNs;
  compile.optimizeNs = compiled.optimizeNs;
  compile.codegenNs = compiled.codegenNs;
  compile.linkNs = compiled.linkNs;
  compile.totalNs = attempt.compileNs();
  compile.codeBytes = compiled.executable->codeBytes();
  compile.process = m_services.process;
  compile.target = compiled.target;
  compile.work = std::move(compiled.trace.work);
  compile.passes = std::move(compiled.trace.passes);
  compile.remarks = std::move(compiled.trace.remarks);
  compile.hasLoops = compiled.trace.hasLoops;
  compile.loops = std::move(compiled.trace.loops);
  compile.snapshots = std::move(compiled.trace.snapshots);
  return compile;
}

event::RetrievalEvent MissHandler::retrievalEventOf(const Attempt &attempt, base::TemplateId templateId, const Compiled &compiled,
                                                    Origin &origin) const {
  event::RetrievalEvent retrieval;
  retrieval.callId = attempt.callId();
  retrieval.templateId = templateId;
  retrieval.outcome = attempt.outcome();
  retrieval.reason = origin.explanation.reason;
  retrieval.nearestTemplateId = origin.explanation.nearest;
  retrieval.difference = std::move(origin.explanation.difference);
  retrieval.startNs = origin.startNs;
  retrieval.traceNs = origin.traceNs;
  retrieval.loadNs = compiled.loadNs;
  retrieval.codeBytes = compiled.executable->codeBytes();
  retrieval.process = m_services.process;
  return retrieval;
}

Result<TracedFunction> MissHandler::trace(base::FunctionId function, std::span<const script::Argument> arguments) {
  script::GraphSource &source = *m_services.functions.of(function).source;
  const graph::Template tmpl = templateOf(m_services.options.options().templateMode, arguments);
  const base::TemplateId templateId = m_services.ids.templateOf(function, signatureOf(tmpl));
  const std::lock_guard lock(m_traceMutex);
  JITSCOPE_TRY(std::shared_ptr<const graph::Graph> graph, source.trace(tmpl, arguments));
  if (!m_services.cache.contains(m_services.options.keyOf(function, arguments))) {
    source.forget(tmpl);
  }
  return TracedFunction{templateId, std::move(graph)};
}

std::vector<script::FunctionTemplate> MissHandler::templatesOf(base::FunctionId function) {
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

void MissHandler::left(const std::vector<cache::Eviction> &evictions) {
  for (const cache::Eviction &eviction : evictions) {
    {
      const std::lock_guard lock(m_traceMutex);
      const KnownTemplate &known = m_templates.at(eviction.templateId);
      m_history.left(known.function, eviction.templateId, eviction.options, eviction.reason);
      m_services.functions.of(known.function).source->forget(known.tmpl);
    }
    m_services.counters.evicted();
    m_services.sink.record(
        event::EvictionEvent{m_services.clock.nowNs(), eviction.templateId, eviction.reason, eviction.codeBytes});
  }
}

} // namespace jitscope::runtime
