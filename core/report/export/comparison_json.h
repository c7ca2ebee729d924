// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::analysis {
struct Comparison;
}

namespace jitscope::report {

/// A comparison for programs: one JSON object, times in nanoseconds.
[[nodiscard]] std::string renderComparisonJson(const analysis::Comparison &comparison);

} // namespace jitscope::report
