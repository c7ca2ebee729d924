// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/compare/compare_tables.h"
#include "ui/pages/page.h"

class QLabel;
class QPushButton;
class QTabWidget;

namespace jitscope::ui {

class ItemView;

/// The open session beside another one: what got slower or faster, how certainly, and what is new.
class ComparePage : public Page {
  Q_OBJECT

public:
  ComparePage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  /// Compares the open session with another one. The one that was recorded earlier is the base, the open one where that cannot be
  /// told.
  void compareWith(const QString &path);
  [[nodiscard]] const RowsModel<analysis::LegComparison> &legs() const { return *m_legs; }
  [[nodiscard]] const RowsModel<analysis::CountComparison> &counts() const { return *m_counts; }
  [[nodiscard]] const RowsModel<analysis::RemarkChange> &remarks() const { return *m_remarks; }
  [[nodiscard]] const RowsModel<analysis::CompileComparison> &compiles() const { return *m_compiles; }
  /// The text above the tables: which session is which.
  [[nodiscard]] QString names() const;
  [[nodiscard]] QString verdict() const;

protected:
  void refresh() override;
  void clear() override;

private:
  void addTabs();
  void chooseOther();
  void show(const analysis::Comparison &comparison, std::vector<analysis::RemarkChange> remarks);
  [[nodiscard]] QStringList verdictLines(const analysis::Comparison &comparison) const;

  QString m_other;
  bool m_isNew = false; ///< nothing was shown of this comparison yet
  bool m_isSwapped = false;
  QLabel *m_names;
  QLabel *m_verdict;
  QPushButton *m_choose;
  QPushButton *m_swap;
  QTabWidget *m_tabs;
  RowsModel<analysis::LegComparison> *m_legs;
  RowsModel<analysis::CompileComparison> *m_compiles;
  RowsModel<analysis::CountComparison> *m_counts;
  RowsModel<analysis::RemarkChange> *m_remarks;
  ItemView *m_legTable;
  ItemView *m_compileTable;
  ItemView *m_countTable;
  ItemView *m_remarkTable;
};

} // namespace jitscope::ui
