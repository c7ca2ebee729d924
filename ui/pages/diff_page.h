// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/ir_diff.h"
#include "analysis/optimizer_tables.h"
#include "event/event.h"
#include "session/optimizer_reader.h"
#include "ui/models/rows_model.h"
#include "ui/pages/page.h"

#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;

namespace jitscope::ui {

class DiffView;
class ItemView;

/// The IR of a function under two pipelines, or before and after a pass, side by side.
class DiffPage : public Page {
  Q_OBJECT

public:
  /// A remark that only one of the two sides has.
  struct SideRemark {
    bool isLeft = false;
    analysis::RemarkGroup remark;
  };
  /// A pass over the function, in the compile of the right side.
  struct PassRow {
    event::PassRun pass;
    bool hasText = false; ///< the text after it was kept
  };

  DiffPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] DiffView &view() const { return *m_view; }
  [[nodiscard]] QComboBox &function() const { return *m_function; }
  [[nodiscard]] QComboBox &left() const { return *m_left; }
  [[nodiscard]] QComboBox &right() const { return *m_right; }
  [[nodiscard]] const RowsModel<SideRemark> &remarks() const { return *m_remarks; }
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
  };
  struct Catalogue;

  void fillFunctions();
  void fillVersions();
  void compare();
  void readAround();
  void stepPass(int direction);
  void choosePass(const PassRow &row);
  [[nodiscard]] const Version *versionOf(const QComboBox &box) const;

  std::map<std::uint32_t, std::vector<Version>> m_versions; ///< by function
  std::map<std::uint32_t, QString> m_names;
  std::uint32_t m_root = 0; ///< of the latest study; 0 without one
  QComboBox *m_function;
  QComboBox *m_left;
  QComboBox *m_right;
  QCheckBox *m_fold;
  QCheckBox *m_debugInfo;
  QCheckBox *m_attributes;
  QLabel *m_summary;
  DiffView *m_view;
  RowsModel<PassRow> *m_passes;
  ItemView *m_passTable;
  RowsModel<SideRemark> *m_remarks;
  ItemView *m_remarkTable;
};

} // namespace jitscope::ui
