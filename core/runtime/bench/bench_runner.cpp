// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/bench/bench_runner.h"

#include "base/clock.h"
#include "runtime/bench/call_overhead.h"
#include "runtime/dispatch/dispatcher.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace jitscope::runtime {

using base::Result;
using event::CallPhase;
using script::Sample;

namespace {

/// Benchee's bound: shorter than so many steps of the clock, a time is too coarse.
constexpr double kFewestSteps = 10;
/// A first call that ran for so many times the bound will not fall below it, and need not be tried again.
constexpr double kPlainlyLong = 100;
constexpr std::uint64_t kLongestRow = 10'000;
/// The results of a row live until it is measured.
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{16} << 20U;

} // namespace

/// What the threads of a leg agree on: how many calls make a sample.
struct BenchRunner::Rows {
  std::once_flag counted;
  std::uint64_t callsPerSample = 1; ///< written within `counted`
};

struct BenchRunner::ThreadResult {
  std::vector<Sample> samples;
  std::optional<base::Error> error;
  bool isCapped = false;
};

/// One thread's way through a leg.
class BenchRunner::ThreadLoop {
public:
  ThreadLoop(BenchRunner &runner, const LegPlan &plan, Rows &rows, std::uint32_t thread, ThreadResult &result)
      : m_runner(runner), m_plan(plan), m_rows(rows), m_result(result), m_context{plan.caseId, plan.leg, CallPhase::Warmup, thread},
        m_maxSamples(std::max<std::uint64_t>(plan.maxSamples / std::max(plan.parallel, 1U), 1)) {}

  void run() {
    if (m_plan.warmupNs > 0) {
      m_isGood = loop(m_plan.warmupNs, [this] { return callOnce(); });
      countOut();
    }
    if (m_isGood) {
      m_context.phase = CallPhase::Sample;
      loop(m_plan.timeNs, [this] { return sample(); });
    }
  }

private:
  /// `step` again and again until the time is over; gives when each was. Whether all went well.
  template <typename Step> bool loop(std::uint64_t forNs, Step step) {
    const std::uint64_t startNs = m_runner.m_services.clock.nowNs();
    while (true) {
      const std::optional<std::uint64_t> endNs = step();
      if (endNs && m_runner.m_services.stopRequested.load(std::memory_order_relaxed)) {
        fail({base::ErrorCode::ScriptInterrupted, "interrupted while a benchmark was measured"});
      }
      if (m_runner.m_failed.load(std::memory_order_relaxed)) {
        return false;
      }
      if (*endNs - startNs >= forNs) {
        return true;
      }
      if (m_result.samples.size() >= m_maxSamples) {
        m_result.isCapped = true;
        return true;
      }
    }
  }

  void fail(base::Error error) {
    m_result.error = std::move(error);
    m_runner.m_failed.store(true, std::memory_order_relaxed);
  }

  /// One call; gives the time at which it was over. Its results are freed when this returns, after their time was taken.
  std::optional<std::uint64_t> callOnce() {
    Result<script::CallResult> result = m_runner.m_services.dispatcher.call(m_plan.function, m_plan.arguments, m_context);
    if (!result) {
      fail(std::move(result.error()));
      return std::nullopt;
    }
    m_last = result->event;
    return m_last->startNs + m_last->totalNs();
  }

  std::optional<std::uint64_t> sample() {
    if (!m_isCounted && m_last) {
      countOut();
    }
    if (m_isCounted && m_rows.callsPerSample > 1) {
      if (std::optional<Dispatcher::BatchedCalls> row =
              m_runner.m_services.dispatcher.callBatch(m_plan.function, m_plan.arguments, m_context, m_rows.callsPerSample)) {
        m_runner.m_services.dispatcher.recordBatch(*row);
        keep(row->event);
        return row->event.startNs + row->durationNs;
      }
    }
    const std::optional<std::uint64_t> endNs = callOnce();
    if (endNs) {
      keep(*m_last);
    }
    return endNs;
  }

  void keep(const event::CallEvent &event) { m_result.samples.push_back({event.totalNs(), event.outcome}); }

  /// The first thread that has made a call counts for all; others wait for it.
  void countOut() {
    if (!m_last) {
      return;
    }
    std::call_once(m_rows.counted, [this] { m_rows.callsPerSample = m_runner.countOutRow(m_plan, *m_last); });
    m_isCounted = true;
  }

  BenchRunner &m_runner;
  const LegPlan &m_plan;
  Rows &m_rows;
  ThreadResult &m_result;
  CallContext m_context;
  std::uint64_t m_maxSamples;
  std::optional<event::CallEvent> m_last;
  bool m_isCounted = false;
  bool m_isGood = true;
};

void BenchRunner::learnTheClock() {
  if (!m_clockStepNs) {
    m_clockStepNs = base::measureStepNs(m_services.clock);
    m_timingOverheadNs = measureTimingOverheadNs(m_services.clock);
  }
}

/// How many calls a sample needs, tried out beside the samples.
std::uint64_t BenchRunner::countOutRow(const LegPlan &plan, const event::CallEvent &call) {
  const double fewestNs = kFewestSteps * *m_clockStepNs;
  if (static_cast<double>(call.executeNs) >= kPlainlyLong * fewestNs) {
    return 1;
  }
  constexpr int kTries = 3;
  for (std::uint64_t count = 1;; count *= 10) {
    std::uint64_t shortestNs = ~std::uint64_t{0};
    std::uint64_t bytes = 0;
    for (int i = 0; i < kTries; ++i) {
      const std::optional<Dispatcher::BatchedCalls> row =
          m_services.dispatcher.callBatch(plan.function, plan.arguments, {plan.caseId, plan.leg}, count);
      if (!row) {
        return 1; // never a hit, as without a cache: then it is long enough
      }
      shortestNs = std::min(shortestNs, row->durationNs);
      bytes = row->resultBytes;
    }
    if (static_cast<double>(shortestNs) >= fewestNs || count >= kLongestRow || bytes > kMaxRowBytes / 10) {
      return count;
    }
  }
}

Result<MeasuredLeg> BenchRunner::measure(const LegPlan &plan) {
  learnTheClock();
  m_failed.store(false, std::memory_order_relaxed);
  Rows rows;
  std::vector<ThreadResult> results(std::max(plan.parallel, 1U));
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 1; thread < results.size(); ++thread) {
      threads.emplace_back([&, thread] { ThreadLoop(*this, plan, rows, thread, results[thread]).run(); });
    }
    ThreadLoop(*this, plan, rows, 0, results[0]).run();
  }
  MeasuredLeg leg;
  leg.samples = std::move(results[0].samples);
  for (std::size_t thread = 1; thread < results.size(); ++thread) {
    leg.samples.insert(leg.samples.end(), results[thread].samples.begin(), results[thread].samples.end());
  }
  for (const ThreadResult &result : results) {
    if (result.error) {
      return std::unexpected(*result.error);
    }
    leg.isCapped = leg.isCapped || result.isCapped;
  }
  leg.callsPerSample = rows.callsPerSample;
  leg.clockStepNs = *m_clockStepNs;
  leg.overheadNs = m_timingOverheadNs / static_cast<double>(rows.callsPerSample);
  return leg;
}

} // namespace jitscope::runtime
