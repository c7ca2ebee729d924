// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/palette.h"
#include "ui/charts/ticks.h"

#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>

#include <memory>
#include <vector>

namespace jitscope::charts {

/// A chart without content in the colours of a palette: no animation, no shadow, little margin, no legend.
[[nodiscard]] std::unique_ptr<QChart> makeChart(const Palette &palette, const QString &title);

/// Puts a chart into the colours of a palette; axes take theirs from `setTicks`.
void applyPalette(QChart &chart, const Palette &palette);

/// An axis that says what `ticks` say, for values whose labels Qt's own axes cannot write (they know printf formats only).
[[nodiscard]] QCategoryAxis *makeAxis(const Palette &palette, const QString &title);
/// Replaces the lines and the range of an axis.
void setTicks(QCategoryAxis &axis, const std::vector<Tick> &ticks, double from, double to);

/// A chart that says why it is empty.
[[nodiscard]] std::unique_ptr<QChart> emptyChart(const Palette &palette, const QString &title, const QString &why);

} // namespace jitscope::charts
