// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/batch/batch_result.h"

#include <string>

namespace jitscope::report {

/// A batch as SARIF 2.1.0: failed expectations, scripts that did not finish, and loops that were not vectorized, with file and
/// line.
[[nodiscard]] std::string renderSarif(const BatchResult &batch);

} // namespace jitscope::report
