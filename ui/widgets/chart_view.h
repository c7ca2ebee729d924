// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsView>

#include <memory>

QT_BEGIN_NAMESPACE
class QChart;
QT_END_NAMESPACE

namespace jitscope::ui {

/// Shows one chart as large as itself; copies and saves it.
class ChartView : public QGraphicsView {
  Q_OBJECT

public:
  /// `title` is its name for screen readers and for files.
  explicit ChartView(const QString &title, QWidget *parent = nullptr);
  ~ChartView() override;

  void setChart(std::unique_ptr<QChart> chart);
  [[nodiscard]] QChart *chart() const { return m_chart.get(); }

  /// Asks where to save the chart.
  void saveImage();
  void copyImage();

protected:
  void resizeEvent(QResizeEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  void fit();

  std::unique_ptr<QChart> m_chart;
};

} // namespace jitscope::ui
