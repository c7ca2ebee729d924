// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_groups.h"
#include "analysis/findings/finding.h"
#include "analysis/statistics/case_statistics.h"
#include "base/error.h"

#include <span>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// What is wrong in a session: results first, then by the time that could be saved. Empty for a session with nothing wrong. Reads
/// one state of a session, which may still be running. Calls are read only where a kind needs them.
[[nodiscard]] base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader);
/// The same where all calls of the session have been read by group, and the statistics of their legs are known.
[[nodiscard]] base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader, std::span<const CallGroup> groups,
                                                              std::span<const LegStatistics> legs);

} // namespace jitscope::analysis
