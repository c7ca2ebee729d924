// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/flow_legend.h"

#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QPainter>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>

#include <utility>

namespace jitscope::charts {

namespace {

constexpr qreal kMarker = 8;
constexpr qreal kMarkerRoom = 13;
constexpr qreal kBetween = 14;
/// What charts leave free to the left and to the right.
constexpr qreal kSides = 40;

using LegendLine = QList<std::pair<LegendEntry, qreal>>; // with the width of each

QList<LegendLine> linesOf(const QList<LegendEntry> &entries, qreal width) {
  const QFontMetricsF metrics(QGuiApplication::font());
  QList<LegendLine> lines;
  qreal taken = 0;
  for (const LegendEntry &entry : entries) {
    const qreal needed = kMarkerRoom + metrics.horizontalAdvance(entry.name);
    if (lines.isEmpty() || taken + kBetween + needed > width - kSides) {
      lines.append(LegendLine());
      taken = -kBetween;
    }
    lines.last().append({entry, needed});
    taken += kBetween + needed;
  }
  return lines;
}

/// Paints the entries in the room that Qt's legend keeps free.
class FlowLegend : public QGraphicsItem {
public:
  FlowLegend(QChart &chart, QList<LegendEntry> entries, const Palette &palette)
      : QGraphicsItem(chart.legend()), m_chart(chart), m_entries(std::move(entries)), m_text(palette.text) {
    setAcceptedMouseButtons(Qt::NoButton);
  }

  void layOut() {
    prepareGeometryChange();
    m_lines = linesOf(m_entries, m_chart.size().width());
    const qreal height = static_cast<qreal>(m_lines.size()) * kLegendLineHeight + 6;
    if (height != m_chart.legend()->preferredHeight()) {
      // No minimum: that of a chart would grow with it, beyond the size that it is given.
      m_chart.legend()->setPreferredHeight(height);
      // At once, for a chart may be drawn without an event loop.
      m_chart.layout()->activate();
    }
  }

  [[nodiscard]] QRectF boundingRect() const override { return {QPointF(0, 0), m_chart.legend()->size()}; }

  void paint(QPainter *painter, const QStyleOptionGraphicsItem * /*option*/, QWidget * /*widget*/) override {
    painter->setFont(QGuiApplication::font());
    qreal middle = 3 + kLegendLineHeight / 2;
    for (const LegendLine &line : m_lines) {
      qreal width = kBetween * static_cast<qreal>(line.size() - 1);
      for (const auto &[entry, needed] : line) {
        width += needed;
      }
      qreal x = (boundingRect().width() - width) / 2;
      for (const auto &[entry, needed] : line) {
        painter->fillRect(QRectF(x, middle - kMarker / 2, kMarker, kMarker), entry.colour);
        painter->setPen(m_text);
        painter->drawText(QRectF(x + kMarkerRoom, middle - kLegendLineHeight / 2, needed - kMarkerRoom + 2, kLegendLineHeight),
                          Qt::AlignLeft | Qt::AlignVCenter, entry.name);
        x += needed + kBetween;
      }
      middle += kLegendLineHeight;
    }
  }

private:
  QChart &m_chart;
  QList<LegendEntry> m_entries;
  QColor m_text;
  QList<LegendLine> m_lines;
};

} // namespace

void addFlowLegend(QChart &chart, const QList<LegendEntry> &entries, const Palette &palette) {
  for (QLegendMarker *marker : chart.legend()->markers()) {
    marker->setVisible(false);
  }
  chart.legend()->setAlignment(Qt::AlignTop);
  chart.legend()->show();
  auto *legend = new FlowLegend(chart, entries, palette);
  legend->layOut();
  QObject::connect(&chart, &QChart::geometryChanged, &chart, [legend] { legend->layOut(); });
}

int legendLines(const QList<LegendEntry> &entries, qreal chartWidth) {
  return static_cast<int>(linesOf(entries, chartWidth).size());
}

} // namespace jitscope::charts
