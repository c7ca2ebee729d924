// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/optimizer_tables.h"
#include "analysis/summary.h"

#include <QAbstractItemModel>

#include <map>
#include <vector>

namespace jitscope::ui {

/// Functions, and below each its templates. The id of a template's row is its id, that of a function's is minus its id.
class TemplateModel final : public QAbstractItemModel {
  Q_OBJECT

public:
  // NOLINTNEXTLINE(performance-enum-size): as Qt counts columns
  enum Column : int { Name, Calls, Hits, Compiled, Other, HitRate, CallTime, Compiles, CompileTime, Code, Reasons, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  /// `storms` are those of the functions.
  void setFunctions(std::vector<analysis::FunctionSummary> functions, std::map<base::TemplateId, analysis::ReasonCounts> reasons,
                    const std::vector<analysis::RecompileStorm> &storms);
  [[nodiscard]] const std::vector<analysis::FunctionSummary> &functions() const { return m_functions; }
  /// The function that a row is or belongs to.
  [[nodiscard]] const analysis::FunctionSummary &functionAt(const QModelIndex &index) const;
  /// The template that a row is; null for a function's row.
  [[nodiscard]] const analysis::TemplateSummary *templateAt(const QModelIndex &index) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
  [[nodiscard]] int rowCount(const QModelIndex &parent) const override;
  [[nodiscard]] int columnCount(const QModelIndex &parent) const override;
  [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    analysis::TemplateSummary sums; ///< of a function: of all its templates together
    analysis::ReasonCounts reasons;
    bool isStorm = false;
  };
  [[nodiscard]] const Row &rowAt(const QModelIndex &index) const;
  [[nodiscard]] QVariant valueOf(const QModelIndex &index) const;

  std::vector<analysis::FunctionSummary> m_functions;
  std::vector<Row> m_sums;                   ///< one for each function
  std::vector<std::vector<Row>> m_templates; ///< one for each of its templates
};

} // namespace jitscope::ui
