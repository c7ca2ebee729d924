// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// A phase that dominates the compiles of a function, and a pass that dominates all compiles.
base::Result<void> findSlowPhases(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
