// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/latency_charts.h"

#include "analysis/statistics/case_statistics.h"
#include "analysis/statistics/statistics.h"
#include "base/try.h"
#include "event/compile_cost.h"
#include "report/document/bench_text.h"
#include "session/session_reader.h"
#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/outcome_mark.h"
#include "ui/charts/ticks.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>
#include <QtCharts/QLineSeries>
#include <QtCharts/QScatterSeries>

#include <algorithm>
#include <cmath>

namespace jitscope::charts {

namespace {

using analysis::SeriesSample;

/// Points of a line: more take too long to paint and show no more.
constexpr std::size_t kRunPoints = 1500;
/// Marks of compiles, each of which is an item of its own.
constexpr std::size_t kCompileMarks = 200;

/// How near the mouse must be to a sample, in pixels.
constexpr qreal kSampleReach = 8;

/// Where a sample of its leg stands: they count from 1, as sentences about them do.
double placeOf(std::size_t index) { return static_cast<double>(index + 1); }

QString compileMarksName() { return words("held up by a compile"); }

QString legName(event::Leg leg) { return QString::fromStdString(report::legName(leg)); }

QPen legPen(event::Leg leg, const Palette &palette) {
  QPen pen(palette.leg(leg), 2);
  pen.setCosmetic(true);
  if (leg == event::Leg::Cold) {
    pen.setDashPattern({4, 2});
  }
  return pen;
}

/// The shortest and the longest sample; 0 and 0 without any.
std::pair<std::uint64_t, std::uint64_t> extremes(const std::vector<LegLatency> &legs) {
  std::pair<std::uint64_t, std::uint64_t> found{0, 0};
  bool any = false;
  for (const LegLatency &leg : legs) {
    for (const SeriesSample &sample : leg.samples) {
      found.first = any ? std::min(found.first, sample.totalNs) : sample.totalNs;
      found.second = std::max(found.second, sample.totalNs);
      any = true;
    }
  }
  return found;
}

bool isEmpty(const std::vector<LegLatency> &legs) {
  return std::ranges::all_of(legs, [](const LegLatency &leg) { return leg.samples.empty(); });
}

struct Axes {
  QCategoryAxis *across;
  QCategoryAxis *up;
};

/// Gives a chart its two axes, and `up` the durations of all legs.
Axes addAxes(QChart &chart, const std::vector<LegLatency> &legs, const Palette &palette, const QString &acrossTitle) {
  Axes axes{makeAxis(palette, acrossTitle), makeAxis(palette, {})};
  chart.addAxis(axes.across, Qt::AlignBottom);
  chart.addAxis(axes.up, Qt::AlignLeft);
  const auto [least, most] = extremes(legs);
  const std::vector<Tick> ticks = durationTicks(static_cast<double>(least), static_cast<double>(most));
  setTicks(*axes.up, ticks, ticks.front().value, ticks.back().value);
  return axes;
}

void addSeriesTo(QChart &chart, QAbstractSeries *series, const Axes &axes) {
  chart.addSeries(series);
  series->attachAxis(axes.across);
  series->attachAxis(axes.up);
}

void showLegend(QChart &chart) {
  chart.legend()->show();
  chart.legend()->setAlignment(Qt::AlignTop);
  chart.legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
}

} // namespace

std::vector<LegLatency> withoutCompiles(std::vector<LegLatency> legs) {
  for (LegLatency &leg : legs) {
    std::erase_if(leg.samples, [](const SeriesSample &sample) { return event::heldUpByCompile(sample.outcome); });
  }
  return legs;
}

base::Result<std::vector<LegLatency>> readLegs(session::SessionReader &reader, const analysis::Selection &selection,
                                               base::CaseId id) {
  std::vector<LegLatency> legs;
  for (const event::Leg leg : {event::Leg::Cold, event::Leg::Warm}) {
    JITSCOPE_TRY(std::vector<analysis::SeriesSample> samples, analysis::readSampleSeries(reader.database(), selection, id, leg));
    if (!samples.empty()) {
      legs.push_back({leg, std::move(samples)});
    }
  }
  return legs;
}

std::unique_ptr<QChart> percentileChart(const std::vector<LegLatency> &legs, const Palette &palette) {
  const QString title = words("Latency by percentile");
  if (isEmpty(legs)) {
    return emptyChart(palette, title, words("No samples."));
  }
  auto chart = makeChart(palette, title);
  const Axes axes = addAxes(*chart, legs, palette, words("percentile"));
  // No line goes beyond what its samples can tell: of n, the last stands at n / (n + 1).
  double furthest = percentileLevel(90);
  for (const LegLatency &leg : legs) {
    if (leg.samples.empty()) {
      continue;
    }
    std::vector<std::uint64_t> ascending;
    for (const SeriesSample &sample : leg.samples) {
      ascending.push_back(sample.totalNs);
    }
    std::ranges::sort(ascending);
    const double size = static_cast<double>(ascending.size());
    const double end = std::min(percentileLevel(100 * size / (size + 1)), 4.0);
    furthest = std::max(furthest, end);
    QList<QPointF> points;
    constexpr int kSteps = 400;
    for (int step = 0; step <= kSteps; ++step) {
      const double level = end * step / kSteps;
      points.append({level, durationLevel(analysis::percentile(ascending, percentileAtLevel(level)))});
    }
    auto *line = new QLineSeries;
    line->setName(legName(leg.leg));
    line->replace(points);
    line->setPen(legPen(leg.leg, palette));
    addSeriesTo(*chart, line, axes);
  }
  std::vector<Tick> ticks{{0, QStringLiteral("0")}, {percentileLevel(50), QStringLiteral("50")}};
  const std::array<const char *, 4> nines{"90", "99", "99.9", "99.99"};
  for (std::size_t i = 0; i < nines.size() && static_cast<double>(i) < furthest; ++i) {
    ticks.push_back({static_cast<double>(i + 1), QString::fromLatin1(nines[i])});
  }
  setTicks(*axes.across, ticks, 0, std::max(ticks.back().value, furthest));
  showLegend(*chart);
  return chart;
}

std::unique_ptr<QChart> histogramChart(const std::vector<LegLatency> &legs, const Palette &palette) {
  const QString title = words("Histogram");
  if (isEmpty(legs)) {
    return emptyChart(palette, title, words("No samples."));
  }
  auto chart = makeChart(palette, title);
  Axes axes{makeAxis(palette, words("duration")), makeAxis(palette, words("share of samples"))};
  chart->addAxis(axes.across, Qt::AlignBottom);
  chart->addAxis(axes.up, Qt::AlignLeft);
  const auto [least, most] = extremes(legs);
  const std::vector<Tick> across = durationTicks(static_cast<double>(least), static_cast<double>(most));
  setTicks(*axes.across, across, across.front().value, across.back().value);
  double highest = 0;
  constexpr std::size_t kBins = 80;
  for (const LegLatency &leg : legs) {
    if (leg.samples.empty()) {
      continue;
    }
    std::vector<std::uint64_t> values;
    for (const SeriesSample &sample : leg.samples) {
      values.push_back(sample.totalNs);
    }
    const auto bins = analysis::logHistogram(values, std::pow(10, across.front().value), std::pow(10, across.back().value), kBins);
    QList<QPointF> points;
    for (const analysis::HistogramBin &bin : bins) {
      const double share = 100 * static_cast<double>(bin.count) / static_cast<double>(values.size());
      highest = std::max(highest, share);
      points.append({durationLevel(bin.fromNs), share});
      points.append({durationLevel(bin.toNs), share});
    }
    auto *line = new QLineSeries;
    line->replace(points);
    auto *area = new QAreaSeries(line);
    line->setParent(area);
    area->setName(legName(leg.leg));
    area->setPen(legPen(leg.leg, palette));
    QColor fill = palette.leg(leg.leg);
    fill.setAlphaF(0.22F);
    area->setBrush(fill);
    addSeriesTo(*chart, area, axes);
    // The thin fill is for bars that lie over each other; as a swatch it would hardly be seen.
    for (QLegendMarker *marker : chart->legend()->markers(area)) {
      marker->setBrush(palette.leg(leg.leg));
    }
  }
  std::vector<Tick> up = countTicks(highest, 4);
  for (Tick &tick : up) {
    tick.label += QStringLiteral(" %");
  }
  setTicks(*axes.up, up, 0, up.back().value);
  showLegend(*chart);
  // Areas would be shown as their outlines.
  chart->legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
  return chart;
}

std::unique_ptr<QChart> runOrderChart(const std::vector<LegLatency> &legs, const Palette &palette) {
  // Named here and not at the axis, for which a low chart has no room.
  const QString title = words("Run order by sample");
  if (isEmpty(legs)) {
    return emptyChart(palette, title, words("No samples."));
  }
  auto chart = makeChart(palette, title);
  const Axes axes = addAxes(*chart, legs, palette, {});
  std::size_t longest = 2;
  QList<QPointF> compiles;
  for (const LegLatency &leg : legs) {
    longest = std::max(longest, leg.samples.size());
    QList<QPointF> points;
    for (const analysis::RunOrderColumn &column : analysis::runOrder(leg.samples, kRunPoints / 2)) {
      const auto middle = placeOf(column.first) + static_cast<double>(column.count - 1) / 2;
      points.append({middle, durationLevel(static_cast<double>(column.minNs))});
      if (column.count > 1) {
        points.append({middle, durationLevel(static_cast<double>(column.maxNs))});
      }
    }
    for (std::size_t i = 0; i < leg.samples.size() && static_cast<std::size_t>(compiles.size()) < kCompileMarks; ++i) {
      if (event::heldUpByCompile(leg.samples[i].outcome)) {
        compiles.append({placeOf(i), durationLevel(static_cast<double>(leg.samples[i].totalNs))});
      }
    }
    auto *line = new QLineSeries;
    line->setName(legName(leg.leg));
    line->replace(points);
    QPen pen(palette.leg(leg.leg), 1);
    pen.setCosmetic(true);
    line->setPen(pen);
    addSeriesTo(*chart, line, axes);
  }
  if (!compiles.isEmpty()) {
    auto *marks = new QScatterSeries;
    marks->setName(compileMarksName());
    marks->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    marks->setMarkerSize(11);
    marks->setBrush(palette.outcome(event::Outcome::Miss));
    marks->setPen(QPen(palette.plot, 0.5));
    marks->replace(compiles);
    addSeriesTo(*chart, marks, axes);
  }
  std::vector<Tick> ticks = countTicks(static_cast<double>(longest), 5);
  std::erase_if(ticks, [longest](const Tick &tick) { return tick.value <= 1 || tick.value > static_cast<double>(longest); });
  ticks.insert(ticks.begin(), {placeOf(0), QStringLiteral("1")});
  // A little room before the first sample, which is often the one that matters.
  const double room = static_cast<double>(longest) * 0.01 + 0.2;
  setTicks(*axes.across, ticks, placeOf(0) - room, static_cast<double>(longest) + room);
  showLegend(*chart);
  return chart;
}

std::optional<SampleLocation> sampleAt(QChart &chart, const std::vector<LegLatency> &legs, const QPointF &place) {
  const QList<QAbstractSeries *> series = chart.series();
  if (series.isEmpty()) {
    return std::nullopt;
  }
  const auto isShown = [&series](const QString &name) {
    return std::ranges::any_of(series, [&](const QAbstractSeries *one) { return one->name() == name && one->isVisible(); });
  };
  std::optional<SampleLocation> nearest;
  qreal best = kSampleReach * kSampleReach;
  for (const LegLatency &leg : legs) {
    const bool isLineShown = isShown(legName(leg.leg));
    const bool areMarksShown = isShown(compileMarksName());
    // Only what is near enough from side to side, for there may be millions.
    const double from = chart.mapToValue(place - QPointF(kSampleReach, 0), series.first()).x() - placeOf(0);
    const double to = chart.mapToValue(place + QPointF(kSampleReach, 0), series.first()).x() - placeOf(0);
    const auto end = static_cast<std::size_t>(std::clamp(std::floor(to) + 1, 0.0, static_cast<double>(leg.samples.size())));
    for (auto i = static_cast<std::size_t>(std::max(std::ceil(from), 0.0)); i < end; ++i) {
      const SeriesSample &sample = leg.samples[i];
      const bool isMark = areMarksShown && event::heldUpByCompile(sample.outcome);
      if (!isMark && !isLineShown) {
        continue;
      }
      const QPointF at =
          chart.mapToPosition({placeOf(i), durationLevel(static_cast<double>(sample.totalNs))}, series.first()) - place;
      const bool isNearestMark = nearest && areMarksShown && event::heldUpByCompile(nearest->sample.outcome);
      const qreal distance = QPointF::dotProduct(at, at);
      if (isMark == isNearestMark ? distance <= best : isMark && distance <= kSampleReach * kSampleReach) {
        best = distance;
        nearest = SampleLocation{leg.leg, i, sample};
      }
    }
  }
  return nearest;
}

} // namespace jitscope::charts
