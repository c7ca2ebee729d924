// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QGraphicsView>
#include <QSet>
#include <QVariant>

#include <functional>
#include <memory>
#include <optional>

QT_BEGIN_NAMESPACE
class QChart;
QT_END_NAMESPACE

namespace jitscope::ui {

/// Writes a scene in the format that the name ends in, ".svg", ".png" or ".pdf", as `writeFile` does. RuntimeOption for another
/// ending, StorageWrite where it cannot be written.
[[nodiscard]] base::Result<void> saveScene(QGraphicsScene &scene, const QString &path);

/// What a place of a chart stands for.
struct ChartLocation {
  QString tip;
  QVariant id = {}; ///< told by `ChartView::locationChosen`; invalid where a click leads nowhere
};

/// Shows one chart as large as itself; copies and saves it. Says what is under the mouse, and hides a line whose entry in the
/// legend is clicked.
class ChartView : public QGraphicsView {
  Q_OBJECT

public:
  /// `title` is its name for screen readers and for files.
  explicit ChartView(const QString &title, QWidget *parent = nullptr);
  ~ChartView() override;

  void setChart(std::unique_ptr<QChart> chart);
  [[nodiscard]] QChart *chart() const { return m_chart.get(); }

  /// What the places of the present chart stand for, in its coordinates; none where there is nothing.
  using LocationAt = std::function<std::optional<ChartLocation>(QChart &chart, const QPointF &place)>;
  void setLocations(LocationAt locationAt) { m_locationAt = std::move(locationAt); }

  /// Asks where to save the chart.
  void saveImage();
  void copyImage();

Q_SIGNALS:
  /// A location with an id was clicked.
  void locationChosen(const QVariant &id);

protected:
  bool viewportEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  void fit();
  void connectLegend();
  [[nodiscard]] std::optional<ChartLocation> locationAt(const QPoint &place) const;
  [[nodiscard]] bool isLegendEntry(const QPoint &place) const;
  void showTip(const QPoint &place);

  std::unique_ptr<QChart> m_chart;
  LocationAt m_locationAt;
  QString m_tip;          ///< as last shown
  QSet<QString> m_hidden; ///< the names of lines that were hidden, which stay so when the chart is drawn again
  QPoint m_pressed;
};

} // namespace jitscope::ui
