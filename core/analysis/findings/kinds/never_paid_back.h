// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Executables that no call used, or too few for what they cost.
base::Result<void> findNeverPaidBack(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
