// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Benchmark cases whose statistics say less than they seem to: one finding for each case.
base::Result<void> findMeasurementProblems(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
