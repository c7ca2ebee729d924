// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/palette.h"

#include "ui/script/qscintilla.h"

#include <QMap>

namespace jitscope::ui {

/// A Lua editor with line numbers, a margin for what a run said of each line, and marked errors.
class ScriptEditor : public QsciScintilla {
  Q_OBJECT

public:
  explicit ScriptEditor(QWidget *parent = nullptr);

  void setColours(const charts::Palette &palette);
  /// The text as UTF-8, byte for byte; without NUL. What was undone before cannot be done again.
  void setBytes(const QByteArray &utf8);
  [[nodiscard]] QByteArray bytes() const;
  /// Moves to a line, counted from 1, and shows it in the middle.
  void goToLine(int line);
  /// Marks a line as the one where a run failed; 0 for none.
  void markError(int line);
  /// What stands in the margin beside a line, by lines counted from 1; `tips` shows when the mouse rests there.
  void setNotes(const QMap<int, QString> &notes, const QMap<int, QString> &tips);
  [[nodiscard]] QMap<int, QString> notes() const { return m_notes; }

Q_SIGNALS:
  /// Escape was pressed and the editor had nothing to end. Tab inserts a character here, so another way out is needed.
  void leaveWanted();

protected:
  bool event(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  QsciLexerLua *m_lexer;
  QsciStyle m_noteStyle;
  QMap<int, QString> m_notes;
  QMap<int, QString> m_tips;
};

} // namespace jitscope::ui
