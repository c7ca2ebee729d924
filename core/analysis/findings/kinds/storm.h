// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Functions that ordinary calls compile again and again for other arguments.
base::Result<void> findRecompileStorms(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
