// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/batch/batch_result.h"

#include <string>

namespace jitscope::report {

/// A batch as JUnit XML in the form of Ant's task, which CI systems read: a test case for each script, expectation and comparison.
[[nodiscard]] std::string renderJunit(const BatchResult &batch);

} // namespace jitscope::report
