// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_run.h"

#include "base/process.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <csignal>

#include <unistd.h>

namespace jitscope::ui {

namespace {

/// Of output that waits to be shown no more is kept.
constexpr qsizetype kMaxWaiting = qsizetype{128} * 1024;
constexpr int kFlushMs = 50;
constexpr int kLookMs = 40;
/// A child that was asked to stop finishes its session first, within a second.
constexpr int kKillMs = 3000;

void keep(QByteArray &waiting, const QByteArray &more) {
  waiting += more;
  if (waiting.size() > kMaxWaiting) {
    const qsizetype cut = waiting.indexOf('\n', waiting.size() - kMaxWaiting);
    waiting = QByteArrayLiteral("…\n") + waiting.mid(cut < 0 ? waiting.size() - kMaxWaiting : cut + 1);
  }
}

/// What the command writes before each state of its progress, and where it takes the line away.
const QByteArray kRedraw = QByteArrayLiteral("\r\x1b[K");

/// A state of progress without the mark that turns before it.
QString stateIn(const QByteArray &line) {
  static const QRegularExpression mark(QStringLiteral("^[|/\\\\-]\\s+"));
  const qsizetype end = line.indexOf('\r');
  return QString::fromUtf8(end < 0 ? line : line.left(end)).remove(mark).trimmed();
}

} // namespace

ErrorText readErrors(const QByteArray &portion) {
  ErrorText result;
  qsizetype from = 0;
  bool isRedrawn = false;
  while (true) {
    const qsizetype next = portion.indexOf(kRedraw, from);
    const QByteArray piece = portion.mid(from, next < 0 ? -1 : next - from);
    // A message ends its line, and a state of progress does not.
    const qsizetype lineEnd = piece.lastIndexOf('\n') + 1;
    result.text += QString::fromUtf8(piece.left(lineEnd));
    const QByteArray tail = piece.mid(lineEnd);
    const bool isProgress = isRedrawn && lineEnd == 0;
    result.progress = isProgress ? stateIn(tail) : QString();
    if (next < 0) {
      result.rest = isProgress ? kRedraw + tail : tail;
      return result;
    }
    if (!isProgress) {
      result.text += QString::fromUtf8(tail);
    }
    isRedrawn = true;
    from = next + kRedraw.size();
  }
}

int lineIn(const QString &text, const QString &scriptName) {
  const QRegularExpression place(QRegularExpression::escape(scriptName) + QStringLiteral(":(\\d+)"));
  const QRegularExpressionMatch match = place.match(text);
  return match.hasMatch() ? match.captured(1).toInt() : 0;
}

QString errorIn(const QString &text) {
  static const QRegularExpression told(QStringLiteral("^jitscope: (.+(?:\\n  .+){0,2})"), QRegularExpression::MultilineOption);
  return told.match(text).captured(1);
}

ScriptRun::ScriptRun(QObject *parent) : QObject(parent) {
  m_flushTimer.setInterval(kFlushMs);
  m_lookTimer.setInterval(kLookMs);
  m_killTimer.setInterval(kKillMs);
  m_killTimer.setSingleShot(true);
  connect(&m_flushTimer, &QTimer::timeout, this, [this] { flush(false); });
  connect(&m_lookTimer, &QTimer::timeout, this, &ScriptRun::look);
  connect(&m_killTimer, &QTimer::timeout, &m_process, &QProcess::kill);
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &ScriptRun::read);
  connect(&m_process, &QProcess::readyReadStandardError, this, &ScriptRun::read);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      end(-1, tr("%1 cannot be started: %2").arg(m_process.program(), m_process.errorString()));
    }
  });
  connect(&m_process, &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
    if (status == QProcess::CrashExit) {
      end(-1, m_stopped ? tr("Stopped. The script's process did not end by itself and was killed.")
                        : tr("The script's process was killed (signal %1).").arg(exitCode));
    } else {
      end(exitCode, m_stopped ? tr("Stopped.") : QString());
    }
  });
}

