// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_chart.h"

#include "ui/charts/chart_frame.h"
#include "ui/charts/ticks.h"

#include <QFontMetricsF>
#include <QGraphicsRectItem>
#include <QGuiApplication>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QHorizontalStackedBarSeries>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace jitscope::charts {

namespace {

/// The names of bars as categories, which go from the bottom up. They must differ to be shown at all, hence a mark that takes no
/// room.
QStringList categoriesOf(const std::vector<Bar> &bars, qreal width) {
  const QFontMetricsF metrics(QGuiApplication::font());
  QStringList shown;
  for (const Bar &bar : bars) {
    const QString elided = metrics.elidedText(bar.name, Qt::ElideMiddle, width);
    shown << elided + QString(static_cast<int>(shown.filter(elided).size()), QChar(0x200b));
  }
  std::ranges::reverse(shown);
  return shown;
}

/// The share of a chart's width that names may take at most.
constexpr qreal kMaxForNames = 0.4;
/// What lies around names and counts into that share: a name as wide as the share would be cut off at its beginning.
constexpr qreal kBesideNames = 14;
/// The share of a row that its bar takes.
constexpr qreal kBarWidth = 0.72;

QHorizontalStackedBarSeries *seriesOf(const BarChart &data) {
  auto *series = new QHorizontalStackedBarSeries;
  for (std::size_t part = 0; part < static_cast<std::size_t>(data.parts.size()); ++part) {
    const LegendEntry &entry = data.parts[static_cast<qsizetype>(part)];
    auto *set = new QBarSet(entry.name);
    set->setColor(entry.colour);
    set->setBorderColor(Qt::transparent);
    for (const auto &bar : data.bars | std::views::reverse) {
      set->append(bar.values[part]);
    }
    series->append(set);
  }
  series->setBarWidth(kBarWidth);
  return series;
}

} // namespace

std::unique_ptr<QChart> barChart(const BarChart &data, const Palette &palette) {
  if (data.bars.empty()) {
    return emptyChart(palette, data.title, data.whyEmpty);
  }
  auto chart = makeChart(palette, data.title);
  QHorizontalStackedBarSeries *series = seriesOf(data);
  chart->addSeries(series);
  auto *categories = new QBarCategoryAxis;
  categories->append(categoriesOf(data.bars, data.labelWidth));
  categories->setLabelsBrush(palette.text);
  categories->setLinePen(QPen(palette.grid));
  categories->setGridLineVisible(false);
  categories->setTruncateLabels(false);
  chart->addAxis(categories, Qt::AlignLeft);
  series->attachAxis(categories);
  // The bars must keep most of the room.
  QObject::connect(chart.get(), &QChart::geometryChanged, categories,
                   [chart = chart.get(), categories, bars = data.bars, most = data.labelWidth] {
                     const QStringList fitting =
                         categoriesOf(bars, std::min(most, chart->size().width() * kMaxForNames - kBesideNames));
                     if (fitting != categories->categories()) {
                       categories->setCategories(fitting);
                     }
                   });
  QCategoryAxis *values = makeAxis(palette, {});
  chart->addAxis(values, Qt::AlignBottom);
  series->attachAxis(values);
  double longest = 0;
  for (const Bar &bar : data.bars) {
    longest = std::max(longest, std::accumulate(bar.values.begin(), bar.values.end(), 0.0));
  }
  if (data.unit == BarUnit::Duration) {
    const double end = std::max(longest * 1.02, 1.0);
    setTicks(*values, timeTicks(0, end, data.ticks), 0, end);
  } else {
    const std::vector<Tick> ticks = countTicks(longest, data.ticks);
    setTicks(*values, ticks, 0, ticks.back().value);
  }
  if (data.parts.size() > 1) {
    addFlowLegend(*chart, data.parts, palette);
  }
  return chart;
}

void markBar(QChart &chart, std::size_t bar, const Palette &palette) {
  const QList<QAbstractSeries *> all = chart.series();
  auto *series = all.isEmpty() ? nullptr : qobject_cast<QHorizontalStackedBarSeries *>(all.first());
  if (series == nullptr || series->count() == 0) {
    return;
  }
  auto *frame = new QGraphicsRectItem(&chart);
  frame->setPen(QPen(palette.accent, 2));
  frame->setData(Qt::UserRole, QVariant::fromValue(static_cast<qulonglong>(bar))); // tells it from what the chart has itself
  frame->setZValue(20);
  frame->setAcceptedMouseButtons(Qt::NoButton);
  const auto place = [&chart, frame, bar, bars = series->barSets().first()->count()] {
    const QRectF plot = chart.plotArea();
    const qreal height = plot.height() / bars;
    frame->setRect(2, plot.top() + static_cast<qreal>(bar) * height + 1, plot.right() - 2, height - 2);
  };
  place();
  QObject::connect(&chart, &QChart::plotAreaChanged, &chart, place);
}

std::optional<BarLocation> barAt(QChart &chart, const QPointF &place) {
  const QList<QAbstractSeries *> all = chart.series();
  auto *series = all.isEmpty() ? nullptr : qobject_cast<QHorizontalStackedBarSeries *>(all.first());
  if (series == nullptr || series->count() == 0 || place.x() > chart.plotArea().right()) {
    return std::nullopt;
  }
  const QList<QBarSet *> parts = series->barSets();
  // Rows are counted from the bottom up, and each lies around its number.
  const QPointF value = chart.mapToValue(place, series);
  const auto row = static_cast<int>(std::lround(value.y()));
  if (value.y() <= -0.5 || row < 0 || row >= parts.first()->count()) {
    return std::nullopt;
  }
  BarLocation location{static_cast<std::size_t>(parts.first()->count() - 1 - row)};
  if (value.x() < 0 || std::abs(value.y() - row) > kBarWidth / 2) {
    return location;
  }
  double end = 0;
  for (std::size_t part = 0; part < static_cast<std::size_t>(parts.size()) && !location.part; ++part) {
    end += parts[static_cast<qsizetype>(part)]->at(row);
    if (value.x() < end) {
      location.part = part;
    }
  }
  return location;
}

} // namespace jitscope::charts
