// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// What first calls waited for, beyond what other findings count.
base::Result<void> findColdStart(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
