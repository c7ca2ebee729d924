// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <QString>
#include <QVariant>

#include <functional>
#include <utility>
#include <vector>

namespace jitscope::ui {

/// What all models of the window give besides Qt's own roles.
enum ItemRole : int {      // NOLINT(performance-enum-size): as Qt has its roles
  SortRole = Qt::UserRole, ///< the bare value: what is sorted by, and what CSV gets
  UnitRole,                ///< of a column: the unit of its bare values, for CSV
  IdRole,                  ///< what the row stands for
};

/// A column of a `RowsModel`.
template <typename Row> struct Column {
  QString title;
  QString tip;
  bool isNumber = false; ///< stands right, and is sorted by its value
  std::function<QString(const Row &)> text;
  std::function<QVariant(const Row &)> value; ///< empty where the text is the value
  std::function<QIcon(const Row &)> icon;
  std::function<QString(const Row &)> rowTip;
  QString unit = {}; ///< of the values, "ns" or "bytes"
};

/// A table of rows of one kind, which makes its texts only when they are asked for.
template <typename Row> class RowsModel final : public QAbstractTableModel {
public:
  using IdOf = std::function<QVariant(const Row &)>;

  RowsModel(std::vector<Column<Row>> columns, IdOf idOf, QObject *parent)
      : QAbstractTableModel(parent), m_columns(std::move(columns)), m_idOf(std::move(idOf)) {}

  void setRows(std::vector<Row> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
  }
  [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }
  [[nodiscard]] const Row &row(const QModelIndex &index) const { return m_rows[static_cast<std::size_t>(index.row())]; }

  [[nodiscard]] int rowCount(const QModelIndex &parent) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex &parent) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
  }

  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount({})) {
      return {};
    }
    const Column<Row> &column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.tip.isEmpty() ? QVariant() : column.tip;
    case Qt::TextAlignmentRole:
      return alignmentOf(column);
    case UnitRole:
      return column.unit;
    default:
      return {};
    }
  }

  [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
      return {};
    }
    const Column<Row> &column = m_columns[static_cast<std::size_t>(index.column())];
    const Row &entry = row(index);
    switch (role) {
    case Qt::DisplayRole:
      return column.text(entry);
    case Qt::TextAlignmentRole:
      return alignmentOf(column);
    case Qt::DecorationRole:
      return column.icon ? QVariant(column.icon(entry)) : QVariant();
    case Qt::ToolTipRole:
      return column.rowTip ? column.rowTip(entry) : column.isNumber ? QVariant() : QVariant(column.text(entry));
    case SortRole:
      return column.value ? column.value(entry) : QVariant(column.text(entry));
    case IdRole:
      return m_idOf(entry);
    default:
      return {};
    }
  }

private:
  static int alignmentOf(const Column<Row> &column) {
    return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }

  std::vector<Row> m_rows;
  std::vector<Column<Row>> m_columns;
  IdOf m_idOf;
};

/// Unsigned numbers as QVariant keeps and compares them.
inline QVariant numberValue(std::uint64_t number) { return QVariant::fromValue(static_cast<qulonglong>(number)); }

} // namespace jitscope::ui
