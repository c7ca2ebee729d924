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
/// one state of a session, which may still be running. A million calls take some 0.5 s and a few MB, and only where a kind needs
/// them.
[[nodiscard]] base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader);

} // namespace jitscope::analysis
