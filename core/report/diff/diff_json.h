// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::analysis {
struct CodeComparison;
}

namespace jitscope::report {

/// A comparison of code for programs: one JSON object with all rows, ending with a newline.
[[nodiscard]] std::string renderDiffJson(const analysis::CodeComparison &comparison);

} // namespace jitscope::report
