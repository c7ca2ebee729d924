// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/palette.h"

#include <QList>
#include <QString>
#include <QtCharts/QChart>

namespace jitscope::charts {

/// An entry of a legend.
struct LegendEntry {
  QString name;
  QColor colour;
};

/// Gives a chart a legend above its plot which goes to further lines where one is too short. Qt's own has one line, and cuts words.
void addFlowLegend(QChart &chart, const QList<LegendEntry> &entries, const Palette &palette);

/// How many lines such a legend has in a chart of a width.
[[nodiscard]] int legendLines(const QList<LegendEntry> &entries, qreal chartWidth);

/// The height of a line.
inline constexpr qreal kLegendLineHeight = 18;

} // namespace jitscope::charts
