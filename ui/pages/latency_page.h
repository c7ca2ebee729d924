// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/case_statistics.h"
#include "ui/charts/latency_charts.h"
#include "ui/models/rows_model.h"
#include "ui/pages/page.h"
#include "ui/widgets/chart_view.h"

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;

namespace jitscope::ui {

class ItemView;

/// What benchmark cases measured, cold and warm beside each other.
class LatencyPage : public Page {
  Q_OBJECT

public:
  /// A row of the table: a leg of a case.
  struct Row {
    event::BenchCaseEvent bench;
    analysis::LegStatistics leg;
  };

  LatencyPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] const RowsModel<Row> &model() const { return *m_model; }

protected:
  void refresh() override;
  void clear() override;

private:
  [[nodiscard]] std::vector<Column<Row>> columns() const;
  [[nodiscard]] const analysis::Statistics &times(const Row &row) const;
  void readSamples();
  void drawCharts();
  [[nodiscard]] std::optional<ChartLocation> sampleAt(QChart &chart, const QPointF &place) const;

  RowsModel<Row> *m_model;
  ItemView *m_table;
  QLabel *m_sentence;
  QCheckBox *m_withoutCompiles;
  ChartView *m_percentiles;
  ChartView *m_histogram;
  ChartView *m_runOrder;
  /// Touched only where questions are answered, one after the other.
  std::shared_ptr<analysis::CallGroups> m_groups;
  std::optional<base::CaseId> m_case; ///< whose samples are drawn
  std::vector<charts::LegLatency> m_legs;
  std::vector<charts::LegLatency> m_drawn; ///< of them, what the charts show
};

} // namespace jitscope::ui
