// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/text_diff.h"
#include "ui/charts/palette.h"
#include "ui/diff/fold_rows.h"

#include <QAbstractScrollArea>

#include <optional>
#include <utility>
#include <vector>

namespace jitscope::ui {

/// Two texts beside each other, scrolled together. Only what can be seen is painted, so that a hundred thousand lines scroll as ten
/// do.
class DiffView : public QAbstractScrollArea {
  Q_OBJECT

public:
  explicit DiffView(QWidget *parent = nullptr);

  void setDiff(analysis::TextDiff diff, const QString &leftTitle, const QString &rightTitle);
  /// Says why there is nothing to compare.
  void setMessage(const QString &message);
  void setColours(const charts::Palette &palette);
  void setFolding(bool folds);
  [[nodiscard]] const analysis::TextDiff &diff() const { return m_diff; }
  [[nodiscard]] const std::vector<ShownRow> &shownRows() const { return m_shown; }

  /// Goes to the change after (1) or before (-1) the present one; false if there is none.
  bool stepChange(int direction);
  /// The change that was gone to, counted from 0; none before the first step.
  [[nodiscard]] std::optional<std::size_t> currentChange() const { return m_change; }
  [[nodiscard]] std::size_t changes() const { return m_changes.size(); }
  /// The left or the right text of the selected lines.
  [[nodiscard]] QString selectedText() const;

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  void refold();
  void updateBars();
  void copy() const;
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] int headHeight() const;
  [[nodiscard]] int lineNumberWidth() const;
  [[nodiscard]] std::size_t shownAt(int y) const;
  void paintFold(QPainter &painter, const ShownRow &shown, int y) const;
  void paintSide(QPainter &painter, const analysis::DiffRow &row, bool isLeft, const QRect &area) const;
  void paintHead(QPainter &painter) const;

  charts::Palette m_palette = charts::Palette::of(charts::Scheme::Light);
  analysis::TextDiff m_diff;
  QString m_leftTitle;
  QString m_rightTitle;
  QString m_message;
  std::vector<ShownRow> m_shown;
  std::vector<std::size_t> m_changes;
  std::vector<std::size_t> m_unfolded;
  std::optional<std::size_t> m_change;
  bool m_folds = true;
  std::size_t m_longest = 0; ///< characters in the longest line
  bool m_selectsLeft = true;
  std::optional<std::pair<std::size_t, std::size_t>> m_selection; ///< shown rows, from where it began to where it is
};

} // namespace jitscope::ui
