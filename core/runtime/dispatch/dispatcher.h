// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/clock.h"
#include "cache/executable_cache.h"
#include "cache/miss_reasons.h"
#include "event/activity.h"
#include "event/sink.h"
#include "jit/disk_cache.h"
#include "lower/compile_options.h"
#include "runtime/dispatch/call_key.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/study/vectorization_log.h"
#include "script/host.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::runtime {

class TensorPool;

/// How calls are served from now on.
struct DispatchOptions {
  lower::CompileOptions compile = {};
  TemplateMode templateMode = TemplateMode::Exact;
  cache::CacheOptions cache = {};
  bool usesDisk = false;
  pipeline::Observation observation = {};
};

/// What a call belongs to; all but the thread is the same for many calls.
struct CallContext {
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  event::CallPhase phase = event::CallPhase::Run;
  std::uint32_t thread = 0;
};

/// Serves calls: key, lookup, and where memory has nothing trace, compile and publish; then runs the code and records what
/// happened. Members may be called from any thread unless they say otherwise.
class Dispatcher {
public:
  struct Services {
    const base::Clock &clock;
    event::Sink &sink;
    IdRegistry &ids;
    TensorPool &pool;
    Compiler &compiler;
    VectorizationLog &vectorization;
    const jit::DiskCache *disk = nullptr;       ///< null: there is none, whatever the options say
    event::ActivityBoard *activities = nullptr; ///< where compiles say what they are doing; null: nobody listens
  };
  Dispatcher(Services services, std::uint16_t process);

  /// Announces a function whose graphs `source` gives.
  base::FunctionId addFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source);

  base::Result<script::CallResult> call(base::FunctionId function, std::span<const script::Argument> arguments,
                                        const CallContext &context);
  /// Calls in a row, as one sample: `event` is as if it were one call that took the mean.
  struct BatchedCalls {
    event::CallEvent event;
    std::uint64_t durationNs = 0;  ///< of all of them
    std::uint64_t resultBytes = 0; ///< of all of them, which live until all are done
  };
  /// Calls `count` times with nothing in between but what a hit needs, and takes the time of all together: for calls that are too
  /// short for the clock. Empty where one of them would have been no hit, or found no memory: then `call` tells. Records nothing.
  std::optional<BatchedCalls> callBatch(base::FunctionId function, std::span<const script::Argument> arguments,
                                        const CallContext &context, std::uint64_t count);
  /// Records a batch, as one call.
  void recordBatch(BatchedCalls &batch);
  /// Makes a later call of this template a hit. Runs nothing and records no call, but a compile where there was one.
  base::Result<event::CallEvent> compileAhead(base::FunctionId function, std::span<const script::Argument> arguments);
  [[nodiscard]] bool contains(base::FunctionId function, std::span<const script::Argument> arguments) const;
  /// What the cached code for these arguments has frozen; null where there is none.
  [[nodiscard]] std::shared_ptr<const script::FrozenValues> frozenIn(base::FunctionId function,
                                                                     std::span<const script::Argument> arguments);
  void clear();

  /// The graph of a function for these arguments, for those who compile it themselves. Leaves no trace behind that the cache would
  /// not have.
  struct Traced {
    base::TemplateId templateId;
    std::shared_ptr<const graph::Graph> graph;
  };
  base::Result<Traced> trace(base::FunctionId function, std::span<const script::Argument> arguments);
  /// The templates that the cache has had code of this function for, in the order of their ids.
  [[nodiscard]] std::vector<script::FunctionTemplate> templatesOf(base::FunctionId function);
  /// The function's name.
  [[nodiscard]] std::string nameOf(base::FunctionId function);

  /// Not while other threads call. RuntimeOption or CompileTarget for what cannot be honoured; then the old options stay.
  base::Result<void> setOptions(const DispatchOptions &options);
  [[nodiscard]] const DispatchOptions &options() const { return m_options; }

  /// The section that calls belong to from now on.
  void setSection(base::SectionId section);
  /// Tensors and cache as of now, recorded if they have changed.
  void recordMemory();

  [[nodiscard]] script::EngineCounters counters() const;

private:
  struct Function {
    std::string name;
    std::unique_ptr<script::GraphSource> source;
  };
  /// One call on its way: what is known so far.
  struct Attempt {
    base::FunctionId function;
    std::span<const script::Argument> arguments;
    base::Hash128 key;
    event::CallEvent event;
    bool isAhead = false;
  };

  base::Result<std::shared_ptr<const cache::Entry>> serve(Attempt &attempt);
  base::Result<std::shared_ptr<const cache::Entry>> make(Attempt &attempt);
  base::Result<std::shared_ptr<const cache::Entry>> makeAndPublish(Attempt &attempt,
                                                                   const std::shared_ptr<cache::ExecutableCache::Flight> &flight);
  void recordOrigin(const Attempt &attempt, Compiled compiled, cache::MissExplanation explanation, std::uint64_t startNs,
                    std::uint64_t traceNs);
  base::Result<std::vector<graph::Tensor>> execute(const cache::Entry &entry, std::span<const script::Argument> arguments);
  void count(const event::CallEvent &event);
  void recordEvictions(const std::vector<cache::Eviction> &evictions);
  void forget(const std::vector<cache::Eviction> &evictions);
  void recordMemoryNow(std::uint64_t nowNs);
  [[nodiscard]] base::Hash128 keyOf(base::FunctionId function, std::span<const script::Argument> arguments) const {
    return callKeyOf(function, m_optionsKey, m_options.templateMode, arguments);
  }
  Function &functionOf(base::FunctionId id);
  void useOptionsText();

  Services m_services;
  std::uint16_t m_process;
  DispatchOptions m_options;
  std::string m_optionsText;
  std::uint64_t m_optionsKey = 0;
  std::unordered_map<std::string, lower::CompileOptions> m_knownOptions; ///< by their text
  cache::ExecutableCache m_cache;

  std::mutex m_functionsMutex;
  std::deque<Function> m_functions; ///< by id; a deque, since it grows while others hold references

  std::mutex m_traceMutex; ///< one trace at a time; guards `m_history` and `m_templates`, too
  cache::TemplateHistory m_history;
  struct KnownTemplate {
    base::FunctionId function;
    graph::Template tmpl;
    std::uint64_t codeBytes = 0; ///< of its latest executable
  };
  std::unordered_map<base::TemplateId, KnownTemplate> m_templates;

  std::atomic<std::uint32_t> m_section{0};
  static constexpr std::size_t kOutcomes = 6;
  std::array<std::atomic<std::uint64_t>, kOutcomes> m_callsByOutcome{};
  std::atomic<std::uint64_t> m_compiles{0};
  std::atomic<std::uint64_t> m_compilesInSection{0};
  std::atomic<std::uint64_t> m_compileNs{0};
  std::atomic<std::uint64_t> m_evictions{0};
  std::atomic<std::uint64_t> m_nextMemoryNs{0};
  std::mutex m_memoryMutex;
  event::MemoryEvent m_lastMemory; ///< guarded by `m_memoryMutex`
};

} // namespace jitscope::runtime
