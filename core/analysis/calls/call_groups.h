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

/// One call of a group, as far as a summary needs it.
struct CallMark {
  base::CallId id;
  std::uint64_t startNs = 0;
  std::uint64_t totalNs = 0;
  /// Counts the samples of its case and leg from 1, selected or not, in the order of ids; 0 for no sample.
  std::uint64_t sampleNumber = 0;
};

/// All calls that agree in template, section, case, leg, phase, thread, process and outcome.
struct CallGroup {
  base::TemplateId templateId;
  base::SectionId sectionId;
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  event::CallPhase phase = event::CallPhase::Run;
  event::Outcome outcome = event::Outcome::Hit;
  std::uint16_t process = 0;
  std::vector<std::uint64_t> totalsNs; ///< total of each call, in the order of ids
  std::uint64_t sumNs = 0;
  CallMark first;                 ///< the call that started first
  CallMark longest;               ///< the first of the longest calls
  std::uint64_t endNs = 0;        ///< when the call that ended last did
  std::uint64_t samplesOfLeg = 0; ///< all samples of its case and leg, selected or not; 0 for calls that are none
};

struct Selection;

/// Reads the selected calls of a session once, 8 bytes of memory for each. Groups in the order in which they first occurred.
[[nodiscard]] base::Result<std::vector<CallGroup>> readCallGroups(session::Database &database, const Selection &selection);
/// The same for every call.
[[nodiscard]] base::Result<std::vector<CallGroup>> readCallGroups(session::Database &database);

} // namespace jitscope::analysis
