// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_view.h"

#include "base/try.h"
#include "ui/charts/chart_image.h"
#include "ui/widgets/save_file.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>

#include <algorithm>

namespace jitscope::ui {

namespace {

/// A line or its entry in the legend, which pales while the line is hidden.
void showSeries(QLegendMarker &marker, bool isShown) {
  marker.series()->setVisible(isShown);
  // Qt hides the entry with its series, and then nobody could bring it back.
  marker.setVisible(true);
  QBrush label = marker.labelBrush();
  QColor colour = label.color();
  colour.setAlphaF(isShown ? 1.0F : 0.35F);
  label.setColor(colour);
  marker.setLabelBrush(label);
}

/// The parts of bars are no series of their own, and without one of them bars would be no sums.
bool canHide(QLegendMarker &marker) { return marker.type() != QLegendMarker::LegendMarkerTypeBar; }

} // namespace

ChartView::ChartView(const QString &title, QWidget *parent) : QGraphicsView(parent) {
  setAccessibleName(title);
  setScene(new QGraphicsScene(this));
  setFrameShape(NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumSize(160, 100);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
}

ChartView::~ChartView() {
  if (m_chart) {
    scene()->removeItem(m_chart.get());
  }
}

void ChartView::setChart(std::unique_ptr<QChart> chart) {
  if (m_chart) {
    scene()->removeItem(m_chart.get());
  }
  m_chart = std::move(chart);
  scene()->addItem(m_chart.get());
  connectLegend();
  fit();
}

void ChartView::connectLegend() {
  for (QLegendMarker *marker : m_chart->legend()->markers()) {
    if (!canHide(*marker)) {
      continue;
    }
    if (m_hidden.contains(marker->series()->name())) {
      showSeries(*marker, false);
    }
    connect(marker, &QLegendMarker::clicked, this, [this, marker] {
      const bool isShown = !marker->series()->isVisible();
      isShown ? (void)m_hidden.remove(marker->series()->name()) : (void)m_hidden.insert(marker->series()->name());
      showSeries(*marker, isShown);
    });
  }
}

std::optional<ChartLocation> ChartView::locationAt(const QPoint &place) const {
  return m_chart && m_locationAt ? m_locationAt(*m_chart, m_chart->mapFromScene(mapToScene(place))) : std::nullopt;
}

bool ChartView::isLegendEntry(const QPoint &place) const {
  const QGraphicsItem *item = itemAt(place);
  if (!m_chart || item == nullptr || item == m_chart->legend() || !m_chart->legend()->isAncestorOf(item)) {
    return false;
  }
  const QList<QLegendMarker *> markers = m_chart->legend()->markers();
  return std::ranges::any_of(markers, [](QLegendMarker *marker) { return canHide(*marker); });
}

void ChartView::showTip(const QPoint &place) {
  const std::optional<ChartLocation> location = locationAt(place);
  const bool isOurs = !m_tip.isEmpty() && QToolTip::text() == m_tip;
  m_tip = location ? location->tip : isLegendEntry(place) ? tr("Click to hide it, click again to show it") : QString();
  // Without a text it hides what is shown, which may be of a class that shows its own.
  if (isOurs || !m_tip.isEmpty()) {
    QToolTip::showText(viewport()->mapToGlobal(place), m_tip, this);
  }
}

bool ChartView::viewportEvent(QEvent *event) {
  if (event->type() != QEvent::ToolTip) {
    return QGraphicsView::viewportEvent(event);
  }
  // Qt would look for tips of items, find none, and take ours away.
  showTip(static_cast<QHelpEvent *>(event)->pos());
  return true;
}

void ChartView::mousePressEvent(QMouseEvent *event) {
  QGraphicsView::mousePressEvent(event);
  m_pressed = event->pos();
}

void ChartView::mouseMoveEvent(QMouseEvent *event) {
  QGraphicsView::mouseMoveEvent(event);
  const std::optional<ChartLocation> location = locationAt(event->pos());
  const bool isLink = (location && location->id.isValid()) || isLegendEntry(event->pos());
  viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
  // A tip that is shown follows the mouse from part to part.
  if (!m_tip.isEmpty() && QToolTip::text() == m_tip && (!location || location->tip != m_tip)) {
    showTip(event->pos());
  }
}

void ChartView::mouseReleaseEvent(QMouseEvent *event) {
  QGraphicsView::mouseReleaseEvent(event);
  const bool isClick =
      event->button() == Qt::LeftButton && (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
  if (const std::optional<ChartLocation> location = isClick ? locationAt(event->pos()) : std::nullopt;
      location && location->id.isValid()) {
    Q_EMIT locationChosen(location->id);
  }
}

void ChartView::fit() {
  if (m_chart) {
    scene()->setSceneRect(QRectF(QPointF(0, 0), viewport()->size()));
    m_chart->setGeometry(scene()->sceneRect());
  }
}

void ChartView::resizeEvent(QResizeEvent *event) {
  QGraphicsView::resizeEvent(event);
  fit();
}

base::Result<void> saveScene(QGraphicsScene &scene, const QString &path) {
  JITSCOPE_TRY(const QByteArray bytes, charts::sceneForFile(scene, path));
  return writeFile(path, bytes);
}

void ChartView::saveImage() {
  saveWithDialog(this, tr("Save chart"), accessibleName(), {tr("SVG (*.svg)"), tr("PNG (*.png)"), tr("PDF (*.pdf)")},
                 [this](const QString &path) { return saveScene(*scene(), path); });
}

void ChartView::copyImage() { QApplication::clipboard()->setPixmap(viewport()->grab()); }

void ChartView::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  for (QAction *action : actions()) {
    menu.addAction(action);
  }
  if (!actions().isEmpty()) {
    menu.addSeparator();
  }
  menu.addAction(tr("&Copy Image"), this, &ChartView::copyImage);
  menu.addAction(tr("&Save Image…"), this, &ChartView::saveImage);
  menu.exec(event->globalPos());
}

} // namespace jitscope::ui
