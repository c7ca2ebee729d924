// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/ir_diff.h"
#include "session/optimizer_reader.h"
#include "ui/models/rows_model.h"
#include "ui/pages/diff_tables.h"
#include "ui/pages/page.h"

#include <functional>
#include <map>
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

protected:
  void refresh() override;
  void clear() override;
  void recolour() override;

private:
  /// A text that can be shown on either side.
  struct Version {
    session::SnapshotRow row;
    QString title;
    std::string pipeline;
    base::StudyId studyId;
  };
  struct Catalogue;

  void fillFunctions();
  void fillVersions();
  void compare();
  void readAround();
  void stepPass(int direction);
  void choosePass(const PassRow &row);
  /// The compile that is looked at, or the one whose texts were kept for it.
  [[nodiscard]] base::CompileId lookedAt() const;
  void showWhy(const std::vector<std::string> &sentences);
  [[nodiscard]] const Version *versionOf(const QComboBox &box) const;

  std::map<std::uint32_t, std::vector<Version>> m_versions; ///< by function
  std::map<std::uint32_t, QString> m_functionNames;
  std::map<base::CompileId, base::CompileId> m_standIns;     ///< for repetitions of a study the compile whose texts were kept
  std::map<std::string, std::string, std::less<>> m_symbols; ///< the functions' names by those of the linker
  std::uint32_t m_root = 0;                                  ///< of the latest study; 0 without one
  QComboBox *m_function;
  QComboBox *m_left;
  QComboBox *m_right;
  QCheckBox *m_fold;
  QCheckBox *m_debugInfo;
  QCheckBox *m_attributes;
  QCheckBox *m_names;
  QLabel *m_summary;
  DiffView *m_view;
  RowsModel<PassRow> *m_passes;
  ItemView *m_passTable;
  RowsModel<SideRemark> *m_remarks;
  ItemView *m_remarkTable;
  QTextBrowser *m_why;
};

} // namespace jitscope::ui
