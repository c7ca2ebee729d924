// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/sanitizers.h"
#include "support/stopped_runs.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>
#include <utility>

using namespace jitscope;
using namespace jitscope::test;

/// A run ends within a second of its limit or of a signal, wherever it is. What it does there would go on for minutes, so that a
/// bound of ten seconds tells one from the other on a busy machine, too.
class TestStopAnywhere : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void theTimeLimitEndsTheRunAnywhere_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("a trace") << QByteArray("fn('g', function(y) while true do end end)(x)\n") << "interrupted";
    QTest::newRow("a C function of Lua") << kBacktracking << "script.lua:5: interrupted during string.find";
    QTest::newRow("an iterator of Lua in C") << QByteArray("for m in ('a'):rep(100000):gmatch(('.-'):rep(50) .. 'b') do end\n")
                                             << "script.lua:5: interrupted during string.gmatch";
    QTest::newRow("a C function of Lua in a trace") << "fn('g', function(y)\n" + kBacktracking + "return y end)(x)\n"
                                                    << "interrupted during string.find";
    QTest::newRow("a long compile") << unrolled(150) << "while compiling step for f32[4,10], f32[10,10] under ";
    QTest::newRow("a long call") << kLongCall << "script.lua:7: interrupted during a call";
    QTest::newRow("a long call in a benchmark")
        << QByteArray("local m = iota({4000, 4000}, 's64')\nlocal d = fn('d', function(a) return a:dot(a) end)\n"
                      "bench{warmup = 0, time = 1, legs = {'warm'}, {'c', d, m}}\n")
        << "script.lua:7: interrupted during a benchmark";
    QTest::newRow("a study") << unrolled(150).replace("step(zeros", "study{step, zeros").replace("10})\n", "10}}\n")
                             << "while compiling step under per-function for ";
  }
  void theTimeLimitEndsTheRunAnywhere() {
    QFETCH(QByteArray, code);
    QFETCH(QString, message);
    const CliRunner runner;
    QElapsedTimer timer;
    timer.start();
    const CommandOutcome outcome = runner.runScript(kBefore + code, {"--timeout", "2.5"});
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(timer.elapsed() < 10'000 || kIsSanitized, outcome.description());
    JS_VERIFY_CONTAINS(outcome.errors, message);
    JS_VERIFY_CONTAINS(outcome.errors, "the time limit of 2.5 s (--timeout) was overrun by ");
    JS_VERIFY_CONTAINS(outcome.errors, "Session: s.jitscope\n");
    JS_VERIFY_CONTAINS(outcome.output, "Calls by outcome");
    verifyInterruptedSession(runner, message);
    JS_VERIFY_CONTAINS(runner.recordedError(), "the time limit of 2.5 s (--timeout) was overrun by ");
  }

  void aSignalEndsTheRunInEveryPhase_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("marker"); ///< what progress shows then
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<bool>("isLinkSlow");
    const auto wideWith = [](int steps) {
      return "local wide = fn('wide', function(v)\n  local s = v\n  for i = 1, " + QByteArray::number(steps) +
             " do s = s * 1.5 + v end\n  return s\nend)\nwide(zeros{})\n";
    };
    const QByteArray wide = wideWith(60'000);
    // Code generation must outlast the way of the signal, also where nothing else runs.
    const QByteArray wider = wideWith(kIsSanitized ? 60'000 : 240'000);
    // Each sum is a loop of its own, and lowering weighs each against the others.
    const QByteArray deep = "local deep = fn('deep', function(v)\n  local s = v\n"
                            "  for i = 1, 40000 do s = s + (s * 1.5):sum() end\n  return s\nend)\ndeep(zeros{8})\n";
    for (const auto &[signal, name] : {std::pair{SIGINT, "SIGINT"}, std::pair{SIGTERM, "SIGTERM"}}) {
      QTest::addRow("a trace, %s", name) << signal << QByteArray("fn('g', function(y) while true do end end)(x)\n")
                                         << QByteArray("compiling g for f32[20000]") << QStringList() << false;
      QTest::addRow("lowering, %s", name) << signal << deep << QByteArray(": lower for ") << QStringList() << false;
      QTest::addRow("a pass, %s", name) << signal << unrolled(150) << QByteArray(": optimize, pass ") << QStringList() << false;
      QTest::addRow("code generation, %s", name)
          << signal << wider << QByteArray(": codegen, pass ") << QStringList{"--set", "opt=0"} << false;
      QTest::addRow("linking, %s", name) << signal << wide << QByteArray(": link for ") << QStringList{"--set", "opt=0"} << true;
    }
  }
  void aSignalEndsTheRunInEveryPhase() {
    QFETCH(int, signal);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, marker);
    QFETCH(QStringList, options);
    QFETCH(bool, isLinkSlow);
    if (isLinkSlow && kIsSanitized) {
      QSKIP("a sanitizer must be loaded first");
    }
    const CliRunner runner;
    runner.write("script.lua", kBefore + code);
    // Nothing that a script can say makes linking take long: it takes milliseconds.
    const ChildConditions conditions{.environment = isLinkSlow ? QStringList{"LD_PRELOAD=" JITSCOPE_SLOW_LINK} : QStringList()};
    const auto process =
        runner.start(QStringList{"run", "script.lua", "-o", "s.jitscope", "--progress", "always"} + options, conditions);
    QByteArray errors;
    QVERIFY2(waitForErrors(*process, marker, errors), errors.right(2000).constData());
    QElapsedTimer timer;
    timer.start();
    QVERIFY(sendSignal(*process, signal));
    CommandOutcome outcome = CliRunner::end(*process);
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(timer.elapsed() < 10'000 || kIsSanitized, outcome.description());
    const QString name = signal == SIGINT ? "interrupted by Ctrl-C (SIGINT)" : "interrupted by SIGTERM";
    JS_VERIFY_CONTAINS(outcome.errors, name);
    JS_VERIFY_CONTAINS(outcome.errors, "while compiling ");
    verifyInterruptedSession(runner, name);
  }

  /// One object on standard output, as for any other run.
  void jsonStaysOneObject() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kBefore + kBacktracking, {"--timeout", "1", "--json"});
    JS_COMPARE_STATUS(outcome, 1);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(outcome.output, &error);
    QVERIFY2(document.isObject(), qPrintable(error.errorString()));
    JS_VERIFY_CONTAINS(QString::fromUtf8(document.toJson()), "interrupted");
  }

  void theLimitOnLuasTimeHoldsInsideC_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("host code")
        << kBacktracking
        << "jitscope: script.lua:5: the script ran for longer than 0.3 s without calling the engine; is there an endless loop? "
           "The limit is raised with --set trace_time_s=N\n  string.find did not return";
    QTest::newRow("a trace") << "fn('g', function(y)\n" + kBacktracking + "return y end)(x)\n"
                             << "jitscope: script.lua:6: tracing took longer than 0.3 s";
    QTest::newRow("a plain search")
        << QByteArray("local s = ('a'):rep(20000000)\ns:find(('a'):rep(10000000) .. 'b', 1, true)\n")
        // What a sanitizer checks at each comparison can take all the time there is for naming the line.
        << (kIsSanitized ? "the script ran for longer than 0.3 s" : "jitscope: script.lua:6: the script ran for longer than 0.3 s");
  }
  void theLimitOnLuasTimeHoldsInsideC() {
    QFETCH(QByteArray, code);
    QFETCH(QString, message);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(kBefore + code, {"--set", "trace_time_s=0.3"});
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, message);
    QCOMPARE(runner.status(), "failed");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
    JS_VERIFY_CONTAINS(outcome.output, "Calls by outcome");
  }
  void neitherSleepNorTheEngineCountsAsLuasTime() {
    const CliRunner runner;
    JS_COMPARE_STATUS(
        runner.runScript(kBefore + "sleep(900)\nlocal m = iota({1200, 1200}, 's64')\nm:dot(m)\n", {"--set", "trace_time_s=0.2"}),
        0);
  }

  /// Somebody else holds the file: nothing can be written, and the process ends all the same.
  void aSessionThatCannotBeWrittenHoldsNobody() {
    const CliRunner runner;
    QByteArray output;
    const auto process = runner.startScript(kBefore + "sleep(60000)", "ready", output);
    QVERIFY(output.contains("ready"));
    QTRY_COMPARE(runner.query(kCallsBefore), kAllCallsBefore);
    std::optional<HeldSession> other(runner.sessionPath());
    QVERIFY(other->isHeld());
    QElapsedTimer timer;
    timer.start();
    QVERIFY(sendSignal(*process, SIGTERM));
    const CommandOutcome outcome = CliRunner::end(*process, output);
    other.reset();
    JS_COMPARE_STATUS(outcome, 1);
    // SQLite itself would wait for five seconds, several times.
    QVERIFY2(timer.elapsed() < 4'500 || kIsSanitized, outcome.description());
    JS_VERIFY_CONTAINS(outcome.errors, "interrupted while the session was written\n  interrupted by SIGTERM\n");
    QCOMPARE(runner.status(), "interrupted");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
  }

  // ---- children

  void aColdLegThatCompilesForLongEndsWithTheRun_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGKILL") << SIGKILL;
  }
  void aColdLegThatCompilesForLongEndsWithTheRun() {
    QFETCH(int, signal);
    const CliRunner runner;
    runner.write("script.lua", kBefore +
                                   "local step = fn('step', function(h, w)\n  for i = 1, 150 do h = tanh(h + h:dot(w)) end\n"
                                   "  return h\nend)\n"
                                   "bench{warmup = 0, time = 1, legs = {'cold'}, {'c', step, zeros{4, 10}, zeros{10, 10}}}\n");
    const auto process = runner.start({"run", "script.lua", "-o", "s.jitscope", "--progress", "always"});
    QByteArray errors;
    // What the child compiles, as the parent shows it.
    QVERIFY2(waitForErrors(*process, "compiling step for f32[4,10], f32[10,10] under ", errors), errors.right(2000).constData());
    const pid_t coldLeg = CliRunner::coldLegOf(*process);
    QVERIFY(coldLeg > 0);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(sendSignal(*process, signal));
    const CommandOutcome outcome = CliRunner::end(*process);
    JS_COMPARE_STATUS(outcome, signal == SIGKILL ? -SIGKILL : 1);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(coldLeg), 5'000);
    QVERIFY2(timer.elapsed() < 10'000 || kIsSanitized, outcome.description());
    QCOMPARE(runner.status(), "interrupted");
    QCOMPARE(runner.query(kCallsBefore), kAllCallsBefore);
    if (signal != SIGKILL) {
      JS_VERIFY_CONTAINS(outcome.errors, "while compiling step for f32[4,10], f32[10,10] under ");
      QCOMPARE(runner.temporaryFiles(), QStringList());
    }
  }

  /// What a cold leg had measured is in the session of the run, though nobody was left to take it over.
  void theSamplesOfAColdLegOutliveAKilledRun() {
    const CliRunner runner;
    QByteArray output;
    const auto process =
        runner.startScript(kBefore + "local g = fn('g', function(y) return (y * 3):sum() end)\nlocal y = iota{2000000}\n"
                                     "bench{warmup = 0, time = 60, legs = {'cold'}, {'c', g, y}}\n",
                           "ready", output);
    QVERIFY(output.contains("ready"));
    const pid_t coldLeg = CliRunner::coldLegOf(*process);
    QVERIFY(coldLeg > 0);
    constexpr auto kSamples = "SELECT count(*) FROM call WHERE leg = 'cold' AND phase = 'sample'";
    // Already while it is measured.
    QTRY_VERIFY_WITH_TIMEOUT(runner.query(kSamples).toInt() > 50, 60'000);
    const int before = runner.query(kSamples).toInt();
    QVERIFY(sendSignal(*process, SIGKILL));
    JS_COMPARE_STATUS(CliRunner::end(*process, output), -SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(coldLeg), 5'000);
    QCOMPARE(runner.status(), "interrupted");
    QVERIFY(runner.query(kSamples).toInt() >= before);
    QCOMPARE(runner.query("SELECT count(*) FROM compile WHERE process = 1"), "1");
    QCOMPARE(runner.query("SELECT count(DISTINCT id) = count(*), count(DISTINCT start_ns) = count(*) FROM call WHERE leg = 'cold'"),
             "1|1");
    // The next run removes what this one had to leave behind.
    QCOMPARE(runner.temporaryFiles().size(), 1);
    runner.write("next.lua", "print('next')\n");
    JS_COMPARE_STATUS(runner.run({"run", "next.lua", "-o", "next.jitscope"}), 0);
    QCOMPARE(runner.temporaryFiles(), QStringList());
  }

  void aBatchCallsNothingPassedThatOverranItsLimit() {
    const CliRunner runner;
    runner.write("slow.lua", unrolled(150));
    runner.write("pattern.lua", kBacktracking);
    runner.write("fast.lua", "print('fast')\n");
    QElapsedTimer timer;
    timer.start();
    const CommandOutcome outcome =
        runner.run({"batch", "fast.lua", "pattern.lua", "slow.lua", "-o", "out", "--timeout", "2", "--json"});
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(timer.elapsed() < 30'000 || kIsSanitized, outcome.description());
    const QJsonArray scripts = QJsonDocument::fromJson(outcome.output).object()["scripts"].toArray();
    QCOMPARE(scripts.size(), 3);
    JS_VERIFY_CONTAINS(outcome.errors, "fast.lua: passed");
    JS_VERIFY_CONTAINS(QString::fromUtf8(outcome.output), "did not end within 2 seconds");
    QVERIFY2(!outcome.errors.contains("slow.lua: passed") && !outcome.errors.contains("pattern.lua: passed"),
             outcome.description());
    QCOMPARE(CliRunner::status(runner.path("out/slow.jitscope")), "interrupted");
    QCOMPARE(CliRunner::status(runner.path("out/pattern.jitscope")), "interrupted");
  }

  void aBatchEndsItsScripts_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGKILL") << SIGKILL;
  }
  void aBatchEndsItsScripts() {
    QFETCH(int, signal);
    const CliRunner runner;
    runner.write("slow.lua", kBefore + kBacktracking);
    const auto process = runner.start({"batch", "slow.lua", "-o", "out"});
    const QString session = runner.path("out/slow.jitscope");
    QTRY_COMPARE_WITH_TIMEOUT(CliRunner::query(session, kCallsBefore), kAllCallsBefore, 30'000);
    const auto child = static_cast<pid_t>(CliRunner::query(session, "SELECT writer_pid FROM session").toLongLong());
    QVERIFY(child > 0);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(sendSignal(*process, signal));
    const CommandOutcome outcome = CliRunner::end(*process);
    JS_COMPARE_STATUS(outcome, signal == SIGKILL ? -SIGKILL : 1);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(child), kIsSanitized ? 60'000 : 10'000);
    QVERIFY2(timer.elapsed() < 10'000 || kIsSanitized, outcome.description());
    QCOMPARE(CliRunner::status(session), "interrupted");
    QCOMPARE(CliRunner::query(session, kCallsBefore), kAllCallsBefore);
  }

  // ---- modules

  void aStudyOfModulesEndsAnywhere_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("signal");
    QTest::newRow("time limit") << QStringList{"--timeout", kIsSanitized ? "12" : "8"} << 0;
    QTest::newRow("SIGINT") << QStringList() << SIGINT;
    QTest::newRow("SIGTERM") << QStringList() << SIGTERM;
    QTest::newRow("SIGKILL") << QStringList() << SIGKILL;
  }
  void aStudyOfModulesEndsAnywhere() {
    QFETCH(QStringList, options);
    QFETCH(int, signal);
    const CliRunner runner;
    runner.write("long.ll", longModule());
    const auto process = runner.start(QStringList{"study", "long.ll", "-o", "s.jitscope", "--progress", "always"} + options);
    QByteArray errors;
    QVERIFY2(waitForErrors(*process, "compiling chain under ", errors), errors.right(2000).constData());
    if (signal != 0) {
      QVERIFY(sendSignal(*process, signal));
    }
    QElapsedTimer timer;
    timer.start();
    const CommandOutcome outcome = CliRunner::end(*process);
    JS_COMPARE_STATUS(outcome, signal == SIGKILL ? -SIGKILL : 1);
    QVERIFY2(timer.elapsed() < 12'000 || kIsSanitized, outcome.description());
    QCOMPARE(runner.status(), "interrupted");
    QCOMPARE(runner.query("SELECT count(*), name FROM study"), "1|chain");
    if (signal != SIGKILL) {
      JS_VERIFY_CONTAINS(outcome.errors, "while compiling chain under ");
      JS_VERIFY_CONTAINS(runner.recordedError(), signal == 0 ? "(--timeout) was overrun by " : "interrupted by ");
      QCOMPARE(runner.temporaryFiles(), QStringList());
    }
  }

private:
  /// One function of one block that LLVM needs minutes for.
  static QByteArray longModule() {
    QByteArray text = "define double @chain(ptr %p) {\n  %v0 = load double, ptr %p\n";
    constexpr int kSteps = 120'000;
    for (int i = 1; i <= kSteps; ++i) {
      const QByteArray now = QByteArray::number(i);
      const QByteArray last = QByteArray::number(i - 1);
      text += "  %q" + now + " = getelementptr double, ptr %p, i64 " + QByteArray::number((i * 37) % 4096) + "\n";
      text += "  %l" + now + " = load double, ptr %q" + now + "\n";
      text += "  %v" + now + " = fadd double %v" + last + ", %l" + now + "\n";
      text += "  store double %v" + now + ", ptr %q" + now + "\n";
    }
    return text + "  ret double %v" + QByteArray::number(kSteps) + "\n}\n";
  }
};

QTEST_GUILESS_MAIN(TestStopAnywhere)
#include "tst_stop_anywhere.moc"
