// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding_list.h"

namespace jitscope::analysis {

/// Functions of one name that are made at one line, called, and made again.
base::Result<void> findFunctionsMadeAnew(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
