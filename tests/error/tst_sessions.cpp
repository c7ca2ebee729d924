// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "session/file/schema.h"
#include "support/cli_runner.h"

using namespace jitscope;
using namespace jitscope::test;

/// `jitscope report` of files that are no sessions, or were.
class TestSessions : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    JS_COMPARE_STATUS(m_runner.runScript("local f = fn('f', function(x) return x + 1 end) f(iota{2})"), 0);
    m_good = m_runner.read("s.jitscope");
    QVERIFY(m_good.size() > 8192);
  }

  void filesThatAreNoSessionsAreNamedForWhatTheyAre_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "missing" << "it does not exist";
    QTest::newRow("empty") << "empty" << "the file is empty";
    QTest::newRow("text") << "text" << "it is not a Jitscope session";
    QTest::newRow("script") << "script" << "it is not a Jitscope session";
    QTest::newRow("folder") << "folder" << "it is a folder; name a session file (*.jitscope) in it";
    QTest::newRow("device") << "device" << "it is not a regular file";
    QTest::newRow("foreign database") << "foreign" << "it is an SQLite database of another program, not a Jitscope session";
    QTest::newRow("newer")
        << "newer"
        << QString("it was written by a newer Jitscope (session format 1000, this version reads up to %1); upgrade Jitscope")
               .arg(session::kSchemaVersion);
    QTest::newRow("truncated") << "half" << "the file is damaged (cut short: ";
    QTest::newRow("truncated to its header") << "header" << "the file is damaged (it ends within its header)";
    QTest::newRow("overwritten in the middle") << "holes" << "the file is damaged (";
    QTest::newRow("no permission") << "secret" << "no permission to read it";
  }
  void filesThatAreNoSessionsAreNamedForWhatTheyAre() {
    QFETCH(QString, kind);
    QFETCH(QString, message);
    const CliRunner runner;
    make(runner, kind);
    const QString name = kind == "device" ? "/dev/null" : "x.jitscope";
    const QStringList files = runner.files();
    const QByteArray before = runner.read("x.jitscope");
    for (const char *format : {"text", "json"}) {
      const CommandOutcome outcome = runner.run({"report", name, "--format", format}, {.withoutRootsRights = true});
      JS_COMPARE_STATUS(outcome, 2);
      QVERIFY2(
          QString::fromUtf8(outcome.errors).startsWith(QString("jitscope: cannot open the session \"%1\": ").arg(name) + message),
          outcome.description());
      QCOMPARE(outcome.errors.count('\n'), 1);
      QCOMPARE(outcome.output, QByteArray());
    }
    // Looking at a file does not change it.
    QCOMPARE(runner.read("x.jitscope"), before);
    QCOMPARE(runner.files(), files);
  }

  void whatCannotBeSelectedIsRefused_data() {
    QTest::addColumn<QStringList>("only");
    QTest::addColumn<QString>("message");
    QTest::newRow("no condition") << QStringList{"f"} << "\"f\" is not a condition; give KEY=VALUE, where KEY is one of section, ";
    QTest::newRow("no such name") << QStringList{"function=g"} << "no function is called \"g\"; there is \"f:1\", \"iota\"";
    QTest::newRow("no time") << QStringList{"to=later"} << "to=later: that is not a time; give a time since the session began";
    QTest::newRow("twice") << QStringList{"outcome=hit", "outcome=miss"}
                           << "\"outcome=miss\": there is already a condition on outcome";
  }
  void whatCannotBeSelectedIsRefused() {
    QFETCH(QStringList, only);
    QFETCH(QString, message);
    for (const char *format : {"text", "html"}) {
      QStringList arguments{"report", "s.jitscope", "--format", format, "-o", "report.out"};
      for (const QString &condition : only) {
        arguments << "--only" << condition;
      }
      const CommandOutcome outcome = m_runner.run(arguments);
      JS_COMPARE_STATUS(outcome, 2);
      JS_VERIFY_CONTAINS(outcome.errors, message.toUtf8().constData());
      QVERIFY(!m_runner.files().contains("report.out"));
    }
  }

  void noReportIsLeftOfAFileThatIsNoSession() {
    const CliRunner runner;
    make(runner, "text");
    JS_COMPARE_STATUS(runner.run({"report", "x.jitscope", "-o", "report.txt"}), 2);
    QCOMPARE(runner.files(), QStringList{"x.jitscope"});
  }

  void aSessionThatIsReadOnlyIsReadAllTheSame() {
    const CliRunner runner;
    runner.write("x.jitscope", m_good);
    QVERIFY(QFile::setPermissions(runner.path("x.jitscope"), QFileDevice::ReadOwner));
    const CommandOutcome outcome = runner.run({"report", "x.jitscope"}, {.withoutRootsRights = true});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "Calls by outcome");
  }

  void aSessionIsFoundByAnyName() {
    const CliRunner runner;
    runner.write("Größe von heute.db", m_good);
    JS_COMPARE_STATUS(runner.run({"report", "Größe von heute.db"}), 0);
    JS_COMPARE_STATUS(runner.run({"report", "./Größe von heute.db", "--format", "json"}), 0);
  }

private:
  void make(const CliRunner &runner, const QString &kind) const {
    const QString path = runner.path("x.jitscope");
    if (kind == "empty") {
      runner.write("x.jitscope", "");
    } else if (kind == "text") {
      runner.write("x.jitscope", QByteArray(5000, 'x'));
    } else if (kind == "script") {
      runner.write("x.jitscope", "print(1)\n");
    } else if (kind == "folder") {
      QVERIFY(QDir(runner.folder()).mkdir("x.jitscope"));
    } else if (kind == "foreign") {
      execute(path, "CREATE TABLE session(id); INSERT INTO session VALUES(1)");
    } else if (kind == "newer") {
      runner.write("x.jitscope", m_good);
      execute(path, "PRAGMA user_version = 1000");
    } else if (kind == "half") {
      runner.write("x.jitscope", m_good.left(m_good.size() / 2));
    } else if (kind == "header") {
      runner.write("x.jitscope", m_good.left(60));
    } else if (kind == "holes") {
      QByteArray damaged = m_good;
      damaged.replace(4096, damaged.size() - 8192, QByteArray(damaged.size() - 8192, '\x5a'));
      runner.write("x.jitscope", damaged);
    } else if (kind == "secret") {
      runner.write("x.jitscope", m_good);
      QVERIFY(QFile::setPermissions(path, QFileDevice::WriteOwner));
    }
  }

  static void execute(const QString &path, const char *sql) {
    sqlite3 *database = nullptr;
    QCOMPARE(sqlite3_open(path.toUtf8().constData(), &database), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  CliRunner m_runner;
  QByteArray m_good;
};

QTEST_GUILESS_MAIN(TestSessions)
#include "tst_sessions.moc"
