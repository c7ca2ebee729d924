// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Functions whose calls alternate between few dtypes or static values, within one thread.
base::Result<void> findFlipFlops(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
