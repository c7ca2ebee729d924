// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/document/document.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

class ChartSource;

struct ReportOptions {
  /// Colour by terminal escapes, in text only.
  bool colour = false;
  /// Columns that text may take; tables are elided to fit between 60 and 200.
  std::size_t width = 100;
  /// Rows that a table of text shows before it says how many more there are.
  std::size_t rows = 20;
  /// How much text tells. Markdown and HTML are always whole.
  Density density = Density::Short;
  /// What draws, in HTML only; none where it is null. Must outlive the reporter.
  const ChartSource *charts = nullptr;
};

/// Renders a summary in one format. Stateless: any number of threads, any number of times.
class Reporter {
public:
  using Render = std::string (*)(const analysis::Summary &, const ReportOptions &);
  Reporter(Render function, const ReportOptions &options) : m_render(function), m_options(options) {}

  /// The whole report, ending with a newline. The same summary gives the same text.
  [[nodiscard]] std::string render(const analysis::Summary &summary) const { return m_render(summary, m_options); }

private:
  Render m_render;
  ReportOptions m_options;
};

/// The formats that `makeReporter` knows.
[[nodiscard]] std::vector<std::string_view> reportFormats();

/// A reporter by the name of its format, e.g. "text" or "json". RuntimeOption for a name that is none.
[[nodiscard]] base::Result<Reporter> makeReporter(std::string_view format, const ReportOptions &options = {});

} // namespace jitscope::report
