// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "runtime/cold_leg.h"
#include "script/host.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

class Dispatcher;
class IdRegistry;

/// How one leg is measured.
struct LegPlan {
  base::FunctionId function;
  std::span<const script::Argument> arguments;
  base::CaseId caseId;
  event::Leg leg = event::Leg::Warm;
  std::uint64_t warmupNs = 0; ///< as Benchee: at least one whole call, unless it is 0
  std::uint64_t timeNs = 0;   ///< samples are taken until it is over, at least one
  std::uint32_t parallel = 1; ///< threads that call at the same time
};

/// Measures legs in this process. Inputs are ready before, results are freed after each sample's time was taken.
class BenchRunner {
public:
  struct Options {
    /// Samples that one thread keeps of one leg. A leg that reaches it ends early, and the log says so.
    std::uint64_t maxSamples = 2'000'000;
  };
  struct Services {
    const base::Clock &clock;
    event::Sink &sink;
    Dispatcher &dispatcher;
    const std::atomic<bool> &stopRequested;
  };
  BenchRunner(Services services, Options options);
  explicit BenchRunner(Services services) : BenchRunner(services, Options{}) {}

  /// The samples of all threads, thread by thread. ScriptInterrupted on a stop, else the error of the first call that failed.
  base::Result<std::vector<script::Sample>> measure(const LegPlan &plan);

private:
  struct ThreadResult;
  void measureThread(const LegPlan &plan, std::uint32_t thread, ThreadResult &result);
  base::Result<std::uint64_t> callOnce(const LegPlan &plan, std::uint32_t thread, event::CallPhase phase,
                                       std::vector<script::Sample> *samples);

  Services m_services;
  Options m_options;
  std::atomic<bool> m_failed{false};
};

} // namespace jitscope::runtime
