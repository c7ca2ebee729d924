// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

class QSortFilterProxyModel;

namespace jitscope::ui {

class KeptColumns;

/// A table or tree: sorted by its columns' values, copied as text, saved as CSV. Columns are as wide as their contents unless
/// somebody chose otherwise, which is kept under `name`.
class ItemView : public QTreeView {
  Q_OBJECT

public:
  /// `name` is the key of its settings and its name for screen readers is `title`.
  ItemView(const QString &name, const QString &title, QWidget *parent = nullptr);

  /// Shows a model through a proxy that sorts by `SortRole`, first by a column.
  void setSource(QAbstractItemModel *model, int sortColumn, Qt::SortOrder order);
  [[nodiscard]] QSortFilterProxyModel *proxy() const { return m_proxy; }
  /// Keeps contents from making a column wider than this; it can be dragged wider.
  void setMaxWidth(int column, int width);
  /// Fits the columns to contents that changed otherwise than by new rows: branches of a tree were opened.
  void fitColumns();
  /// What to say in place of rows if there are none.
  void setPlaceholder(const QString &text);
  [[nodiscard]] const QString &placeholder() const { return m_placeholder; }

  /// The id (`IdRole`) of the current row; invalid for none.
  [[nodiscard]] QVariant currentId() const;
  /// Goes to the row with an id without emitting a signal; does nothing if it is the current row or does not exist.
  void showId(const QVariant &id);

  /// The rows as text with tabs: those selected, or all.
  [[nodiscard]] QString asText(bool all) const;
  /// All rows as CSV (RFC 4180), with bare values: nanoseconds and bytes.
  [[nodiscard]] QString asCsv() const;

Q_SIGNALS:
  /// Somebody moved to a row.
  void idChosen(const QVariant &id);

protected:
  void contextMenuEvent(QContextMenuEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void saveCsv();

  QSortFilterProxyModel *m_proxy;
  KeptColumns *m_columns;
  QString m_placeholder;
  bool m_isShowing = false; ///< within `showId` or a change of the model
};

} // namespace jitscope::ui
