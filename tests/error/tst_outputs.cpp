// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/sanitizers.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace jitscope::test;

namespace {

constexpr auto kGoodScript = "local f = fn('f', function(x) return x + 1 end) print(f(iota{2}))";
/// Records until something stops it; far too long otherwise.
constexpr auto kManyCalls = "local f = fn('f', function(x) return x + 1 end) local x = iota{2} print('begin') "
                            "for i = 1, 30000000 do f(x) end";

} // namespace

/// Places where nothing can be written, and things that are there already: nothing is lost.
class TestOutputs : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void placesWhereNoSessionCanBeMade_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("message");
    QTest::newRow("kernel's folder") << "/proc/s.jitscope"
                                     << "cannot create the session \"/proc/s.jitscope\": nothing can be written in \"/proc\"";
    QTest::newRow("missing folder")
        << "no/s.jitscope"
        << "cannot create the session \"no/s.jitscope\": the folder \"no\" does not exist; create it or choose "
           "another place";
    QTest::newRow("a file as folder") << "script.lua/s.jitscope"
                                      << "cannot create the session \"script.lua/s.jitscope\": \"script.lua\" is not a folder";
    QTest::newRow("a folder's name with slash")
        << "folder/" << "cannot create the session \"folder/\": that names a folder; add a file name, such as run.jitscope";
    QTest::newRow("a folder") << "folder" << "cannot create the session \"folder\": a folder has that name; choose another name";
    QTest::newRow("read-only folder")
        << "closed/s.jitscope"
        << "cannot create the session \"closed/s.jitscope\": no permission to write in the folder \"closed\"; choose another place";
    QTest::newRow("device") << "/dev/full" << "cannot create the session \"/dev/full\": ";
    QTest::newRow("long name") << QString(300, 'x') << "the name is too long; choose a shorter one";
  }
  void placesWhereNoSessionCanBeMade() {
    QFETCH(QString, place);
    QFETCH(QString, message);
    const CliRunner runner;
    runner.write("script.lua", kGoodScript);
    QVERIFY(QDir(runner.folder()).mkdir("folder"));
    QVERIFY(QDir(runner.folder()).mkdir("closed"));
    QVERIFY(QFile::setPermissions(runner.path("closed"), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const QStringList before = runner.files();
    for (const bool overwrites : {false, true}) {
      QStringList arguments{"run", "script.lua", "-o", place};
      arguments += overwrites ? QStringList{"--overwrite"} : QStringList();
      const CommandOutcome outcome = runner.run(arguments, {.withoutRootsRights = true});
      JS_COMPARE_STATUS(outcome, 2);
      QVERIFY2(outcome.errors.startsWith("jitscope: "), outcome.description());
      JS_VERIFY_CONTAINS(outcome.errors, message);
      QCOMPARE(outcome.output, QByteArray()); // the script did not begin
      QCOMPARE(runner.files(), before);
    }
    struct stat status{};
    QVERIFY(::stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
  }

  void aWorkingFolderWithoutPermissionIsNamed() {
    const CliRunner runner;
    runner.write("script.lua", kGoodScript);
    QVERIFY(QFile::setPermissions(runner.folder(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const CommandOutcome outcome = runner.run({"run", "script.lua"}, {.withoutRootsRights = true});
    QVERIFY(QFile::setPermissions(runner.folder(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner));
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "no permission to write in the folder");
    QCOMPARE(outcome.output, QByteArray());
  }

  void whatIsThereIsNotReplaced_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("overwrites");
    QTest::addColumn<QString>("message");
    const QString noSession = "cannot create the session \"s.jitscope\": a file with that name exists and is not a Jitscope "
                              "session, so it is not replaced; choose another name";
    QTest::newRow("text") << QByteArray("my notes") << false << "cannot create the session \"s.jitscope\": it exists already; ";
    QTest::newRow("text, overwriting") << QByteArray("my notes") << true << noSession;
    QTest::newRow("nothing, overwriting") << QByteArray() << true << noSession;
    QTest::newRow("database, overwriting") << QByteArray("SQLite format 3\0 and more", 24) + QByteArray(200, '\0') << true
                                           << noSession;
  }
  void whatIsThereIsNotReplaced() {
    QFETCH(QByteArray, content);
    QFETCH(bool, overwrites);
    QFETCH(QString, message);
    const CliRunner runner;
    runner.write("s.jitscope", content);
    const CommandOutcome outcome = runner.runScript(kGoodScript, overwrites ? QStringList{"--overwrite"} : QStringList());
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: " + message);
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(runner.read("s.jitscope"), content);
    QCOMPARE(runner.files(), (QStringList{"s.jitscope", "script.lua"}));
  }

  void theScriptIsNotReplacedByItsSession() {
    const CliRunner runner;
    runner.write("script.lua", kGoodScript);
    for (const QStringList &more : {QStringList(), QStringList{"--overwrite"}}) {
      const CommandOutcome outcome = runner.run(QStringList{"run", "script.lua", "-o", "script.lua"} + more);
      JS_COMPARE_STATUS(outcome, 2);
      QCOMPARE(runner.read("script.lua"), QByteArray(kGoodScript));
    }
  }

  void aSessionIsReplacedOnlyWhenAskedTo() {
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    const QString first = runner.query("SELECT uuid FROM session");
    const CommandOutcome refused = runner.runScript(kGoodScript);
    JS_COMPARE_STATUS(refused, 2);
    JS_VERIFY_CONTAINS(refused.errors, "it exists already");
    JS_VERIFY_CONTAINS(refused.errors, "--overwrite");
    QCOMPARE(runner.query("SELECT uuid FROM session"), first);
    JS_COMPARE_STATUS(runner.runScript(kGoodScript, {"--overwrite"}), 0);
    QVERIFY(runner.query("SELECT uuid FROM session") != first);
    QCOMPARE(runner.status(), "finished");
  }

  void aScriptThatCannotBeReadReplacesNothing() {
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    const QByteArray before = runner.read("s.jitscope");
    JS_COMPARE_STATUS(runner.runScript("", {"--overwrite"}), 2);
    JS_COMPARE_STATUS(runner.runScript(kGoodScript, {"--overwrite", "--set", "opt=9"}), 2);
    JS_COMPARE_STATUS(runner.runScript(kGoodScript, {"--overwrite", "--pipeline", "fast"}), 2);
    QCOMPARE(runner.read("s.jitscope"), before);
  }

  void namesAreFoundWhenNoneIsGiven() {
    const CliRunner runner;
    runner.write("script.lua", "local x = 1");
    for (int i = 0; i < 3; ++i) {
      JS_COMPARE_STATUS(runner.run({"run", "script.lua"}), 0);
    }
    QCOMPARE(runner.files().filter(QRegularExpression("^script-\\d{8}-\\d{6}(-\\d)?\\.jitscope$")).size(), 3);
  }

  // ---- disks that fill up

  void aFileThatMayNotGrowEndsTheRunAndKeepsTheSession() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kManyCalls, {}, {.maxFileBytes = 2 << 20});
    JS_COMPARE_STATUS(outcome, 2);
    verifyFullDisk(outcome, runner.status(), runner.query("SELECT count(*) > 1000 FROM call"));
  }

  void aFullDiskEndsTheRunAndKeepsTheSession() {
    const CliRunner runner;
    const QByteArray disk = runner.path("disk").toUtf8();
    QVERIFY(QDir(runner.folder()).mkdir("disk"));
    if (::mount("none", disk.constData(), "tmpfs", 0, "size=2m") != 0) {
      QSKIP("only root may mount a small disk; aFileThatMayNotGrow... takes its place");
    }
    runner.write("script.lua", kManyCalls);
    const CommandOutcome outcome = runner.run({"run", "script.lua", "-o", "disk/s.jitscope"});
    // Opened where it is: that must go on a full disk, too.
    const QString status = CliRunner::status(runner.path("disk/s.jitscope"));
    const QString calls = CliRunner::query(runner.path("disk/s.jitscope"), "SELECT count(*) > 1000 FROM call");
    ::umount2(disk.constData(), MNT_DETACH);
    JS_COMPARE_STATUS(outcome, 2);
    verifyFullDisk(outcome, status, calls);
  }

  void aDiskThatIsFullFromTheStartIsSaidToBeSo() {
    if (kHasThreadSanitizer) {
      QSKIP("ThreadSanitizer maps a temporary file of its own at start, for which there is no room either");
    }
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kGoodScript, {}, {.maxFileBytes = 4096});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: cannot create the session \"s.jitscope\": ");
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(runner.files(), QStringList{"script.lua"});
  }

  // ---- standard output

  void aReaderThatHasSeenEnoughIsNoFailure() {
    const CliRunner runner;
    runner.write("script.lua", "for i = 1, 20000 do print('line', i) end local x = iota{2} + 1");
    QProcess shell;
    shell.setWorkingDirectory(runner.folder());
    shell.start(
        "bash",
        {"-c", QString("set -o pipefail; '%1' run script.lua -o s.jitscope | head -1; echo status $?").arg(JITSCOPE_COMMAND)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.readAllStandardOutput(), QByteArray("line\t1\nstatus 0\n"));
    QCOMPARE(runner.status(), "finished");
    QCOMPARE(runner.query("SELECT count(*) FROM call"), "2");
  }

  void aFullStandardOutputIsReportedAndTheSessionIsWhole() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kGoodScript, {}, {.outputFile = "/dev/full"});
    JS_COMPARE_STATUS(outcome, 2);
    QCOMPARE(QString::fromUtf8(outcome.errors),
             "jitscope: standard output cannot be written: No space left on device\nSession: s.jitscope\n");
    QCOMPARE(runner.status(), "finished");
  }

  void nobodyHasToListenToMessages_data() {
    QTest::addColumn<QString>("standardError");
    QTest::newRow("closed") << "2>&-";
    QTest::newRow("full") << "2>/dev/full";
    QTest::newRow("a pipe that nobody reads") << "2> >(true)";
  }
  void nobodyHasToListenToMessages() {
    QFETCH(QString, standardError);
    const CliRunner runner;
    runner.write("good.lua", kGoodScript);
    runner.write("bad.lua", "error('bad')");
    const auto statusOf = [&](const QString &command) {
      QProcess process;
      process.setWorkingDirectory(runner.folder());
      process.start("bash", {"-c", QString("sleep 0.1; '%1' %2 %3").arg(JITSCOPE_COMMAND, command, standardError)});
      return CliRunner::end(process).exitStatus;
    };
    QCOMPARE(statusOf("run good.lua -o good.jitscope --progress always"), 0);
    QCOMPARE(statusOf("run bad.lua -o bad.jitscope"), 1);
    QCOMPARE(statusOf("report no.jitscope"), 2);
    QCOMPARE(statusOf("nonsense"), 2);
    QCOMPARE(statusOf("batch good.lua -o results"), 0);
    JS_COMPARE_STATUS(runner.run({"report", "good.jitscope"}), 0);
  }

  void aClosedStandardOutputHarmsNoFile() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("for i = 1, 1000 do print('a line that must not land in any file') end\n"
                                                    "local f = fn('f', function(x) return x + 1 end) f(iota{2})",
                                                    {"--set", "disk_cache=true"}, {.closesOutput = true});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "standard output cannot be written");
    QCOMPARE(runner.status(), "finished");
    QCOMPARE(runner.query("SELECT count(*) FROM call"), "2");
    const CommandOutcome report = runner.run({"report", "s.jitscope"});
    JS_COMPARE_STATUS(report, 0);
  }

  // ---- report -o

  void reportsThatCannotBeWritten_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("message");
    QTest::newRow("kernel's folder") << "/proc/r.txt" << "/proc/r.txt cannot be written: ";
    QTest::newRow("missing folder") << "no/r.txt" << "no/r.txt cannot be written: the folder no does not exist";
    QTest::newRow("folder") << "folder" << "folder cannot be written: it is a folder; add a file name";
    QTest::newRow("read-only folder") << "closed/r.txt" << "closed/r.txt cannot be written: Permission denied";
    QTest::newRow("full device") << "/dev/full" << "/dev/full cannot be written: No space left on device";
    QTest::newRow("the session itself")
        << "s.jitscope"
        << "s.jitscope cannot be written: it is a session or another database, which a report does not "
           "replace";
  }
  void reportsThatCannotBeWritten() {
    QFETCH(QString, place);
    QFETCH(QString, message);
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    QVERIFY(QDir(runner.folder()).mkdir("folder"));
    QVERIFY(QDir(runner.folder()).mkdir("closed"));
    QVERIFY(QFile::setPermissions(runner.path("closed"), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const QStringList before = runner.files();
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "-o", place}, {.withoutRootsRights = true});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: " + message);
    QCOMPARE(runner.files(), before);
    QCOMPARE(runner.status(), "finished");
    struct stat status{};
    QVERIFY(::stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
  }

  void aReportThatDoesNotFitLeavesTheOldOne() {
    if (kHasThreadSanitizer) {
      QSKIP("ThreadSanitizer maps a temporary file of its own at start, for which there is no room either");
    }
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    runner.write("r.json", "old");
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "--format", "json", "-o", "r.json"}, {.maxFileBytes = 512});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "r.json cannot be written: File too large");
    QCOMPARE(runner.read("r.json"), QByteArray("old"));
    QCOMPARE(runner.files(), (QStringList{"r.json", "s.jitscope", "script.lua"}));
  }

  void aReportReplacesAnOldOneAndKeepsLinks() {
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    runner.write("r.json", "old");
    QVERIFY(QFile::link("r.json", runner.path("latest.json")));
    JS_COMPARE_STATUS(runner.run({"report", "s.jitscope", "--format", "json", "-o", "latest.json"}), 0);
    QVERIFY(QFileInfo(runner.path("latest.json")).isSymbolicLink());
    QVERIFY(QJsonDocument::fromJson(runner.read("r.json")).isObject());
    JS_COMPARE_STATUS(runner.run({"report", "s.jitscope", "-o", "/dev/null"}), 0);
    struct stat status{};
    QVERIFY(::stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
  }

  // ---- --json

  void jsonIsOneObjectWhateverTheScriptDoes_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("sessionStatus");
    QTest::newRow("prints") << QByteArray("print('{')") << 0 << "finished";
    QTest::newRow("fails") << QByteArray("print('{') error('broken \"text\"')") << 1 << "failed";
    QTest::newRow("does not parse") << QByteArray("print('{'") << 1 << "failed";
    QTest::newRow("expects in vain") << QByteArray("print('{') expect.equal(1, 2)") << 1 << "finished";
    QTest::newRow("prints no UTF-8") << QByteArray("print('\\xff\\xfe') section '\\xff'") << 0 << "finished";
    QTest::newRow("runs endlessly") << QByteArray("print('{') while true do end") << 1 << "failed";
  }
  void jsonIsOneObjectWhateverTheScriptDoes() {
    QFETCH(QByteArray, code);
    QFETCH(int, status);
    QFETCH(QString, sessionStatus);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(code, {"--json", "--set", "trace_time_s=0.2"});
    JS_COMPARE_STATUS(outcome, status);
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(outcome.output, &error);
    QVERIFY2(error.error == QJsonParseError::NoError && document.isObject(), outcome.description());
    QCOMPARE(document["session"]["status"].toString(), sessionStatus);
    QCOMPARE(document["session"]["error"].toString().isEmpty(), sessionStatus == "finished");
    QCOMPARE(outcome.errors.contains("{\n"), code.contains("print('{') ") || code == "print('{')");
  }

  void jsonIsNothingWhereNothingRan() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.run({"run", "missing.lua", "--json"});
    JS_COMPARE_STATUS(outcome, 2);
    QCOMPARE(outcome.output, QByteArray());
  }

  // ---- colour

  void coloursAreForTerminalsWithoutNoColor_data() {
    QTest::addColumn<QString>("noColor");
    QTest::addColumn<bool>("isTerminal");
    QTest::addColumn<bool>("isColoured");
    QTest::newRow("terminal") << "" << true << true; // an empty NO_COLOR says nothing
    QTest::newRow("NO_COLOR") << "1" << true << false;
    QTest::newRow("pipe") << "" << false << false;
  }
  void coloursAreForTerminalsWithoutNoColor() {
    QFETCH(QString, noColor);
    QFETCH(bool, isTerminal);
    QFETCH(bool, isColoured);
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(kGoodScript), 0);
    const QString environment = "NO_COLOR=" + noColor;
    QByteArray output;
    if (isTerminal) {
      const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
      QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
      const int keptOpen = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
      const auto process =
          runner.start({"report", "s.jitscope"}, {.outputFile = ::ptsname(terminal), .environment = {environment}});
      QElapsedTimer timer;
      timer.start();
      while (timer.elapsed() < 15'000) {
        const bool hasEnded = process->state() == QProcess::NotRunning;
        char piece[4096];
        ssize_t count = 0;
        while ((count = ::read(terminal, piece, sizeof piece)) > 0) {
          output.append(piece, static_cast<int>(count));
        }
        if (hasEnded) {
          break;
        }
        process->waitForFinished(10);
      }
      ::close(keptOpen);
      ::close(terminal);
      JS_COMPARE_STATUS(CliRunner::end(*process), 0);
    } else {
      const CommandOutcome outcome = runner.run({"report", "s.jitscope"}, {.environment = {environment}});
      JS_COMPARE_STATUS(outcome, 0);
      output = outcome.output;
    }
    JS_VERIFY_CONTAINS(output, "Calls by outcome");
    QCOMPARE(output.contains("\x1b["), isColoured);
  }

  void progressNeverMixesWithResults() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("section 'waiting' sleep(700)", {"--progress", "always"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.errors, "waiting");
    QVERIFY(!outcome.output.contains('\r') && !outcome.output.contains("\x1b"));
    const CommandOutcome silent = runner.runScript("section 'waiting' sleep(700)", {"--overwrite", "--progress", "never"});
    QCOMPARE(QString::fromUtf8(silent.errors), "Session: s.jitscope\n");
  }

private:
  static void verifyFullDisk(const CommandOutcome &outcome, const QString &status, const QString &hasCalls) {
    JS_VERIFY_CONTAINS(outcome.errors, "cannot write the session ");
    JS_VERIFY_CONTAINS(outcome.errors, "what was recorded before is in ");
    QVERIFY2(status == "failed" || status == "interrupted", qPrintable(status));
    QCOMPARE(hasCalls, "1");
  }
};

QTEST_GUILESS_MAIN(TestOutputs)
#include "tst_outputs.moc"
