// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_frame.h"

#include <QFont>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QtCharts/QLegend>

namespace jitscope::charts {

void applyPalette(QChart &chart, const Palette &palette) {
  chart.setBackgroundBrush(palette.background);
  chart.setBackgroundPen(Qt::NoPen);
  chart.setPlotAreaBackgroundBrush(palette.plot);
  chart.setTitleBrush(palette.text);
  chart.legend()->setLabelColor(palette.text);
}

std::unique_ptr<QChart> makeChart(const Palette &palette, const QString &title) {
  auto chart = std::make_unique<QChart>();
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setDropShadowEnabled(false);
  chart->setBackgroundRoundness(0);
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->setMargins(QMargins(6, 6, 26, 6));
  chart->setTitle(title);
  QFont font = QGuiApplication::font();
  font.setBold(true);
  chart->setTitleFont(font);
  chart->legend()->hide();
  applyPalette(*chart, palette);
  return chart;
}

QCategoryAxis *makeAxis(const Palette &palette, const QString &title) {
  auto *axis = new QCategoryAxis;
  axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
  axis->setTruncateLabels(false);
  axis->setLabelsBrush(palette.dimText);
  axis->setLinePen(QPen(palette.grid));
  axis->setGridLinePen(QPen(palette.grid));
  axis->setTitleText(title);
  axis->setTitleBrush(palette.dimText);
  QFont font = QGuiApplication::font();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  axis->setLabelsFont(font);
  axis->setTitleFont(font);
  return axis;
}

void setTicks(QCategoryAxis &axis, const std::vector<Tick> &ticks, double from, double to) {
  const QStringList known = axis.categoriesLabels();
  for (const QString &label : known) {
    axis.remove(label);
  }
  axis.setRange(from, to);
  axis.setStartValue(from);
  for (const Tick &tick : ticks) {
    axis.append(tick.label, tick.value);
  }
}

std::unique_ptr<QChart> emptyChart(const Palette &palette, const QString &title, const QString &why) {
  auto chart = makeChart(palette, title.isEmpty() ? why : QStringLiteral("%1<br/><br/>%2").arg(title, why));
  chart->setTitleBrush(palette.dimText);
  QFont font = chart->titleFont();
  font.setBold(false);
  chart->setTitleFont(font);
  return chart;
}

} // namespace jitscope::charts
