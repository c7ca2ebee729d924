// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/bench_runner.h"

#include "base/clock.h"
#include "event/sink.h"
#include "runtime/dispatcher.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

namespace jitscope::runtime {

using base::Result;
using event::CallPhase;
using script::Sample;

struct BenchRunner::ThreadResult {
  std::vector<Sample> samples;
  std::optional<base::Error> error;
  bool hitSampleBound = false;
};

BenchRunner::BenchRunner(Services services, Options options) : m_services(services), m_options(options) {}

/// One call; gives the time at which it was over. Its results are freed when this returns, after their time was taken.
Result<std::uint64_t> BenchRunner::callOnce(const LegPlan &plan, std::uint32_t thread, CallPhase phase,
                                            std::vector<Sample> *samples) {
  const Result<script::CallResult> result =
      m_services.dispatcher.call(plan.function, plan.arguments, {plan.caseId, plan.leg, phase, thread});
  if (!result) {
    return std::unexpected(result.error());
  }
  if (samples != nullptr) {
    samples->push_back({result->event.totalNs(), result->event.outcome});
  }
  return result->event.startNs + result->event.totalNs();
}

void BenchRunner::measureThread(const LegPlan &plan, std::uint32_t thread, ThreadResult &result) {
  const auto loop = [&](CallPhase phase, std::uint64_t forNs, std::vector<Sample> *samples) {
    const std::uint64_t startNs = m_services.clock.nowNs();
    std::uint64_t nowNs = startNs;
    do {
      const Result<std::uint64_t> endNs = callOnce(plan, thread, phase, samples);
      if (!endNs) {
        result.error = endNs.error();
        m_failed.store(true, std::memory_order_relaxed);
        return false;
      }
      nowNs = *endNs;
      if (m_services.stopRequested.load(std::memory_order_relaxed)) {
        result.error = base::Error{base::ErrorCode::ScriptInterrupted, "interrupted while a benchmark was measured"};
        m_failed.store(true, std::memory_order_relaxed);
      }
      result.hitSampleBound = samples != nullptr && samples->size() >= m_options.maxSamples;
    } while (nowNs - startNs < forNs && !m_failed.load(std::memory_order_relaxed) && !result.hitSampleBound);
    return !m_failed.load(std::memory_order_relaxed);
  };
  if (plan.warmupNs == 0 || loop(CallPhase::Warmup, plan.warmupNs, nullptr)) {
    loop(CallPhase::Sample, plan.timeNs, &result.samples);
  }
}

Result<std::vector<Sample>> BenchRunner::measure(const LegPlan &plan) {
  m_failed.store(false, std::memory_order_relaxed);
  std::vector<ThreadResult> results(std::max(plan.parallel, 1U));
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 1; thread < results.size(); ++thread) {
      threads.emplace_back([&, thread] { measureThread(plan, thread, results[thread]); });
    }
    measureThread(plan, 0, results[0]);
  }
  std::vector<Sample> samples = std::move(results[0].samples);
  for (std::size_t thread = 1; thread < results.size(); ++thread) {
    samples.insert(samples.end(), results[thread].samples.begin(), results[thread].samples.end());
  }
  for (const ThreadResult &result : results) {
    if (result.error) {
      return std::unexpected(*result.error);
    }
    if (result.hitSampleBound) {
      m_services.sink.record(event::LogEvent{
          m_services.clock.nowNs(), event::LogLevel::Warning,
          fmt::format("a benchmark leg ended early after {} samples, the most that are kept", m_options.maxSamples)});
    }
  }
  return samples;
}

} // namespace jitscope::runtime
