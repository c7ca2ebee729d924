// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/optimizer_tables.h"
#include "ui/models/rows_model.h"
#include "ui/pages/page.h"

#include <vector>

class QComboBox;
class QLabel;

namespace jitscope::ui {

class ItemView;
class SearchField;

/// What optimization passes had to say, and what they said under one pipeline only.
class RemarksPage : public Page {
  Q_OBJECT

public:
  RemarksPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] const RowsModel<analysis::RemarkGroup> &model() const { return *m_model; }

Q_SIGNALS:
  /// Remarks were read: the editor's margin shows them.
  void remarksRead(const std::vector<jitscope::analysis::RemarkGroup> &remarks);

protected:
  void refresh() override;
  void clear() override;

private:
  void showDetails(const analysis::RemarkGroup &row);
  void fillChoices();
  void applyFilter();

  std::vector<analysis::RemarkGroup> m_all;
  RowsModel<analysis::RemarkGroup> *m_model;
  ItemView *m_table;
  SearchField *m_search;
  QComboBox *m_kind;
  QComboBox *m_pass;
  QComboBox *m_function;
  QComboBox *m_pipelines;
  QLabel *m_count;
  QLabel *m_details;
};

} // namespace jitscope::ui
