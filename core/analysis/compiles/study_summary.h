// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/optimizer_summary.h"
#include "base/error.h"

#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// Everything about the studies of a session, in their order.
[[nodiscard]] base::Result<std::vector<StudySummary>> summarizeStudies(session::SessionReader &reader);

} // namespace jitscope::analysis
