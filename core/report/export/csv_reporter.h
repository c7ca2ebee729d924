// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reporter.h"

namespace jitscope::report {

/// The statistics of benchmarks as a table for other programs: a row for each case and leg, and one more for its samples without
/// compiles where some compiled. Nanoseconds; what does not exist is empty.
class CsvReporter final : public Reporter {
public:
  [[nodiscard]] std::string render(const analysis::Summary &summary) const override;
};

} // namespace jitscope::report
