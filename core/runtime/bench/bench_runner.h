// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "runtime/bench/measured_leg.h"
#include "script/host.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

namespace jitscope::base {
class Clock;
} // namespace jitscope::base

namespace jitscope::runtime {

class Dispatcher;

/// How one leg is measured.
struct LegPlan {
  base::FunctionId function;
  std::span<const script::Argument> arguments;
  base::CaseId caseId;
  event::Leg leg = event::Leg::Warm;
  std::uint64_t warmupNs = 0;                     ///< as Benchee: at least one whole call, unless it is 0
  std::uint64_t timeNs = 0;                       ///< samples are taken until it is over, at least one
  std::uint32_t parallel = 1;                     ///< threads that call at the same time
  std::uint64_t maxSamples = script::kMaxSamples; ///< of all threads together, at least one each; then the leg ends early
};

/// Measures legs in this process. Inputs are ready before, results are freed after each sample's time was taken.
///
/// As in Benchee, the time of a call is meaningful only if it is at least ten steps of the clock. For shorter calls, a sample is
/// the mean of 10, 100, … calls in a row; the number is determined once the case runs from the cache. A call that is not a hit is
/// always its own sample, and the row that it interrupts is measured again.
class BenchRunner {
public:
  struct Services {
    const base::Clock &clock;
    Dispatcher &dispatcher;
    const std::atomic<bool> &stopRequested;
  };
  explicit BenchRunner(Services services) : m_services(services) {}

  /// ScriptInterrupted on a stop, else the error of the first call that failed.
  base::Result<MeasuredLeg> measure(const LegPlan &plan);

private:
  struct Rows;
  struct ThreadResult;
  class ThreadLoop;

  void learnTheClock();
  std::uint64_t countOutRow(const LegPlan &plan, const event::CallEvent &call);

  Services m_services;
  std::atomic<bool> m_failed{false};
  std::optional<double> m_clockStepNs; ///< measured with the first leg
  double m_timingOverheadNs = 0;
};

} // namespace jitscope::runtime
