// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timeline_chart.h"

#include <QGraphicsItem>

namespace jitscope::charts {

/// Paints everything of a timeline that is no axis.
class TimelineChart::MarksItem : public QGraphicsItem {
public:
  explicit MarksItem(TimelineChart &chart);

  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;
  /// Call before the chart's size changes.
  void aboutToResize() { prepareGeometryChange(); }

private:
  void paintSections(QPainter &painter) const;
  void paintMessage(QPainter &painter) const;
  void paintMarks(QPainter &painter) const;
  void paintRows(QPainter &painter) const;
  /// Says why a process of a cold leg has no calls before its first.
  void paintStart(QPainter &painter, std::size_t row, const QRectF &area) const;
  void paintCompiles(QPainter &painter, std::size_t row, const QRectF &area) const;
  void paintLegend(QPainter &painter) const;

  TimelineChart &m_chart;
};

} // namespace jitscope::charts
