// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/result_checks.h"
#include "support/sanitizers.h"
#include "support/stopped_runs.h"

#include "base/clock.h"
#include "base/temporary_folder.h"

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace jitscope;
using namespace jitscope::test;

namespace {

constexpr auto kColdBench = "bench{warmup = 0, time = 60, legs = {'cold'}, {'c', f, x}}";

} // namespace

/// Runs that are stopped, by whom ever, keep what they have recorded.
class TestInterruption : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aSignalEndsTheRunInOrder_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("name");
    const QString ctrlC = "interrupted by Ctrl-C (SIGINT)";
    QTest::newRow("in sleep") << SIGINT << QByteArray("sleep(60000)") << ctrlC;
    QTest::newRow("in an endless loop") << SIGINT << QByteArray("while true do end") << ctrlC;
    QTest::newRow("in an endless loop that catches")
        << SIGINT << QByteArray("while true do pcall(function() while true do end end) end") << ctrlC;
    QTest::newRow("in an endless trace") << SIGINT << QByteArray("fn('g', function(y) while true do end end)(x)") << ctrlC;
    QTest::newRow("in calls") << SIGINT << QByteArray("local g = fn('g', function(y) return y + 1 end) while true do g(x) end")
                              << ctrlC;
    QTest::newRow("in a warm bench") << SIGINT << QByteArray("bench{warmup = 0, time = 60, legs = {'warm'}, {'c', f, x}}") << ctrlC;
    QTest::newRow("in the warm-up") << SIGINT << QByteArray("bench{warmup = 60, time = 1, legs = {'warm'}, {'c', f, x}}") << ctrlC;
    QTest::newRow("in a parallel bench") << SIGINT
                                         << QByteArray("bench{warmup = 0, time = 60, parallel = 3, legs = {'warm'}, {'c', f, x}}")
                                         << ctrlC;
    QTest::newRow("in a cold bench") << SIGINT << QByteArray(kColdBench) << ctrlC;
    QTest::newRow("SIGTERM") << SIGTERM << QByteArray("sleep(60000)") << "interrupted by SIGTERM";
    QTest::newRow("SIGHUP") << SIGHUP << QByteArray("sleep(60000)") << "interrupted by SIGHUP";
  }
  void aSignalEndsTheRunInOrder() {
    QFETCH(int, signal);
    QFETCH(QByteArray, code);
    QFETCH(QString, name);
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + code, "ready", output);
    QVERIFY(output.contains("ready"));
    QTest::qSleep(150);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(sendSignal(*process, signal));
    const CommandOutcome outcome = CliRunner::end(*process, output);
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(timer.elapsed() < 10'000, "it took its time to stop");
    verifyInterrupted(runner, outcome, name);
  }

  void aRunThatIsOverInTimeIsNotTouched() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kBefore, {"--timeout", "60"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(runner.status(), "finished");
  }

  void theTimeoutEndsTheRunInOrder_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("sleep") << QByteArray("sleep(60000)");
    QTest::newRow("endless loop") << QByteArray("while true do end");
    QTest::newRow("warm bench") << QByteArray("bench{warmup = 0, time = 60, legs = {'warm'}, {'c', f, x}}");
    QTest::newRow("cold bench") << QByteArray(kColdBench);
  }
  void theTimeoutEndsTheRunInOrder() {
    QFETCH(QByteArray, code);
    const CliRunner runner;
    // Slow machines may need most of it until the script is ready.
    const CommandOutcome outcome = runner.runScript(kBefore + code, {"--timeout", "1.5"});
    JS_COMPARE_STATUS(outcome, 1);
    verifyInterrupted(runner, outcome, "the time limit of 1.5 s (--timeout) was overrun by ");
  }

  void aSecondSignalEndsTheProcess() {
    if (kHasThreadSanitizer) {
      QSKIP("ThreadSanitizer holds signals back while code computes");
    }
    // Somebody else holds the file, so that the first one alone ends the process only when its time is over.
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + "sleep(60000)", "ready", output);
    QVERIFY(output.contains("ready"));
    QTRY_COMPARE(runner.query(kCallsBefore), kAllCallsBefore);
    std::optional<HeldSession> other(runner.sessionPath());
    QVERIFY(other->isHeld());
    QVERIFY(sendSignal(*process, SIGINT));
    QTest::qSleep(200);
    QVERIFY(sendSignal(*process, SIGINT));
    const CommandOutcome outcome = CliRunner::end(*process, output);
    other.reset();
    JS_COMPARE_STATUS(outcome, -SIGINT);
    QCOMPARE(runner.status(), "interrupted");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
  }

  void twoWordsForOneWishAreOne() {
    // As a terminal and a parent process pass one on.
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + "sleep(60000)", "ready", output);
    QVERIFY(output.contains("ready"));
    QVERIFY(sendSignal(*process, SIGINT));
    QVERIFY(sendSignal(*process, SIGTERM));
    const CommandOutcome outcome = CliRunner::end(*process, output);
    JS_COMPARE_STATUS(outcome, 1);
    QCOMPARE(runner.status(), "interrupted");
  }

  void nohupIsRespected() {
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + "sleep(800)", "ready", output, {}, {.ignoresHangUp = true});
    QVERIFY(output.contains("ready"));
    QVERIFY(sendSignal(*process, SIGHUP));
    JS_COMPARE_STATUS(CliRunner::end(*process, output), 0);
    QCOMPARE(runner.status(), "finished");
  }

  // ---- SIGKILL

  void aKilledRunHasAllButTheLastTenthOfASecond_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("many calls") << QByteArray("local y = iota{1} f(y) bench{warmup = 0, time = 60, legs = {'warm'}, {'c', f, y}}");
    QTest::newRow("a call now and then") << QByteArray("while true do f(x) sleep(7) end");
  }
  void aKilledRunHasAllButTheLastTenthOfASecond() {
    QFETCH(QByteArray, code);
    QList<double> lostMs;
    for (const int afterMs : {310, 377, 432, 481, 519}) {
      const CliRunner runner;
      QByteArray output;
      // Calls are recorded in the time of this process, so that the moment of the kill needs no translation.
      const std::uint64_t epochNs = base::ClockEpoch::now().monotonicNs;
      const auto process = runner.startScript(kBefore + code, "ready", output, {"--epoch", QString::number(epochNs)});
      QVERIFY(output.contains("ready"));
      QTest::qSleep(afterMs);
      QVERIFY(sendSignal(*process, SIGKILL));
      const std::uint64_t killedNs = base::ClockEpoch::now().monotonicNs - epochNs;
      JS_COMPARE_STATUS(CliRunner::end(*process, output), -SIGKILL);
      QCOMPARE(runner.status(), "interrupted");
      QCOMPARE(runner.query("SELECT count(*) > 10 FROM call JOIN template t ON t.id = template_id JOIN function f ON "
                            "f.id = t.function_id WHERE f.name = 'f'"),
               "1");
      const std::uint64_t lastNs = runner.query("SELECT max(start_ns + total_ns) FROM call").toULongLong();
      QVERIFY2(lastNs <= killedNs, "a call is later than the kill");
      lostMs.append(static_cast<double>(killedNs - lastNs) * 1e-6);
      // Opening has put it in order: one plain file, as if it had ended properly.
      QCOMPARE(runner.files(), (QStringList{"s.jitscope", "script.lua"}));
      QCOMPARE(runner.query("SELECT status FROM session"), "interrupted");
      JS_COMPARE_STATUS(runner.run({"report", "s.jitscope"}), 0);
    }
    std::ranges::sort(lostMs);
    constexpr double kMaxMs = kIsSanitized ? 400 : 100; // what a sanitizer slows down keeps no promise about time
    // Usually some 15 ms. The middle one, since a busy machine may let a run stand still for longer than the promise is.
    QVERIFY2(lostMs[2] <= kMaxMs, qPrintable(QString("lost: %1, %2, %3 ms").arg(lostMs[0]).arg(lostMs[2]).arg(lostMs[4])));
    QVERIFY2(lostMs[4] <= 1000, qPrintable(QString("lost: %1 ms").arg(lostMs[4])));
  }

  void aKilledRunLeavesNoProcessOfAColdLegAndTheNextRunTidies() {
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + kColdBench, "ready", output);
    QVERIFY(output.contains("ready"));
    const pid_t coldLeg = CliRunner::coldLegOf(*process);
    QVERIFY(coldLeg > 0);
    QTest::qSleep(300);
    // A folder that somebody works in, and one that is none of ours, look like what is left behind.
    const base::Result<base::TemporaryFolder> used = temporaryFolderIn(runner);
    JS_VERIFY_RESULT(used);
    QVERIFY(QDir(runner.path("tmp")).mkdir("jitscope-work-of-mine"));
    QCOMPARE(runner.temporaryFiles().size(), 3);

    QVERIFY(sendSignal(*process, SIGKILL));
    JS_COMPARE_STATUS(CliRunner::end(*process, output), -SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(QString("/proc/%1").arg(coldLeg)), 10'000);
    QCOMPARE(runner.status(), "interrupted");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);

    JS_COMPARE_STATUS(runner.runScript(kBefore, {"--overwrite"}), 0);
    const QString usedName = QString::fromStdString(used->path().filename().string());
    QStringList expected{"jitscope-work-of-mine", usedName};
    expected.sort();
    QCOMPARE(runner.temporaryFiles(), expected);
  }

  // ---- what a cold leg had measured

  void aStoppedColdLegKeepsItsSamples_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("toTheColdLeg");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("message");
    QTest::newRow("Ctrl-C") << SIGINT << false << "interrupted" << "interrupted by Ctrl-C (SIGINT)";
    QTest::newRow("crash") << SIGSEGV << true << "failed" << "was ended by signal 11 (Segmentation fault)";
    QTest::newRow("killed") << SIGKILL << true << "failed" << "was ended by signal 9 (Killed)";
  }
  void aStoppedColdLegKeepsItsSamples() {
    if (kIsSanitized && QByteArray(QTest::currentDataTag()) == "crash") {
      QSKIP("a sanitizer makes an exit status of the signal");
    }
    QFETCH(int, signal);
    QFETCH(bool, toTheColdLeg);
    QFETCH(QString, status);
    QFETCH(QString, message);
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + kColdBench, "ready", output);
    const pid_t coldLeg = CliRunner::coldLegOf(*process);
    QVERIFY(coldLeg > 0);
    QTRY_VERIFY_WITH_TIMEOUT(coldSamplesOnDisk(runner) > 100, 20'000);
    const qint64 atLeast = coldSamplesOnDisk(runner);
    QCOMPARE(::kill(toTheColdLeg ? coldLeg : static_cast<pid_t>(process->processId()), signal), 0);
    const CommandOutcome outcome = CliRunner::end(*process, output);
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, message);
    verifyColdSamples(runner, outcome, status, atLeast);
  }
  void aTimeoutKeepsTheSamplesOfAColdLeg() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kBefore + kColdBench, {"--timeout", "4"});
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, "the time limit of 4 s (--timeout) was overrun by ");
    verifyColdSamples(runner, outcome, "interrupted", 100);
  }

