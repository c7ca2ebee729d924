// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include "record/batch_writer.h"
#include "session/session_reader.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <linux/capability.h>

/// The real command in a folder of its own, as a user at a shell has it.
namespace jitscope::test {

/// How a command ended and what it said.
struct CommandOutcome {
  int exitStatus = -1; ///< minus the signal's number where a signal ended it; -1000: it hung
  QByteArray output;
  QByteArray errors;

  /// For failing checks.
  [[nodiscard]] QByteArray description() const {
    return "exit status " + QByteArray::number(exitStatus) + "\nstdout: " + output + "\nstderr: " + errors;
  }
  /// What a script printed by `report("name", value)`: see `kReportingPrelude`.
  [[nodiscard]] QString reported(const QString &name) const {
    const QStringList lines = QString::fromUtf8(output + '\n' + errors).split('\n');
    const QString head = "@" + name + "|";
    for (const QString &line : lines) {
      if (line.startsWith(head)) {
        return line.mid(head.size());
      }
    }
    return "(nothing was reported as " + name + ")";
  }
};

/// For scripts: `report(name, value...)` prints a line that `CommandOutcome::reported` finds, `attempt(name, f, ...)` reports what
/// f gives or the message of its error. One line, so that the lines after it begin with 2.
inline constexpr auto kReportingPrelude =
    "function report(n, ...) local t = table.pack(...) for i = 1, t.n do t[i] = tostring(t[i]) end print('@' .. n .. '|' .. "
    "table.concat(t, ' ')) end function attempt(n, f, ...) local r = table.pack(pcall(f, ...)) if r[1] then report(n, 'gave', "
    "table.unpack(r, 2, r.n)) else report(n, r[2]) end end\n";

/// What a child is put under before it becomes the command.
struct ChildConditions {
  bool withoutRootsRights = false; ///< permissions of files hold for root, too
  std::uint64_t maxFileBytes = 0;  ///< 0: no bound
  bool ignoresHangUp = false;      ///< as nohup has it
  std::uint64_t maxCpuSeconds = 0; ///< of each process, which dies then; 0: no bound
  bool closesOutput = false;       ///< starts with a closed standard output
  QString outputFile = {};         ///< where standard output goes instead; what is written is then not in the outcome
  QStringList environment = {};    ///< NAME=VALUE
};

class CliRunner {
public:
  CliRunner() {
    QDir(m_folder.path()).mkdir("cache");
    QDir(m_folder.path()).mkdir("tmp");
  }

  [[nodiscard]] QString folder() const { return m_folder.path(); }
  [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
  [[nodiscard]] QString sessionPath() const { return path("s.jitscope"); }
  /// Everything in the folder but what this class puts there; sorted.
  [[nodiscard]] QStringList files() const {
    QStringList names = QDir(folder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    names.removeOne("cache");
    names.removeOne("tmp");
    return names;
  }
  /// What is left of temporary files, by their bytes' order.
  [[nodiscard]] QStringList temporaryFiles() const {
    QStringList names = QDir(path("tmp")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    names.sort();
    return names;
  }

  void write(const QString &name, const QByteArray &content) const {
    QFile file(path(name));
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(name));
    QCOMPARE(file.write(content), content.size());
  }
  [[nodiscard]] QByteArray read(const QString &name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  /// Starts the command in the folder.
  [[nodiscard]] std::unique_ptr<QProcess> start(const QStringList &arguments, const ChildConditions &conditions = {}) const {
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CACHE_HOME", path("cache"));
    environment.insert("TMPDIR", path("tmp"));
    for (const QString &setting : conditions.environment) {
      environment.insert(setting.section('=', 0, 0), setting.section('=', 1));
    }
    process->setProcessEnvironment(environment);
    process->setWorkingDirectory(folder());
    if (!conditions.outputFile.isEmpty()) {
      process->setStandardOutputFile(conditions.outputFile, QIODevice::Append);
    }
    process->setChildProcessModifier([conditions] { prepareChild(conditions); });
    process->start(JITSCOPE_COMMAND, arguments);
    return process;
  }
  /// Waits for its end.
  [[nodiscard]] static CommandOutcome end(QProcess &process, QByteArray output = {}, int timeoutMs = 120'000) {
    CommandOutcome outcome;
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(timeoutMs)) {
      process.kill();
      process.waitForFinished();
      outcome.exitStatus = -1000;
    } else {
      // QProcess gives a signal's number as the exit code.
      outcome.exitStatus = process.exitStatus() == QProcess::CrashExit ? -process.exitCode() : process.exitCode();
    }
    outcome.output = output + process.readAllStandardOutput();
    outcome.errors = process.readAllStandardError();
    return outcome;
  }
  [[nodiscard]] CommandOutcome run(const QStringList &arguments, const ChildConditions &conditions = {}) const {
    return end(*start(arguments, conditions));
  }
  /// `jitscope run script.lua -o s.jitscope …` with this text as script.lua.
  [[nodiscard]] CommandOutcome runScript(const QByteArray &code, const QStringList &arguments = {},
                                         const ChildConditions &conditions = {}) const {
    write("script.lua", code);
    return run(QStringList{"run", "script.lua", "-o", "s.jitscope"} + arguments, conditions);
  }
  /// Starts it and waits until the script has printed `marker`; gives what was printed so far in `output`.
  [[nodiscard]] std::unique_ptr<QProcess> startScript(const QByteArray &code, const QByteArray &marker, QByteArray &output,
                                                      const QStringList &arguments = {},
                                                      const ChildConditions &conditions = {}) const {
    write("script.lua", code);
    auto process = start(QStringList{"run", "script.lua", "-o", "s.jitscope"} + arguments, conditions);
    QElapsedTimer timer;
    timer.start();
    output.clear();
    while (!output.contains(marker) && timer.elapsed() < 20'000 && process->state() != QProcess::NotRunning) {
      process->waitForReadyRead(200);
      output += process->readAllStandardOutput();
    }
    return process;
  }

  /// The process of the cold leg that a run measures, once there is one; 0 where none comes.
  [[nodiscard]] static pid_t coldLegOf(const QProcess &run) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 15'000) {
      const QString tasks = QString("/proc/%1/task").arg(run.processId());
      for (const QString &task : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile children(tasks + "/" + task + "/children");
        if (!children.open(QIODevice::ReadOnly)) {
          continue;
        }
        const QByteArray first = children.readAll().split(' ').first();
        QFile commandLine("/proc/" + QString(first) + "/cmdline");
        // Not before it is the command: until then it shares the parent's memory.
        if (!first.isEmpty() && commandLine.open(QIODevice::ReadOnly) && commandLine.readAll().contains("--cold-leg")) {
          return static_cast<pid_t>(first.toLongLong());
        }
      }
      QTest::qSleep(5);
    }
    return 0;
  }

