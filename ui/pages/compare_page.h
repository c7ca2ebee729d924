// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/comparison.h"
#include "analysis/optimizer_tables.h"
#include "ui/models/rows_model.h"
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
  /// A remark that only one of the sessions has.
  struct RemarkChange {
    bool isNew = false;
    analysis::RemarkGroup remark;
  };

  ComparePage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  /// Compares the open session, as the base, with another one.
  void compareWith(const QString &path);
  [[nodiscard]] const RowsModel<analysis::LegComparison> &legs() const { return *m_legs; }
  [[nodiscard]] const RowsModel<analysis::CountComparison> &counts() const { return *m_counts; }
  [[nodiscard]] const RowsModel<RemarkChange> &remarks() const { return *m_remarks; }
  [[nodiscard]] QString verdict() const;

Q_SIGNALS:
  /// A session was opened here in place of the present one.
  void openWanted(const QString &path);

protected:
  void refresh() override;
  void clear() override;

private:
  void chooseOther();
  void show(const analysis::Comparison &comparison);

  QString m_other;
  QString m_swapTo; ///< what to compare with once the other session is open
  QLabel *m_names;
  QLabel *m_verdict;
  QPushButton *m_swap;
  QTabWidget *m_tabs;
  RowsModel<analysis::LegComparison> *m_legs;
  RowsModel<analysis::CountComparison> *m_counts;
  RowsModel<RemarkChange> *m_remarks;
  ItemView *m_legTable;
  ItemView *m_countTable;
  ItemView *m_remarkTable;
};

} // namespace jitscope::ui
