// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding.h"
#include "base/error.h"

#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// What is wrong in a session: results first, then by the time that could be saved. Empty for a session with nothing wrong. Reads
/// one state of a session, which may still be running. Calls are read only where a kind needs them.
[[nodiscard]] base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader);

} // namespace jitscope::analysis
