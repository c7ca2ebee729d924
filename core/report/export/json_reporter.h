// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reporter.h"

namespace jitscope::report {

/// The report for programs: one JSON object, every time and duration in nanoseconds, every size in bytes, nothing elided. What is
/// not UTF-8 in a name is replaced by U+FFFD.
class JsonReporter final : public Reporter {
public:
  [[nodiscard]] std::string render(const analysis::Summary &summary) const override;
};

} // namespace jitscope::report
