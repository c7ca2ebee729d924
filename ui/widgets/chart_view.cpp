// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_view.h"

#include "ui/charts/chart_image.h"
#include "ui/widgets/save_file.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QtCharts/QChart>

namespace jitscope::ui {

ChartView::ChartView(const QString &title, QWidget *parent) : QGraphicsView(parent) {
  setAccessibleName(title);
  setScene(new QGraphicsScene(this));
  setFrameShape(NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumSize(160, 100);
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
  fit();
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

void ChartView::saveImage() {
  saveWithDialog(this, tr("Save chart"), accessibleName(), {tr("SVG (*.svg)"), tr("PNG (*.png)"), tr("PDF (*.pdf)")},
                 [this](const QString &path) { return charts::saveScene(*scene(), path); });
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
