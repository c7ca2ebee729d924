// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

/// The statistics of benchmarks as a table for other programs: a row for each case and leg, and one more for its samples without
/// compiles where some compiled. Nanoseconds; what does not exist is empty.
[[nodiscard]] std::string renderCsv(const analysis::Summary &summary);

} // namespace jitscope::report
