// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace jitscope::ui {

/// What a run writes: the last lines of it, its errors in a colour of their own. Follows the end unless somebody reads further up.
class RunOutput : public QPlainTextEdit {
  Q_OBJECT

public:
  explicit RunOutput(QWidget *parent = nullptr);

  /// The colour of errors that come from now on.
  void setAlarm(const QColor &alarm) { m_alarm = alarm; }
  /// What was written to the standard output or, with `isError`, to the standard error.
  void append(const QString &text, bool isError);

private:
  QColor m_alarm;
};

} // namespace jitscope::ui
