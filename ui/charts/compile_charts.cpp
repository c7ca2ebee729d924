// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compile_charts.h"

#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/ticks.h"

#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QScatterSeries>

#include <algorithm>

namespace jitscope::charts {

namespace {

constexpr std::array<const char *, 6> kPhases{"trace", "lower", "optimize", "codegen", "link", "between"};
constexpr qsizetype kMemoryPoints = 1500;
constexpr qsizetype kEvictionMarks = 300;

} // namespace

BarChart phaseBars(const std::vector<PhaseBar> &bars, const Palette &palette) {
  BarChart data;
  data.title = words("Compile time by phase");
  data.whyEmpty = words("Nothing was compiled here.");
  for (std::size_t phase = 0; phase < kPhases.size(); ++phase) {
    data.parts.push_back({words(kPhases[phase]), palette.phases[phase]});
  }
  for (const PhaseBar &bar : bars) {
    data.bars.push_back({bar.name, std::vector<double>(bar.phasesNs.begin(), bar.phasesNs.end())});
  }
  return data;
}

std::unique_ptr<QChart> phaseChart(const std::vector<PhaseBar> &bars, std::size_t all, const Palette &palette) {
  BarChart chart = phaseBars(bars, palette);
  chart.title = bars.size() < all ? words("%1 (the %2 longest of %3)").arg(chart.title).arg(bars.size()).arg(all) : chart.title;
  return barChart(chart, palette);
}

std::unique_ptr<QChart> durationChart(const QString &title, const std::vector<DurationBar> &bars, const QColor &colour,
                                      const Palette &palette) {
  BarChart data;
  data.title = title;
  data.whyEmpty = words("Nothing was recorded.");
  data.parts = {{title, colour}};
  for (const DurationBar &bar : bars) {
    data.bars.push_back({bar.name, {static_cast<double>(bar.ns)}});
  }
  return barChart(data, palette);
}

std::unique_ptr<QChart> cacheChart(const std::vector<event::MemoryEvent> &memory,
                                   const std::vector<event::EvictionEvent> &evictions, analysis::TimeRange shown,
                                   const Palette &palette) {
  const QString title = words("Cache over time");
  if (memory.empty()) {
    return emptyChart(palette, title, words("No change of the cache was recorded."));
  }
  auto chart = makeChart(palette, title);
  QCategoryAxis *time = makeAxis(palette, {});
  QCategoryAxis *entriesAxis = makeAxis(palette, words("entries"));
  QCategoryAxis *bytesAxis = makeAxis(palette, words("machine code"));
  chart->addAxis(time, Qt::AlignBottom);
  chart->addAxis(entriesAxis, Qt::AlignLeft);
  chart->addAxis(bytesAxis, Qt::AlignRight);
  bytesAxis->setGridLineVisible(false);
  // Steps: a value holds until the next.
  QList<QPointF> entries;
  QList<QPointF> bytes;
  double maxEntries = 0;
  double maxBytes = 0;
  const std::size_t stride = std::max<std::size_t>(memory.size() * 2 / static_cast<std::size_t>(kMemoryPoints), 1);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    maxEntries = std::max(maxEntries, static_cast<double>(memory[i].cacheEntries));
    maxBytes = std::max(maxBytes, static_cast<double>(memory[i].cacheCodeBytes));
    if (i % stride != 0 && i + 1 != memory.size()) {
      continue;
    }
    const auto at = static_cast<double>(memory[i].atNs);
    if (!entries.isEmpty()) {
      entries.append({at, entries.last().y()});
      bytes.append({at, bytes.last().y()});
    }
    entries.append({at, static_cast<double>(memory[i].cacheEntries)});
    bytes.append({at, static_cast<double>(memory[i].cacheCodeBytes)});
  }
  const auto begin = static_cast<double>(shown.fromNs);
  const double end = std::max({static_cast<double>(shown.toNs), entries.last().x() + 1, begin + 1});
  entries.append({end, entries.last().y()});
  bytes.append({end, bytes.last().y()});
  const auto addLine = [&](const QString &name, const QList<QPointF> &points, const QColor &colour, Qt::PenStyle style,
                           QCategoryAxis *axis) {
    auto *line = new QLineSeries;
    line->setName(name);
    line->replace(points);
    QPen pen(colour, 2, style);
    pen.setCosmetic(true);
    line->setPen(pen);
    chart->addSeries(line);
    line->attachAxis(time);
    line->attachAxis(axis);
  };
  addLine(words("entries"), entries, palette.outcomes[0], Qt::SolidLine, entriesAxis);
  addLine(words("bytes of machine code"), bytes, palette.phases[1], Qt::DashLine, bytesAxis);
  if (!evictions.empty()) {
    auto *marks = new QScatterSeries;
    marks->setName(words("evictions"));
    marks->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    marks->setMarkerSize(9);
    marks->setBrush(palette.outcome(event::Outcome::Miss));
    marks->setPen(QPen(palette.plot, 0.5));
    QList<QPointF> points;
    const std::size_t each = std::max<std::size_t>(evictions.size() / static_cast<std::size_t>(kEvictionMarks), 1);
    for (std::size_t i = 0; i < evictions.size(); i += each) {
      points.append({static_cast<double>(evictions[i].atNs), 0});
    }
    marks->replace(points);
    chart->addSeries(marks);
    marks->attachAxis(time);
    marks->attachAxis(entriesAxis);
  }
  setTicks(*time, timeTicks(begin, end, 5), begin, end);
  const std::vector<Tick> up = countTicks(maxEntries, 4);
  setTicks(*entriesAxis, up, 0, up.back().value);
  const std::vector<Tick> right = byteTicks(maxBytes, 4);
  setTicks(*bytesAxis, right, 0, right.back().value);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
  chart->legend()->show();
  chart->legend()->setAlignment(Qt::AlignTop);
  return chart;
}

} // namespace jitscope::charts
