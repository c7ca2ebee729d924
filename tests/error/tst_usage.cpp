// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// Wrong usage is status 2, says what was wrong and what there is instead, and leaves no file.
class TestUsage : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void wrongUsageSaysWhatThereIs_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QStringList &arguments, const QString &message) {
      QTest::newRow(name) << arguments << message;
    };
    row("no command", {}, "A subcommand is required\nRun with --help for more information.\n");
    row("unknown command", {"frobnicate"},
        "there is no command 'frobnicate'; the commands are: run, study, batch, report, compare, diff, export, merge, cache");
    row("unknown command of cache", {"cache", "burn"}, "there is no command 'burn'; the commands are: stat, clear");
    row("cache alone", {"cache"}, "A subcommand is required");
    row("run alone", {"run"}, "SCRIPT is required");
    row("report alone", {"report"}, "SESSION is required");
    row("run with two scripts", {"run", "script.lua", "other.lua"}, "The following argument was not expected: other.lua");
    row("unknown flag", {"run", "script.lua", "--fast"}, "The following argument was not expected: --fast");
    row("output without a name", {"run", "script.lua", "-o"}, "--output: 1 required");
    row("set without a value", {"run", "script.lua", "--set", "opt"}, "--set takes NAME=VALUE, not 'opt' (names: blas_threads, ");
    row("set without a name", {"run", "script.lua", "--set", "=3"}, "--set takes NAME=VALUE, not '=3'");
    row("unknown option", {"run", "script.lua", "--set", "speed=3"}, "there is no option 'speed'");
    row("unknown option, names offered", {"run", "script.lua", "--set", "speed=3"},
        "(there are: blas_threads, call_depth, capacity_bytes, capacity_entries, cpu, disk_cache, ");
    row("slip in an option", {"run", "script.lua", "--set", "memory_mb=3"},
        "there is no option 'memory_mb'; did you mean 'memory_mib'?");
    row("value out of range", {"run", "script.lua", "--set", "opt=9"},
        "option 'opt' cannot be 9: it takes a whole number from 0 to 3");
    row("value of the wrong kind", {"run", "script.lua", "--set", "slp=3"}, "option 'slp' cannot be 3: it takes true or false");
    row("no memory", {"run", "script.lua", "--set", "memory_mib=0"},
        "option 'memory_mib' cannot be 0: it takes a whole number from 1 to ");
    row("no time", {"run", "script.lua", "--set", "trace_time_s=0"},
        "option 'trace_time_s' cannot be 0: it takes seconds, more than 0");
    row("no number", {"run", "script.lua", "--set", "trace_time_s=nan"}, "option 'trace_time_s' cannot be nan: it takes seconds");
    row("template", {"run", "script.lua", "--set", "template=any"},
        "option 'template' cannot be any: it takes \"exact\" or \"rank\"");
    row("a good option, then a bad one", {"run", "script.lua", "--set", "opt=2", "--set", "opt=x"}, "option 'opt' cannot be x");
    row("unknown pipeline", {"run", "script.lua", "--pipeline", "fast"},
        "there is no pipeline 'fast'; there are: per-function, deferred, pre-link, separate");
    row("unknown pipeline by --set", {"run", "script.lua", "--set", "pipeline=fast"},
        "there is no pipeline 'fast'; there are: per-function, deferred, pre-link, separate");
    row("unknown cpu", {"run", "script.lua", "--set", "cpu=skylark"}, "unknown cpu \"skylark\"; did you mean skylake");
    row("negative time limit", {"run", "script.lua", "--timeout", "-1"}, "--timeout: takes seconds, 0 or more, not '-1'");
    row("time limit that is no number", {"run", "script.lua", "--timeout", "soon"},
        "--timeout: takes seconds, 0 or more, not 'soon'");
    row("time limit nan", {"run", "script.lua", "--timeout", "nan"}, "--timeout: takes seconds, 0 or more, not 'nan'");
    row("progress", {"run", "script.lua", "--progress", "maybe"}, "--progress: maybe not in {auto,always,never}");
    row("format", {"report", "s.jitscope", "--format", "xml"}, "--format: xml not in {text,json");
    row("report of two sessions", {"report", "a.jitscope", "b.jitscope"}, "The following argument was not expected: b.jitscope");
    row("empty script name", {"run", ""}, "the script has no name");
  }
  void wrongUsageSaysWhatThereIs() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CliRunner runner;
    runner.write("script.lua", "print('it ran')");
    const CommandOutcome outcome = runner.run(arguments);
    JS_COMPARE_STATUS(outcome, 2);
    QVERIFY2(outcome.errors.startsWith("jitscope: "), outcome.description());
    JS_VERIFY_CONTAINS(outcome.errors, message);
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(runner.files(), QStringList{"script.lua"});
  }

  void suggestionsAreLikelySlipsOnly() {
    const CliRunner runner;
    runner.write("script.lua", "");
    const CommandOutcome outcome = runner.run({"run", "script.lua", "--set", "foo=1"});
    JS_COMPARE_STATUS(outcome, 2);
    QVERIFY2(!outcome.errors.contains("did you mean"), outcome.errors);
  }

  void helpAndVersionAreNoErrors_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("help") << QStringList{"--help"} << "Exit status:\n  0  done\n";
    QTest::newRow("help of run") << QStringList{"run", "--help"} << "trace_time_s";
    QTest::newRow("help of report") << QStringList{"report", "--help"} << "--format";
    QTest::newRow("help of cache") << QStringList{"cache", "--help"} << "clear";
    QTest::newRow("version") << QStringList{"--version"} << "jitscope ";
  }
  void helpAndVersionAreNoErrors() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const CliRunner runner;
    const CommandOutcome outcome = runner.run(arguments);
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, part);
    QCOMPARE(outcome.errors, QByteArray());
    QCOMPARE(runner.files(), QStringList());
  }

  // ---- the disk cache

  void theDiskCacheIsPrivateAndGoesWhenAskedTo() {
    const CliRunner runner;
    const QByteArray code = "local f = fn('f', function(x) return x + 1 end) f(zeros{2})";
    JS_COMPARE_STATUS(runner.runScript(code, {"--set", "disk_cache=true"}), 0);
    const CommandOutcome stat = runner.run({"cache", "stat"});
    JS_COMPARE_STATUS(stat, 0);
    JS_VERIFY_CONTAINS(stat.output, runner.path("cache/jitscope/objects") + ": 2 entries");
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;
    QCOMPARE(QFileInfo(runner.path("cache/jitscope/objects")).permissions() & others, QFileDevice::Permissions());
    JS_COMPARE_STATUS(runner.runScript(code, {"--set", "disk_cache=true", "--overwrite"}), 0);
    QCOMPARE(runner.query("SELECT count(*) FROM call WHERE outcome = 'disk'"), "2");
    const CommandOutcome clear = runner.run({"cache", "clear"});
    JS_COMPARE_STATUS(clear, 0);
    JS_VERIFY_CONTAINS(clear.output, "removed 2 entries");
    JS_VERIFY_CONTAINS(runner.run({"cache", "stat"}).output, ": 0 entries");
  }

  void aDiskCacheThatCannotBeWrittenIsAWarning() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("local f = fn('f', function(x) return x + 1 end) print(f(zeros{2}))",
                                                    {"--set", "disk_cache=true"}, {.environment = {"XDG_CACHE_HOME=/proc"}});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "f32[2] {1, 1}");
    QCOMPARE(runner.status(), "finished");
    QVERIFY(runner.query("SELECT count(*) FROM log WHERE level = 'warning'").toInt() >= 1);
    JS_VERIFY_CONTAINS(runner.query("SELECT message FROM log WHERE level = 'warning'"), "/proc/jitscope");
  }

  void withoutAHomeTheDiskCacheHasNoPlace() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.run({"cache", "stat"}, {.environment = {"XDG_CACHE_HOME=", "HOME="}});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: no place for the disk cache: set XDG_CACHE_HOME or HOME");
  }
};

QTEST_GUILESS_MAIN(TestUsage)
#include "tst_usage.moc"
