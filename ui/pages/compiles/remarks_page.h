// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/remark_groups.h"
#include "ui/models/rows_model.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;

namespace jitscope::ui {

class ItemView;
class SearchField;

/// A remark and what it was compiled for.
struct RemarkRow {
  analysis::RemarkGroup remark;
  analysis::RemarkOrigin origin;
};

/// What optimization passes had to say, and what they said under one pipeline only, study by study and section by section.
class RemarksPage : public Page {
  Q_OBJECT

public:
  RemarksPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] const RowsModel<RemarkRow> &model() const { return *m_model; }

protected:
  void refresh() override;
  void clear() override;

private:
  void showDetails(const RemarkRow &row);
  void follow(const QString &link);
  void fillChoices();
  void applyFilter();
  /// What the choice of pipelines leaves.
  [[nodiscard]] std::vector<analysis::OriginRemark> ofPipelines(const QStringList &pipelines) const;
  /// How many remarks there are, and how they were compared.
  [[nodiscard]] QString countLine(const std::vector<RemarkRow> &shown, const QStringList &pipelines) const;

  analysis::RemarksByOrigin m_all;
  RowsModel<RemarkRow> *m_model;
  ItemView *m_table;
  SearchField *m_search;
  QComboBox *m_kind;
  QComboBox *m_pass;
  QComboBox *m_function;
  QComboBox *m_origin;
  QComboBox *m_pipelines;
  QLabel *m_count;
  QLabel *m_details;
};

} // namespace jitscope::ui
