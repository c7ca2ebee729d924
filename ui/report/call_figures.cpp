// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/call_figures.h"
#include "analysis/calls/call_span_index.h"
#include "analysis/compiles/compile_list.h"
#include "analysis/summary.h"
#include "base/try.h"
#include "report/document/bench_text.h"
#include "session/session_reader.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/latency_charts.h"
#include "ui/charts/time_zoom.h"
#include "ui/charts/timeline_chart.h"
#include "ui/report/figure_pen.h"
#include "ui/report/figures.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace jitscope::charts {

namespace {

/// Rows of threads that can be told apart at this size.
constexpr std::size_t kThreads = 12;
/// Cases that are drawn: more make a page of pictures that nobody looks at.
constexpr std::size_t kCases = 6;
/// Pixels of a column of the timeline.
constexpr qreal kColumnWidth = 2;

base::Result<std::vector<SectionBand>> readSections(session::SessionReader &reader) {
  JITSCOPE_TRY(const std::vector<event::SectionEvent> sections, reader.sections());
  std::vector<SectionBand> bands;
  for (const event::SectionEvent &section : sections) {
    if (!bands.empty()) {
      bands.back().endNs = section.startNs;
    }
    bands.push_back({oneLine(section.name, 60), section.startNs, reader.session().durationNs});
  }
  return bands;
}

/// One for each room, of the selection's range, or of the whole session where it has none.
base::Result<std::array<TimelineData, 2>> readTimelines(session::SessionReader &reader, analysis::Selection selection) {
  const std::optional<analysis::TimeRange> range = std::exchange(selection.range, std::nullopt);
  analysis::CallSpanIndex index{selection};
  JITSCOPE_TRY_VOID(index.update(reader.database()));
  JITSCOPE_TRY(std::vector<analysis::CompileSpan> compiles, analysis::readCompileSpans(reader.database(), selection));
  JITSCOPE_TRY(std::vector<SectionBand> sections, readSections(reader));
  analysis::TimeRange shown{0, std::max({index.extent().toNs, reader.session().durationNs, kShortestRangeNs})};
  if (range) {
    const std::uint64_t from = std::min(range->fromNs, shown.toNs);
    shown = {from, std::max(from + kShortestRangeNs, std::min(range->toNs, shown.toNs))};
    std::erase_if(compiles, [&shown](const analysis::CompileSpan &compile) {
      return compile.startNs >= shown.toNs || compile.startNs + compile.totalNs < shown.fromNs;
    });
  }
  std::vector<analysis::ProcessStart> starts = index.processStarts();
  analysis::takeCompilesFrom(starts, compiles);
  JITSCOPE_TRY(const std::vector<session::MergedPart> parts, reader.mergedParts());
  std::array<TimelineData, 2> result;
  for (const Room room : {Room::Wide, Room::Narrow}) {
    const auto columns = static_cast<std::uint32_t>(FigurePen::widthOf(room) / kColumnWidth);
    JITSCOPE_TRY(analysis::TimelineView view, index.view(reader.database(), shown, columns));
    view.threads.resize(std::min(view.threads.size(), kThreads));
    view.busy.resize(std::min(view.busy.size(), kThreads));
    result[static_cast<std::size_t>(room)] = {std::move(view), compiles, sections, starts, parts, {}};
  }
  return result;
}

/// Charts say what they are in a title of their own; here the caption does.
std::unique_ptr<QChart> untitled(std::unique_ptr<QChart> chart) {
  chart->setTitle({});
  return chart;
}

} // namespace

Figures timelineFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary) {
  if (summary.calls == 0) {
    return {};
  }
  JITSCOPE_TRY(const auto timelines, readTimelines(reader, summary.selection));
  constexpr qreal kPlotHeight = 290;
  constexpr qreal kRowHeight = 18;
  const std::size_t rows = timelines.front().view.threads.size();
  QString caption = words("Calls by start and duration; below, what each thread did, and compiles by phase");
  if (rows == kThreads) {
    caption += words(" (the first %1 threads)").arg(kThreads);
  }
  base::Result<report::DocumentFigure> figure =
      pen.figure(caption, kPlotHeight + static_cast<qreal>(rows) * kRowHeight, [&](const Palette &palette, Room room) {
        auto chart = std::make_unique<TimelineChart>(palette);
        chart->setData(timelines[static_cast<std::size_t>(room)]);
        return chart;
      });
  if (!figure) {
    return std::unexpected(std::move(figure.error()));
  }
  return std::vector{*std::move(figure)};
}

Figures latencyFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary) {
  constexpr qreal kChartHeight = 250;
  std::vector<report::DocumentFigure> figures;
  for (std::size_t i = 0; i < std::min(summary.cases.size(), kCases); ++i) {
    const event::BenchCaseEvent &bench = summary.cases[i].bench;
    const base::Result<std::vector<LegLatency>> legs = readLegs(reader, summary.selection, bench.id);
    if (!legs) {
      return std::unexpected(legs.error());
    }
    const QString name = oneLine(report::caseName(bench), 80);
    const bool isLast = i + 1 == kCases && summary.cases.size() > kCases;
    const QString more = isLast ? words(" (%1 more cases are not drawn)").arg(summary.cases.size() - kCases) : QString();
    using Chart = std::unique_ptr<QChart> (*)(const std::vector<LegLatency> &, const Palette &);
    for (const auto &[what, chart] :
         {std::pair<QString, Chart>{words("latency by percentile"), percentileChart},
          std::pair<QString, Chart>{words("samples in the order they were taken") + more, runOrderChart}}) {
      base::Result<report::DocumentFigure> figure =
          pen.figure(QStringLiteral("%1: %2").arg(name, what), kChartHeight,
                     [&legs, draw = chart](const Palette &palette, Room /*room*/) { return untitled(draw(*legs, palette)); });
      if (!figure) {
        return std::unexpected(std::move(figure.error()));
      }
      figures.push_back(*std::move(figure));
    }
  }
  return figures;
}

} // namespace jitscope::charts
