// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/ir_diff.h"
#include "ui/models/rows_model.h"
#include "ui/pages/diff/diff_catalogue.h"
#include "ui/pages/diff/diff_tables.h"
#include "ui/pages/page.h"

#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QTextBrowser;

namespace jitscope::ui {

class DiffView;
class ItemView;

/// The IR of a function under two pipelines, or before and after a pass, side by side.
class DiffPage : public Page {
  Q_OBJECT

public:
  DiffPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] DiffView &view() const { return *m_view; }
  [[nodiscard]] QComboBox &function() const { return *m_function; }
  [[nodiscard]] QComboBox &left() const { return *m_left; }
  [[nodiscard]] QComboBox &right() const { return *m_right; }
  [[nodiscard]] const RowsModel<SideRemark> &remarks() const { return *m_remarks; }
  /// Why the sides differ, in words.
  [[nodiscard]] QTextBrowser &why() const { return *m_why; }
  [[nodiscard]] const RowsModel<PassRow> &passes() const { return *m_passes; }
  /// Whose passes these are.
  [[nodiscard]] QLabel &passTitle() const { return *m_passTitle; }

protected:
  void refresh() override;
  void clear() override;
  void recolour() override;

private:
  void fillFunctions();
  void fillVersions();
  void compare();
  void readAround();
  void stepPass(int direction);
  void choosePass(const PassRow &row);
  /// The compile that is looked at, or the one whose texts were kept for it.
  [[nodiscard]] base::CompileId lookedAt() const;
  void showWhy(const std::vector<std::string> &sentences);
  void addBar(QLayout &layout);
  [[nodiscard]] const DiffVersion *versionOf(const QComboBox &box) const;

  DiffCatalogue m_catalogue;
  QComboBox *m_function;
  QComboBox *m_left;
  QComboBox *m_right;
  QCheckBox *m_fold;
  QCheckBox *m_debugInfo;
  QCheckBox *m_attributes;
  QCheckBox *m_names;
  QLabel *m_summary;
  QLabel *m_passTitle; ///< whose passes are listed
  DiffView *m_view;
  RowsModel<PassRow> *m_passes;
  ItemView *m_passTable;
  RowsModel<SideRemark> *m_remarks;
  ItemView *m_remarkTable;
  QTextBrowser *m_why;
};

} // namespace jitscope::ui
