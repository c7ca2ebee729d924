// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reporter.h"

namespace jitscope::report {

/// The report for a terminal: what `jitscope run` ends with and `jitscope report` prints. Sections without content are left out.
class TextReporter final : public Reporter {
public:
  explicit TextReporter(const ReportOptions &options);
  [[nodiscard]] std::string render(const analysis::Summary &summary) const override;

private:
  ReportOptions m_options;
};

} // namespace jitscope::report
