// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/clock.h"
#include "cache/executable_cache.h"
#include "event/activity.h"
#include "event/sink.h"
#include "jit/disk_cache.h"
#include "runtime/dispatch/attempt.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/dispatch_options.h"
#include "runtime/dispatch/function_table.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/dispatch/memory_log.h"
#include "runtime/dispatch/miss_handler.h"
#include "runtime/dispatch/run_counters.h"
#include "runtime/study/vectorization_log.h"
#include "script/host.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::runtime {

class TensorPool;

/// Serves calls: key, lookup, and where memory has nothing the `MissHandler`; then runs the code and records what happened. Members
/// may be called from any thread unless they say otherwise.
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

  /// `MissHandler::trace`.
  base::Result<TracedFunction> trace(base::FunctionId function, std::span<const script::Argument> arguments) {
    return m_misses.trace(function, arguments);
  }
  /// `MissHandler::templatesOf`.
  [[nodiscard]] std::vector<script::FunctionTemplate> templatesOf(base::FunctionId function) {
    return m_misses.templatesOf(function);
  }
  /// The function's name.
  [[nodiscard]] const std::string &nameOf(base::FunctionId function) { return m_functions.of(function).name; }

  /// Not while other threads call. RuntimeOption or CompileTarget for what cannot be honoured; then the old options stay.
  base::Result<void> setOptions(const DispatchOptions &options);
  [[nodiscard]] const DispatchOptions &options() const { return m_options.options(); }

  /// The section that calls belong to from now on.
  void setSection(base::SectionId section);
  /// Tensors and cache as of now, recorded if they have changed.
  void recordMemory() { m_memory.record(m_services.clock.nowNs()); }

  [[nodiscard]] script::EngineCounters counters() const;

private:
  base::Result<std::vector<graph::Tensor>> execute(const cache::Entry &entry, std::span<const script::Argument> arguments);
  void record(const event::CallEvent &event);
  void left(const std::vector<cache::Eviction> &evictions);
  [[nodiscard]] base::SectionId section() const { return base::SectionId(m_section.load(std::memory_order_relaxed)); }

  Services m_services;
  std::uint16_t m_process;
  OptionsInForce m_options;
  FunctionTable m_functions;
  cache::ExecutableCache m_cache;
  RunCounters m_counters;
  MemoryLog m_memory;
  MissHandler m_misses;
  std::atomic<std::uint32_t> m_section{0};
};

} // namespace jitscope::runtime
