// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/run_output.h"

#include <QFontDatabase>
#include <QRegularExpression>

namespace jitscope::ui {

namespace {

constexpr int kMaxOutputLines = 10'000;

/// Where the next line begins of those that the command writes to its standard error and that are no errors; the text's size where
/// none does.
qsizetype newsAfter(const QString &text, qsizetype start) {
  static const QRegularExpression news(QStringLiteral("^(Session: |Benches measure )"), QRegularExpression::MultilineOption);
  const QRegularExpressionMatch match = news.match(text, start);
  return match.hasMatch() ? match.capturedStart() : text.size();
}

} // namespace

RunOutput::RunOutput(QWidget *parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("scriptOutput"));
  setAccessibleName(tr("Output of the run"));
  setReadOnly(true);
  setMaximumBlockCount(kMaxOutputLines);
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setLineWrapMode(QPlainTextEdit::NoWrap);
}

void RunOutput::append(const QString &text, bool isError) {
  const bool atEnd = textCursor().atEnd();
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  QTextCharFormat alarm;
  alarm.setForeground(m_alarm);
  // What has one colour is inserted at once: line by line a flood would hold the window up.
  qsizetype start = 0;
  for (qsizetype line = isError ? newsAfter(text, 0) : text.size(); line < text.size(); line = newsAfter(text, start)) {
    const qsizetype feed = text.indexOf(QLatin1Char('\n'), line);
    end.insertText(text.mid(start, line - start), alarm);
    start = feed < 0 ? text.size() : feed + 1;
    end.insertText(text.mid(line, start - line), QTextCharFormat());
  }
  end.insertText(text.mid(start), isError ? alarm : QTextCharFormat());
  if (atEnd) {
    moveCursor(QTextCursor::End);
  }
}

} // namespace jitscope::ui