  /// A row of the session as "a|b|c"; a text about the failure if there is none.
  [[nodiscard]] static QString query(const QString &session, const char *sql) {
    sqlite3 *database = nullptr;
    if (sqlite3_open_v2(session.toUtf8().constData(), &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
      sqlite3_close(database);
      return "cannot be opened";
    }
    sqlite3_stmt *statement = nullptr;
    QString row;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK) {
      row = sqlite3_errmsg(database);
    } else if (sqlite3_step(statement) == SQLITE_ROW) {
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
        row += (column == 0 ? "" : "|") + QString::fromUtf8(text != nullptr ? text : "NULL");
      }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return row;
  }
  [[nodiscard]] QString query(const char *sql) const { return query(sessionPath(), sql); }
  /// The session's status once it was opened as every reader opens it; or why it cannot be.
  [[nodiscard]] static QString status(const QString &session) {
    const auto reader = session::SessionReader::open(session.toStdString());
    return reader ? QString::fromStdString(std::string(record::nameOf((*reader)->session().status)))
                  : QString::fromStdString(reader.error().message);
  }
  [[nodiscard]] QString status() const { return status(sessionPath()); }
  [[nodiscard]] QString recordedError() const {
    const auto reader = session::SessionReader::open(sessionPath().toStdString());
    return reader ? QString::fromStdString((*reader)->session().error) : QString::fromStdString(reader.error().message);
  }

private:
  /// In the child, between fork and exec: system calls only.
  static void prepareChild(const ChildConditions &conditions) {
    // A test that is run in the background of a shell has Ctrl-C ignored, and would pass that on.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGHUP, conditions.ignoresHangUp ? SIG_IGN : SIG_DFL);
    std::signal(SIGPIPE, SIG_DFL);
    if (conditions.withoutRootsRights) {
      // What is not in the bounding set is gone after exec, even for root. Who is not root needs none of it.
      ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
      ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    }
    if (conditions.maxFileBytes > 0) {
      const rlimit limit{conditions.maxFileBytes, conditions.maxFileBytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (conditions.maxCpuSeconds > 0) {
      const rlimit limit{conditions.maxCpuSeconds, conditions.maxCpuSeconds + 1};
      ::setrlimit(RLIMIT_CPU, &limit);
    }
    if (conditions.closesOutput) {
      ::close(STDOUT_FILENO);
    }
  }

  QTemporaryDir m_folder;
};

} // namespace jitscope::test

/// Ends the test function unless the outcome has this exit status.
#define JS_COMPARE_STATUS(outcome, expectedStatus)                                                                                 \
  do {                                                                                                                             \
    const auto &jsOutcome = (outcome);                                                                                             \
    QVERIFY2(jsOutcome.exitStatus == (expectedStatus), jsOutcome.description().constData());                                       \
  } while (false)
/// Ends the test function unless `text` contains `part`.
#define JS_VERIFY_CONTAINS(text, part)                                                                                             \
  do {                                                                                                                             \
    const QString jsText(text);                                                                                                    \
    QVERIFY2(jsText.contains(part), qPrintable("\"" + QString(part) + "\" is missing in:\n" + jsText));                            \
  } while (false)
