// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Warnings about code that computes with a value that has changed since its trace.
base::Result<void> findStaleCaptures(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
