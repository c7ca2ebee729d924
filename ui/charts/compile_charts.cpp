// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compile_charts.h"

#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/ticks.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QScatterSeries>

#include <algorithm>
#include <numeric>

namespace jitscope::charts {

namespace {

constexpr std::array<const char *, 6> kPhases{"trace", "lower", "optimize", "codegen", "link", "between"};
constexpr qsizetype kMemoryPoints = 1500;
constexpr qsizetype kEvictionMarks = 300;

/// A chart of horizontal bars. `names` and the values of `sets` go from top to bottom.
void addBars(QChart &chart, const QList<QBarSet *> &sets, const QStringList &names, double longest, const Palette &palette) {
  auto *series = new QHorizontalStackedBarSeries;
  for (QBarSet *set : sets) {
    set->setBorderColor(Qt::transparent);
    series->append(set);
  }
  series->setBarWidth(0.72);
  chart.addSeries(series);
  auto *categories = new QBarCategoryAxis;
  const QFontMetricsF metrics(QGuiApplication::font());
  QStringList shown;
  for (qsizetype i = 0; i < names.size(); ++i) {
    // Categories have to differ to be shown at all, hence a mark that takes no room.
    const QString elided = metrics.elidedText(names[i], Qt::ElideMiddle, 210);
    shown << elided + QString(static_cast<int>(shown.filter(elided).size()), QChar(0x200b));
  }
  std::ranges::reverse(shown);
  categories->append(shown);
  categories->setLabelsBrush(palette.text);
  categories->setLinePen(QPen(palette.grid));
  categories->setGridLineVisible(false);
  categories->setTruncateLabels(false);
  chart.addAxis(categories, Qt::AlignLeft);
  series->attachAxis(categories);
  QCategoryAxis *durations = makeAxis(palette, {});
  chart.addAxis(durations, Qt::AlignBottom);
  series->attachAxis(durations);
  const double end = std::max(longest * 1.02, 1.0);
  setTicks(*durations, timeTicks(0, end, 5), 0, end);
}

} // namespace

std::unique_ptr<QChart> phaseChart(const std::vector<PhaseBar> &bars, const Palette &palette) {
  const QString title = words("Compile time by phase");
  if (bars.empty()) {
    return emptyChart(palette, title, words("Nothing was compiled here."));
  }
  auto chart = makeChart(palette, title);
  QList<QBarSet *> sets;
  double longest = 0;
  QStringList names;
  for (const PhaseBar &bar : bars) {
    names << bar.name;
    longest = std::max(longest, static_cast<double>(std::accumulate(bar.phasesNs.begin(), bar.phasesNs.end(), std::uint64_t{0})));
  }
  for (std::size_t phase = 0; phase < kPhases.size(); ++phase) {
    auto *set = new QBarSet(words(kPhases[phase]));
    set->setColor(palette.phases[phase]);
    for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) {
      set->append(static_cast<double>(bar->phasesNs[phase]));
    }
    sets << set;
  }
  addBars(*chart, sets, names, longest, palette);
  chart->legend()->show();
  chart->legend()->setAlignment(Qt::AlignTop);
  return chart;
}

std::unique_ptr<QChart> durationChart(const QString &title, const std::vector<DurationBar> &bars, const QColor &colour,
                                      const Palette &palette) {
  if (bars.empty()) {
    return emptyChart(palette, title, words("Nothing was recorded."));
  }
  auto chart = makeChart(palette, title);
  auto *set = new QBarSet(title);
  set->setColor(colour);
  double longest = 0;
  QStringList names;
  for (const DurationBar &bar : bars) {
    names << bar.name;
    longest = std::max(longest, static_cast<double>(bar.ns));
  }
  for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) {
    set->append(static_cast<double>(bar->ns));
  }
  addBars(*chart, {set}, names, longest, palette);
  return chart;
}

std::unique_ptr<QChart> cacheChart(const std::vector<event::MemoryEvent> &memory,
                                   const std::vector<event::EvictionEvent> &evictions, std::uint64_t endNs,
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
  double mostEntries = 0;
  double mostBytes = 0;
  const std::size_t stride = std::max<std::size_t>(memory.size() * 2 / static_cast<std::size_t>(kMemoryPoints), 1);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    mostEntries = std::max(mostEntries, static_cast<double>(memory[i].cacheEntries));
    mostBytes = std::max(mostBytes, static_cast<double>(memory[i].cacheCodeBytes));
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
  const double end = std::max(static_cast<double>(endNs), entries.last().x() + 1);
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
  setTicks(*time, timeTicks(0, end, 5), 0, end);
  const std::vector<Tick> up = countTicks(mostEntries, 4);
  setTicks(*entriesAxis, up, 0, up.back().value);
  const std::vector<Tick> right = byteTicks(mostBytes, 4);
  setTicks(*bytesAxis, right, 0, right.back().value);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
  chart->legend()->show();
  chart->legend()->setAlignment(Qt::AlignTop);
  return chart;
}

} // namespace jitscope::charts
