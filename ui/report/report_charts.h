// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/chart_source.h"

#include <map>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::charts {

/// Where figures go.
enum class Medium : std::uint8_t {
  Page, ///< HTML: colours of the reader's choice, and a second drawing for narrow screens
  Paper ///< SVG as Qt writes and reads it, light
};

/// The figures of a report: the window's charts, of one session. Needs a QApplication to be made, no screen.
class ReportCharts final : public report::ChartSource {
public:
  /// Reads what a summary does not have (calls, samples) and draws everything that the summary is of. It must be the session's
  /// own.
  [[nodiscard]] static base::Result<ReportCharts> draw(session::SessionReader &reader, const analysis::Summary &summary,
                                                       Medium medium);

  [[nodiscard]] std::vector<report::DocumentFigure> figuresFor(report::ChartPlace place,
                                                               const analysis::Summary &summary) const override;

private:
  std::map<report::ChartPlace, std::vector<report::DocumentFigure>> m_figures;
};

} // namespace jitscope::charts
