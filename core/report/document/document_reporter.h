// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reporter.h"

namespace jitscope::report {

class ChartSource;

/// The report as Markdown, e.g. for the summary page of a CI job.
class MarkdownReporter final : public Reporter {
public:
  [[nodiscard]] std::string render(const analysis::Summary &summary) const override;
};

/// The report as one HTML file.
class HtmlReporter final : public Reporter {
public:
  /// `charts` may be null and must outlive this.
  explicit HtmlReporter(const ChartSource *charts) : m_charts(charts) {}
  [[nodiscard]] std::string render(const analysis::Summary &summary) const override;

private:
  const ChartSource *m_charts;
};

} // namespace jitscope::report
