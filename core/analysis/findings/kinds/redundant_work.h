// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Work of the optimizer on copies of functions, for each pipeline.
base::Result<void> findRedundantWork(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
