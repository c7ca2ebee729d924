// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/cli_runner.h"

#include <QtTest>

#include <QFile>

#include <csignal>

#include <sqlite3.h>

/// Scripts that never end, each in another place, and what a session holds after one was stopped.
namespace jitscope::test {

/// The beginning of a script whose line 5 is then stopped: two calls that the session must keep.
inline const QByteArray kBefore = "local f = fn('f', function(x) return (x * 2 + 1):sum() end)\n"
                                  "local x = iota{20000}\n"
                                  "f(x) f(x)\n"
                                  "print('ready')\n";
/// How many of these calls a session has, and how many of them compiled.
inline constexpr auto kCallsBefore =
    "SELECT count(*), sum(outcome = 'miss') FROM call JOIN template t ON t.id = template_id JOIN function f ON "
    "f.id = t.function_id WHERE f.name = 'f' AND phase = 'run'";
inline const QString kAllCallsBefore = "2|1";

/// Compiles for minutes: the steps of a loop, one after the other.
inline QByteArray unrolled(int steps) {
  return "local step = fn('step', function(h, w)\n  for i = 1, " + QByteArray::number(steps) +
         " do h = tanh(h + h:dot(w)) end\n  return h\nend)\n"
         "step(zeros{4, 10}, zeros{10, 10})\n";
}
/// Never ends, inside C.
inline const QByteArray kBacktracking = "local found = ('a'):rep(100000):find(('.-'):rep(50) .. 'b')\n";
/// Runs for minutes in generated code.
inline const QByteArray kLongCall = "local m = iota({4000, 4000}, 's64')\nprint('large')\nm:dot(m)\n";

/// Reads what the command writes to standard error until `marker` is there.
inline bool waitForErrors(QProcess &process, const QByteArray &marker, QByteArray &errors) {
  QElapsedTimer timer;
  timer.start();
  process.setReadChannel(QProcess::StandardError);
  while (!errors.contains(marker) && timer.elapsed() < 90'000 && process.state() != QProcess::NotRunning) {
    process.waitForReadyRead(100);
    errors += process.readAllStandardError();
  }
  return errors.contains(marker);
}

/// Sends a signal to the command's own process.
inline bool sendSignal(const QProcess &process, int signal) { return ::kill(static_cast<pid_t>(process.processId()), signal) == 0; }

/// A process with all of its threads.
inline bool isAlive(pid_t process) {
  QFile status(QString("/proc/%1/status").arg(process));
  // One that nobody has waited for yet is over all the same.
  return status.open(QIODevice::ReadOnly) && !status.readAll().contains("State:\tZ");
}

/// Somebody else who writes to a session's file, so that nobody can write to it.
class HeldSession {
public:
  explicit HeldSession(const QString &path) {
    m_isHeld = sqlite3_open(path.toUtf8().constData(), &m_database) == SQLITE_OK &&
               sqlite3_busy_timeout(m_database, 2000) == SQLITE_OK &&
               sqlite3_exec(m_database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  ~HeldSession() { sqlite3_close(m_database); }
  HeldSession(const HeldSession &) = delete;
  HeldSession &operator=(const HeldSession &) = delete;
  [[nodiscard]] bool isHeld() const { return m_isHeld; }

private:
  sqlite3 *m_database = nullptr;
  bool m_isHeld = false;
};

/// The session of `kBefore` and more says that it was interrupted, and why; it holds what came before, and no file is left behind.
inline void verifyInterruptedSession(const CliRunner &runner, const QString &reason) {
  QCOMPARE(runner.status(), "interrupted");
  JS_VERIFY_CONTAINS(runner.recordedError(), reason);
  QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
  QCOMPARE(runner.files(), (QStringList{"s.jitscope", "script.lua"}));
  QCOMPARE(runner.temporaryFiles(), QStringList());
}

} // namespace jitscope::test