private:
  /// A folder as the runs of `runner` make them.
  static base::Result<base::TemporaryFolder> temporaryFolderIn(const CliRunner &runner) {
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", runner.path("tmp").toUtf8());
    base::Result<base::TemporaryFolder> folder = base::TemporaryFolder::create();
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    return folder;
  }

  /// The samples that the process of the cold leg has written so far, to its own session.
  static qint64 coldSamplesOnDisk(const CliRunner &runner) {
    const QStringList folders = runner.temporaryFiles();
    return folders.isEmpty() ? 0
                             : CliRunner::query(runner.path("tmp/" + folders[0] + "/child.jitscope"),
                                                "SELECT count(*) FROM call WHERE phase = 'sample'")
                                   .toLongLong();
  }

  static void verifyColdSamples(const CliRunner &runner, const CommandOutcome &outcome, const QString &status, qint64 atLeast) {
    QCOMPARE(runner.status(), status);
    const QStringList counts = runner
                                   .query("SELECT count(*), count(DISTINCT process), min(process), sum(outcome = 'miss') FROM call "
                                          "WHERE leg = 'cold' AND phase = 'sample'")
                                   .split('|');
    QVERIFY2(counts[0].toLongLong() >= atLeast, qPrintable(counts[0] + " of " + QString::number(atLeast)));
    // The first call of an empty cache is among them; the script's own process measured none.
    QCOMPARE(counts.mid(1), (QStringList{"1", "1", "1"}));
    QCOMPARE(runner.query("SELECT count(*) FROM compile WHERE process = 1"), "1");
    QCOMPARE(runner.query("SELECT CAST(value AS INTEGER) FROM case_statistic WHERE leg = 'cold' AND name = 'sample_size'"),
             counts[0]);
    JS_VERIFY_CONTAINS(outcome.output, "cold");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
    QCOMPARE(runner.temporaryFiles(), QStringList());
  }

  static void verifyInterrupted(const CliRunner &runner, const CommandOutcome &outcome, const QString &reason) {
    QVERIFY2(QString::fromUtf8(outcome.errors).startsWith("jitscope: script.lua:5: interrupted"), outcome.description());
    JS_VERIFY_CONTAINS(outcome.errors, "\n  " + reason);
    JS_VERIFY_CONTAINS(outcome.errors, "Session: s.jitscope\n");
    // The summary is still printed.
    JS_VERIFY_CONTAINS(outcome.output, "Interrupted after");
    JS_VERIFY_CONTAINS(outcome.output, "Calls by outcome");
    verifyInterruptedSession(runner, reason);
  }
};

QTEST_GUILESS_MAIN(TestInterruption)
#include "tst_interruption.moc"
