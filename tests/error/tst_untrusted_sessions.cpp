// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "session/file/schema.h"
#include "support/cli_runner.h"
#include "support/sessions/hostile_sessions.h"

#include <array>

#include <sys/stat.h>

using namespace jitscope::test;

namespace {

/// Every command that opens a session, with x.jitscope as one of them. Each says why it does not, and ends with status 2.
const std::vector<QStringList> &commands() {
  static const std::vector<QStringList> lines{
      {"report", "x.jitscope", "-f", "text"},
      {"report", "x.jitscope", "-f", "json"},
      {"report", "x.jitscope", "-f", "markdown"},
      {"report", "x.jitscope", "-f", "csv"},
      {"report", "x.jitscope", "-f", "html", "-o", "out"},
      {"report", "x.jitscope", "-f", "pdf", "-o", "out"},
      {"compare", "x.jitscope", "good.jitscope"},
      {"compare", "good.jitscope", "x.jitscope", "-f", "json"},
      {"merge", "good.jitscope", "x.jitscope", "-o", "out"},
      {"diff", "x.jitscope", "--function", "Matmul.dot"},
      {"export", "x.jitscope", "-f", "chrome-trace", "-o", "out"},
      {"export", "x.jitscope", "-f", "csv", "-o", "out"},
      {"batch", "script.lua", "--baseline", "x.jitscope", "-o", "out"},
  };
  return lines;
}

} // namespace

class TestUntrustedSessions : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    writeFullSession(m_runner.path("good.jitscope"));
    m_good = m_runner.read("good.jitscope");
    m_runner.write("script.lua", "local f = fn('f', function(x) return x + 1 end) f(iota{2})");
  }
  void init() { m_runner.write("x.jitscope", m_good); }

  void everyCommandReadsASoundSession() {
    for (const QStringList &line : commands()) {
      if (line.contains("pdf") || line.first() == "merge") {
        continue; // needs the program that draws; the two are one session
      }
      const CommandOutcome outcome = m_runner.run(line);
      QVERIFY2(outcome.exitStatus == 0 || outcome.exitStatus == 3, outcome.description());
      QDir(m_runner.path("out")).removeRecursively();
      QFile::remove(m_runner.path("out"));
    }
  }

  void noCommandReadsWhatIsWrong_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const HostileChange &change : hostileChanges()) {
      QTest::newRow(change.name) << index++;
    }
  }
  void noCommandReadsWhatIsWrong() {
    QFETCH(int, index);
    const HostileChange &change = hostileChanges()[static_cast<std::size_t>(index)];
    executeSql(m_runner.path("x.jitscope"), change.sql);
    const QByteArray before = m_runner.read("x.jitscope");
    const QStringList files = m_runner.files();
    const QStringList temporary = m_runner.temporaryFiles(); // what drawing the sound one has left
    // One change in ten meets every command, each other one three of them in turn.
    const std::size_t count = commands().size();
    const std::size_t tried = index % 10 == 0 ? count : 3;
    for (std::size_t i = 0; i < tried; ++i) {
      const QStringList &line = commands()[(static_cast<std::size_t>(index) * 3 + i) % count];
      const CommandOutcome outcome = m_runner.run(line);
      QVERIFY2(outcome.exitStatus == 2, (line.join(' ').toUtf8() + "\n" + outcome.description()).constData());
      JS_VERIFY_CONTAINS(outcome.errors, "x.jitscope");
      JS_VERIFY_CONTAINS(outcome.errors, change.message);
      QVERIFY2(!outcome.errors.contains('\x1b'), outcome.description());
      QCOMPARE(outcome.output, QByteArray());
      // Nothing is written, and nothing of the file changed.
      QCOMPARE(m_runner.files(), files);
      QCOMPARE(m_runner.read("x.jitscope"), before);
    }
    QCOMPARE(m_runner.temporaryFiles(), temporary);
  }

  void aRunDoesNotReplaceIt() {
    executeSql(m_runner.path("x.jitscope"), hostileChanges()[0].sql);
    const QByteArray before = m_runner.read("x.jitscope");
    const CommandOutcome outcome = m_runner.run({"run", "script.lua", "-o", "x.jitscope"});
    JS_COMPARE_STATUS(outcome, 2);
    QCOMPARE(m_runner.read("x.jitscope"), before);
  }

  void aPipeBesideASessionIsNotWaitedFor() {
    QCOMPARE(mkfifo(m_runner.path("x.jitscope-wal").toUtf8().constData(), 0600), 0);
    for (const QStringList &line : commands()) {
      const CommandOutcome outcome = m_runner.run(line);
      QVERIFY2(outcome.exitStatus == 2, (line.join(' ').toUtf8() + "\n" + outcome.description()).constData());
      JS_VERIFY_CONTAINS(outcome.errors, "x.jitscope-wal\" beside it is not a regular file; remove it");
    }
    QVERIFY(QFile::remove(m_runner.path("x.jitscope-wal")));
  }

  void anOlderFormatIsSaidToBe() {
    executeSql(m_runner.path("x.jitscope"), "PRAGMA user_version = 3");
    for (const QStringList &line : commands()) {
      const CommandOutcome outcome = m_runner.run(line);
      QVERIFY2(outcome.exitStatus == 2, (line.join(' ').toUtf8() + "\n" + outcome.description()).constData());
      JS_VERIFY_CONTAINS(outcome.errors,
                         QString("it was written by an older Jitscope (session format 3, this version reads %1); record it again")
                             .arg(jitscope::session::kSchemaVersion));
    }
  }

private:
  CliRunner m_runner;
  QByteArray m_good;
};

QTEST_GUILESS_MAIN(TestUntrustedSessions)
#include "tst_untrusted_sessions.moc"
