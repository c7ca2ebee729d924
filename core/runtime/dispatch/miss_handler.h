// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/clock.h"
#include "cache/executable_cache.h"
#include "cache/miss_reasons.h"
#include "event/activity.h"
#include "event/sink.h"
#include "graph/template.h"
#include "jit/disk_cache.h"
#include "runtime/dispatch/attempt.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/dispatch_options.h"
#include "runtime/dispatch/function_table.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/dispatch/run_counters.h"
#include "runtime/study/vectorization_log.h"
#include "script/host.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace jitscope::runtime {

/// The graph of a function for some arguments.
struct TracedFunction {
  base::TemplateId templateId;
  std::shared_ptr<const graph::Graph> graph;
};

/// What a call goes through that memory cannot serve: it waits for who is making the code already, or traces, compiles (or finds
/// the code on disk), puts it into the cache and records where it came from. Remembers every template, so that it can say why one
/// is missing. Any thread.
class MissHandler {
public:
  struct Services {
    const base::Clock &clock;
    event::Sink &sink;
    IdRegistry &ids;
    Compiler &compiler;
    VectorizationLog &vectorization;
    const jit::DiskCache *disk = nullptr;       ///< null: there is none, whatever the options say
    event::ActivityBoard *activities = nullptr; ///< where compiles say what they are doing; null: nobody listens
    FunctionTable &functions;
    cache::ExecutableCache &cache;
    const OptionsInForce &options;
    RunCounters &counters;
    std::uint16_t process = 0;
  };
  explicit MissHandler(Services services) : m_services(services) {}

  /// Waits for whoever is making the entry, or makes it.
  base::Result<std::shared_ptr<const cache::Entry>> serve(Attempt &attempt);

  /// The graph of a function for these arguments, for those who compile it themselves. Leaves no trace behind that the cache would
  /// not have.
  base::Result<TracedFunction> trace(base::FunctionId function, std::span<const script::Argument> arguments);
  /// The templates that the cache has had code of this function for, in the order of their ids.
  [[nodiscard]] std::vector<script::FunctionTemplate> templatesOf(base::FunctionId function);

  /// Entries left the cache: records that and forgets their graphs.
  void left(const std::vector<cache::Eviction> &evictions);

private:
  using EntryPointer = std::shared_ptr<const cache::Entry>;
  /// When a miss began, what tracing took, and why it is one.
  struct Origin {
    cache::MissExplanation explanation;
    std::uint64_t startNs = 0;
    std::uint64_t traceNs = 0;
  };
  /// A graph with what the script froze in it.
  struct Made {
    std::shared_ptr<const graph::Graph> graph;
    std::shared_ptr<const script::FrozenValues> frozen;
    Origin origin;
  };
  struct KnownTemplate {
    base::FunctionId function;
    graph::Template tmpl;
    std::uint64_t codeBytes = 0; ///< of its latest executable
  };

  base::Result<EntryPointer> make(Attempt &attempt);
  base::Result<EntryPointer> makeAndPublish(Attempt &attempt, const std::shared_ptr<cache::ExecutableCache::Flight> &flight);
  base::Result<Made> traceFor(Attempt &attempt, base::TemplateId templateId, const graph::Template &tmpl);
  void record(const Attempt &attempt, base::TemplateId templateId, Compiled compiled, Origin origin);
  event::CompileEvent compileEventOf(const Attempt &attempt, base::TemplateId templateId, Compiled &compiled, Origin &origin);
  event::RetrievalEvent retrievalEventOf(const Attempt &attempt, base::TemplateId templateId, const Compiled &compiled,
                                         Origin &origin) const;

  Services m_services;
  std::mutex m_traceMutex; ///< one trace at a time; guards what follows, too
  cache::TemplateHistory m_history;
  std::unordered_map<base::TemplateId, KnownTemplate> m_templates;
};

} // namespace jitscope::runtime