ScriptRun::~ScriptRun() {
  m_process.disconnect(this);
  if (m_process.state() != QProcess::NotRunning) {
    m_process.terminate();
    if (!m_process.waitForFinished(3000)) {
      m_process.kill();
      m_process.waitForFinished(1000);
    }
  }
}

void ScriptRun::start(const QString &command, const QString &script, const QString &session, const QStringList &arguments) {
  m_session = session;
  m_isRunning = true;
  m_stopped = false;
  m_created = false;
  m_out.clear();
  m_err.clear();
  QDir().mkpath(QFileInfo(session).absolutePath());
  m_process.setWorkingDirectory(QFileInfo(script).absolutePath());
  m_flushTimer.start();
  m_lookTimer.start();
  // However this process ends: the run then finishes its session.
  m_process.setChildProcessModifier([parent = ::getpid()] {
    if (!base::endWithParent(SIGTERM, parent)) {
      ::_exit(1);
    }
  });
  m_process.start(command, QStringList{QStringLiteral("run"), script, QStringLiteral("-o"), session} + arguments);
}

void ScriptRun::stop() {
  if (m_process.state() != QProcess::NotRunning && !m_stopped) {
    m_stopped = true;
    m_process.terminate();
    m_killTimer.start();
  }
}

void ScriptRun::read() {
  keep(m_out, m_process.readAllStandardOutput());
  keep(m_err, m_process.readAllStandardError());
}

void ScriptRun::flush(bool isAll) {
  if (!m_out.isEmpty()) {
    Q_EMIT output(QString::fromUtf8(std::exchange(m_out, {})), false);
  }
  if (m_err.isEmpty() && !isAll) {
    return;
  }
  ErrorText errors = readErrors(std::exchange(m_err, {}));
  if (isAll) {
    errors.progress.clear();
    if (!errors.rest.startsWith(kRedraw)) {
      errors.text += QString::fromUtf8(errors.rest);
    }
  } else {
    m_err = errors.rest;
  }
  if (!errors.text.isEmpty()) {
    Q_EMIT output(errors.text, true);
  }
  if (errors.progress != m_progress) {
    m_progress = errors.progress;
    Q_EMIT progressed(m_progress);
  }
}

void ScriptRun::look() {
  if (m_created || m_isLooking || QFileInfo(m_session).size() == 0) {
    return;
  }
  m_isLooking = true;
  m_overviews.ask(m_session, [this](const base::Result<SessionOverviews::Overview> &overview) {
    m_isLooking = false;
    // Until its first table is written it is no session yet.
    if (overview && overview->content.hasRecords && m_isRunning && !m_created) {
      m_created = true;
      m_lookTimer.stop();
      Q_EMIT sessionCreated(m_session);
    }
  });
}

void ScriptRun::end(int exitCode, const QString &message) {
  read();
  flush(true);
  m_flushTimer.stop();
  m_lookTimer.stop();
  m_killTimer.stop();
  const auto finish = [this, exitCode, message] {
    m_isRunning = false;
    const bool endedEarly = !message.isEmpty() && m_created;
    Q_EMIT finished(exitCode, endedEarly ? tr("%1 The window shows everything recorded until then.").arg(message) : message);
  };
  if (m_created || QFileInfo(m_session).size() == 0) {
    finish();
    return;
  }
  m_overviews.ask(m_session, [this, finish](const base::Result<SessionOverviews::Overview> &overview) {
    if (m_created) {
      // An earlier look has found something meanwhile.
    } else if (overview && !overview->content.hasRecords) {
      Q_EMIT nothingRecorded(m_session);
    } else {
      // What cannot be read is told by whoever opens it.
      m_created = true;
      Q_EMIT sessionCreated(m_session);
    }
    finish();
  });
}

} // namespace jitscope::ui
