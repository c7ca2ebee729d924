// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/compile_list.h"
#include "analysis/compiles/optimizer_tables.h"
#include "analysis/summary.h"
#include "ui/models/rows_model.h"
#include "ui/pages/page.h"
#include "ui/widgets/chart_view.h"

class QTabWidget;
class QToolButton;

namespace jitscope::ui {

class ElidedLabel;
class ItemView;

/// Every compile with its phases, the passes by time, the redundant work across pipelines, and what became of each loop.
class CompilesPage : public Page {
  Q_OBJECT

public:
  CompilesPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  void showChosen() override;
  [[nodiscard]] const RowsModel<analysis::MissSummary> &model() const { return *m_compiles; }
  [[nodiscard]] const RowsModel<analysis::PassSum> &passes() const { return *m_passes; }
  [[nodiscard]] const RowsModel<analysis::WorkTotal> &redundantWork() const { return *m_redundantWork; }
  [[nodiscard]] const RowsModel<analysis::LoopFinding> &loops() const { return *m_loops; }

protected:
  void refresh() override;
  void clear() override;
  void recolour() override { drawPhases(); }
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void readPasses();
  void drawPhases();
  void choose(base::CompileId id);
  /// The row's compile that stands for the one in focus: of a repeat that of the first round, or else itself.
  [[nodiscard]] base::CompileId listed() const;
  /// From a row to where there is more of its compile.
  void addWays();
  void addLoops();
  /// The compile of the current row; null for none. Gone with the next change of the model.
  [[nodiscard]] const analysis::MissSummary *current() const;
  [[nodiscard]] bool areAllSelected() const;
  [[nodiscard]] std::optional<ChartLocation> phaseAt(QChart &chart, const QPointF &place) const;

  RowsModel<analysis::MissSummary> *m_compiles;
  RowsModel<analysis::PassSum> *m_passes;
  RowsModel<analysis::WorkTotal> *m_redundantWork;
  RowsModel<analysis::LoopFinding> *m_loops;
  std::vector<analysis::RepeatedCompile> m_repeats; ///< that have no rows of their own
  QTabWidget *m_tabs;
  ElidedLabel *m_count; ///< how many compiles have rows, where not all have
  ItemView *m_table;
  ItemView *m_passTable;
  ItemView *m_redundantWorkTable;
  ItemView *m_loopTable;
  ChartView *m_phases;
  std::vector<base::CompileId> m_drawn; ///< the bars of `m_phases`, from the top
  ElidedLabel *m_passTitle;
  QToolButton *m_allPasses; ///< leads back to the passes of all compiles
};

} // namespace jitscope::ui
