// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>

class QTreeView;

namespace jitscope::ui {

/// The columns of a table. What somebody chose of them (a width, their order, what is sorted by) is kept under a name for the next
/// time; all other widths follow the contents.
class KeptColumns : public QObject {
public:
  KeptColumns(QTreeView &view, QString name);

  /// Call once the view has its model and is sorted as it is at first.
  void restore();
  /// A column that is not made wider than this for the sake of its contents.
  void setMost(int column, int width) { m_most[column] = width; }
  /// Makes columns as wide as their contents. Within one session they only grow, so that nothing jumps while it is recorded.
  void fit();
  /// The next rows are of another session.
  void startAnew() { m_isFitted = false; }
  /// The last column, if it is text, takes the room that is left, and what it needs where that is less.
  void fitLast();

  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  [[nodiscard]] QString key(const char *what) const;
  [[nodiscard]] QString titleOf(int column) const;
  [[nodiscard]] int columnOf(const QString &title) const;
  [[nodiscard]] int neededWidth(int column) const;
  [[nodiscard]] bool stretches(int column) const;
  void keepWidths() const;
  void keepOrder() const;

  QTreeView &m_view;
  const QObject *m_viewport; ///< the view itself may be half gone when the last events come
  QString m_name;
  QHash<int, int> m_chosen; ///< widths that somebody chose, by column
  QHash<int, int> m_most;
  bool m_isFitted = false;
  bool m_isHeld = false; ///< somebody presses the mouse on the header: what is resized now is their choice
};

} // namespace jitscope::ui
