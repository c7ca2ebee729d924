// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Executables that were evicted and compiled again.
base::Result<void> findSmallCache(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
