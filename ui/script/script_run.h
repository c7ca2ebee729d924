// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/store/session_overviews.h"

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace jitscope::ui {

/// A line of the script that a text of the command's speaks of, as in "script.lua:12: …"; 0 for none.
[[nodiscard]] int lineIn(const QString &text, const QString &scriptName);

/// The error that the command told of in what it wrote to its standard error, with the first two lines of what it happened within;
/// empty for none.
[[nodiscard]] QString errorIn(const QString &text);

/// What a portion of the command's standard error holds, which redraws its line of progress in place.
struct ErrorText {
  QString text;     ///< whole lines that are no progress, in order
  QString progress; ///< the latest state; empty where the line was taken away
  QByteArray rest;  ///< the end of the portion, whose line is not complete yet
};
/// Tells messages from progress. `portion` begins with the `rest` of the one before.
[[nodiscard]] ErrorText readErrors(const QByteArray &portion);

/// One run of a script in a child process, so that what a script does to its process harms no window.
class ScriptRun : public QObject {
  Q_OBJECT

public:
  explicit ScriptRun(QObject *parent = nullptr);
  /// Stops the child.
  ~ScriptRun() override;

  /// Starts `jitscope run script -o session` with more arguments; what was run before must have ended. Ends in `finished` in any
  /// case.
  void start(const QString &command, const QString &script, const QString &session, const QStringList &arguments);
  /// Asks the child to end its session and, should it not, ends it after some seconds.
  void stop();
  /// How long a child that was asked to stop may take to finish its session; 3 s unless set.
  void setPatience(int ms) { m_killTimer.setInterval(ms); }
  [[nodiscard]] bool isRunning() const { return m_isRunning; }
  /// The run was asked to stop before it had ended.
  [[nodiscard]] bool wasStopped() const { return m_stopped; }
  [[nodiscard]] const QString &session() const { return m_session; }

Q_SIGNALS:
  /// The session can be followed: something was recorded.
  void sessionCreated(const QString &path);
  /// The run is about to have finished and left a session without anything in it.
  void nothingRecorded(const QString &path);
  /// What the run is doing, as one line: time, section, leg, and a compile that takes long. Empty: nothing to show any more.
  void progressed(const QString &state);
  /// What the child wrote besides, in portions: of a flood only the last part of each.
  void output(const QString &text, bool isError);
  /// `message` says how it ended where that is not as it should.
  void finished(int exitCode, const QString &message);

private:
  /// Hands on what was read; `isAll`: also a last line without its end.
  void flush(bool isAll);
  void read();
  void look();
  /// Goes on to `finished` once it is known whether anything was recorded.
  void end(int exitCode, const QString &message);

  QProcess m_process;
  SessionOverviews m_overviews;
  QString m_session;
  QByteArray m_out;
  QByteArray m_err;
  QString m_progress;
  QTimer m_flushTimer;
  QTimer m_lookTimer;
  QTimer m_killTimer;
  bool m_isRunning = false;
  bool m_stopped = false;
  bool m_created = false;
  bool m_isLooking = false;
};

} // namespace jitscope::ui
