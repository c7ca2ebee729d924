// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

class QLineEdit;

namespace jitscope::ui {

class ScriptEditor;

/// Looks for a text in an editor. Escape hides it and goes back there.
class FindBar : public QWidget {
  Q_OBJECT

public:
  FindBar(ScriptEditor &editor, QWidget *parent);

  /// Shows the bar, with what is selected in the editor.
  void open();
  /// Goes to the match after the present one, or to that before it.
  void find(bool forward);
  /// What a text is shown in that is not found.
  void setAlarm(const QColor &colour) { m_alarm = colour; }

protected:
  bool eventFilter(QObject *object, QEvent *event) override;

private:
  ScriptEditor &m_editor;
  QLineEdit *m_text;
  QColor m_alarm;
};

} // namespace jitscope::ui
