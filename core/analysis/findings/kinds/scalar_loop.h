// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Functions that take much of the execution time and have scalar loops only, with a remedy.
base::Result<void> findScalarLoops(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
