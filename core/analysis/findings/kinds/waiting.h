// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Ordinary calls that were held up by a compile of another thread.
base::Result<void> findWaiting(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
