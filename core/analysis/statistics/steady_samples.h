// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// The samples of one case and leg, in the order of their ids, which is that in which each thread took them.
struct SteadySamples {
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  std::vector<std::uint64_t> steadyNs; ///< totals of samples that no compile held up
  std::vector<std::uint64_t> heldUpNs; ///< totals of the others: see `event::heldUpByCompile`
};

/// Reads the samples of every case and leg that has some, ordered by case, cold before warm; 8 bytes of memory for each. A million
/// take about 0.3 s.
[[nodiscard]] base::Result<std::vector<SteadySamples>> readSteadySamples(session::Database &database);

} // namespace jitscope::analysis
