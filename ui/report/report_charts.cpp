// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_charts.h"
#include "ui/report/bar_figures.h"
#include "ui/report/call_figures.h"

#include "analysis/summary.h"
#include "session/session_reader.h"
#include "ui/report/figure_pen.h"
#include "ui/report/figures.h"

namespace jitscope::charts {

base::Result<ReportCharts> ReportCharts::draw(session::SessionReader &reader, const analysis::Summary &summary, Medium medium) {
  using report::ChartPlace;
  ReportCharts charts;
  FigurePen pen(medium);
  const auto add = [&charts](ChartPlace place, base::Result<std::vector<report::DocumentFigure>> figures) -> base::Result<void> {
    if (!figures) {
      return std::unexpected(std::move(figures.error()));
    }
    charts.m_figures[place] = *std::move(figures);
    return {};
  };
  base::Result<void> done = add(ChartPlace::Outcomes, timelineFigures(pen, reader, summary));
  done = done ? add(ChartPlace::Benchmarks, latencyFigures(pen, reader, summary)) : done;
  done = done ? add(ChartPlace::CompilePhases, phaseFigures(pen, reader, summary)) : done;
  done = done ? add(ChartPlace::Misses, missFigures(pen, summary)) : done;
  done = done ? add(ChartPlace::Templates, reasonFigures(pen, reader, summary)) : done;
  done = done ? add(ChartPlace::Remarks, remarkFigures(pen, summary)) : done;
  done = done ? add(ChartPlace::Redundancy, redundancyFigures(pen, summary)) : done;
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  return charts;
}

std::vector<report::DocumentFigure> ReportCharts::figuresFor(report::ChartPlace place,
                                                             const analysis::Summary & /*summary*/) const {
  const auto found = m_figures.find(place);
  return found == m_figures.end() ? std::vector<report::DocumentFigure>() : found->second;
}

} // namespace jitscope::charts
