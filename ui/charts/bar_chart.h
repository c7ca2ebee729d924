// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/flow_legend.h"
#include "ui/charts/palette.h"

#include <QString>
#include <QtCharts/QChart>

#include <memory>
#include <optional>
#include <vector>

namespace jitscope::charts {

struct Bar {
  QString name;
  std::vector<double> values; ///< as long as `BarChart::parts`: nanoseconds or counts
};

enum class BarUnit : std::uint8_t { Duration, Count };

/// Horizontal bars, each split into parts. At most 14 bars are readable.
struct BarChart {
  QString title;
  QList<LegendEntry> parts; ///< what the colours stand for; named in a legend where there are several
  std::vector<Bar> bars;    ///< from top to bottom
  BarUnit unit = BarUnit::Duration;
  QString whyEmpty;       ///< said where there are no bars
  qreal labelWidth = 210; ///< that names may take, in pixels; less in a chart that is narrow itself
  int ticks = 5;          ///< at most, along the bars
};

/// What is at a place of a bar chart.
struct BarLocation {
  std::size_t bar = 0;                  ///< from the top
  std::optional<std::size_t> part = {}; ///< none beside the bar, in its row
};

[[nodiscard]] std::unique_ptr<QChart> barChart(const BarChart &data, const Palette &palette);

/// Frames the row of a bar of what `barChart` drew: it is the one that is looked at.
void markBar(QChart &chart, std::size_t bar, const Palette &palette);

/// The bar whose row, its name included, is at a place of what `barChart` drew; nothing above, below and to the right of the bars.
[[nodiscard]] std::optional<BarLocation> barAt(QChart &chart, const QPointF &place);

} // namespace jitscope::charts
