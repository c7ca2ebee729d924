// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/run_counters.h"

namespace jitscope::runtime {

using event::Outcome;

script::EngineCounters RunCounters::counters() const {
  const auto valueOf = [](const Counter &counter) { return counter.load(std::memory_order_relaxed); };
  const auto calls = [&](Outcome outcome) { return valueOf(m_callsByOutcome.at(static_cast<std::size_t>(outcome))); };
  script::EngineCounters counters;
  counters.hits = calls(Outcome::Hit);
  counters.retraces = calls(Outcome::Retrace);
  counters.disk = calls(Outcome::Disk);
  counters.misses = calls(Outcome::Miss);
  counters.waits = calls(Outcome::Wait);
  counters.bypasses = calls(Outcome::Bypass);
  counters.calls = counters.hits + counters.retraces + counters.disk + counters.misses + counters.waits + counters.bypasses;
  counters.compiles = valueOf(m_compiles);
  counters.compilesInSection = valueOf(m_compilesInSection);
  counters.compileNs = valueOf(m_compileNs);
  counters.evictions = valueOf(m_evictions);
  return counters;
}

} // namespace jitscope::runtime
