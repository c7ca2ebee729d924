// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTest>

#include <functional>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

/// Sessions as files: what happens to them from outside.
namespace jitscope::test {

inline void writeFile(const QString &path, const QByteArray &content) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(content), content.size());
}

inline QByteArray readFile(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void executeSql(const QString &path, const char *sql) {
  sqlite3 *database = nullptr;
  QCOMPARE(sqlite3_open(path.toUtf8().constData(), &database), SQLITE_OK);
  QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

/// The exit status of a child process that runs `body`; -1 where it did not exit.
inline int statusOfChild(const std::function<int()> &body) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace jitscope::test
