// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

/// The report for programs: one JSON object, every time and duration in nanoseconds, every size in bytes, nothing elided. What is
/// not UTF-8 in a name is replaced by U+FFFD.
[[nodiscard]] std::string renderJson(const analysis::Summary &summary);

} // namespace jitscope::report
