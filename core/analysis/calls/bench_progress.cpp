// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/bench_progress.h"

#include "session/session_reader.h"

#include <algorithm>

namespace jitscope::analysis {

bool BenchProgress::isDone() const {
  const bool hasBegun = coldLegs + warmLegs > 0;
  const auto isWhole = [this](std::uint64_t legs) { return legs == 0 || legs == cases; };
  return cases == 0 || (hasBegun && isWhole(coldLegs) && isWhole(warmLegs));
}

base::Result<BenchProgress> readBenchProgress(session::SessionReader &reader) {
  BenchProgress progress;
  if (reader.session().status != record::SessionStatus::Running) {
    return progress;
  }
  const auto cases = reader.benchCases();
  const auto legs = reader.benchLegs();
  if (!cases || !legs) {
    return std::unexpected(!cases ? cases.error() : legs.error());
  }
  const std::uint32_t latest = cases->empty() ? 0 : std::ranges::max(*cases, {}, &event::BenchCaseEvent::bench).bench;
  for (const event::BenchCaseEvent &entry : *cases) {
    progress.cases += entry.bench == latest ? 1 : 0;
  }
  for (const event::BenchLegEvent &leg : *legs) {
    const auto entry = std::ranges::find(*cases, leg.caseId, &event::BenchCaseEvent::id);
    if (entry != cases->end() && entry->bench == latest) {
      ++(leg.leg == event::Leg::Cold ? progress.coldLegs : progress.warmLegs);
    }
  }
  return progress;
}

} // namespace jitscope::analysis
