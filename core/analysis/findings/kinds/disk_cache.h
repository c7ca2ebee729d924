// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Compiles whose code is on disk, but for another target or damaged.
base::Result<void> findDiskCacheProblems(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
