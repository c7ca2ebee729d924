// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// Scripts that would never end or take everything are ended, with the option that raises the bound.
class TestLimits : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void boundsEndTheScript_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("message");
    const QString host = "script.lua:3: the script ran for longer than 0.2 s without calling the engine; is there an endless loop? "
                         "The limit is raised with --set trace_time_s=N\n";
    const QString memory = "the script's Lua values need more than 16 MiB; the limit is raised with --set memory_mib=N\n";
    QTest::newRow("endless loop") << QByteArray("while true do end") << "trace_time_s=0.2" << host;
    QTest::newRow("endless loop that catches")
        << QByteArray("while true do pcall(function() while true do end end) end") << "trace_time_s=0.2" << host;
    QTest::newRow("endless loop in a trace")
        << QByteArray("local spin = fn('spin', function(x)\n  while true do end\nend)\nspin(zeros{2})") << "trace_time_s=0.2"
        << "script.lua:4: tracing took longer than 0.2 s; is there an endless loop? The limit is raised with --set trace_time_s=N\n"
           "  while tracing spin for f32[2] (called at line 6)\n";
    QTest::newRow("endless graph")
        << QByteArray("fn('grow', function(x) while true do x = x + 1 end end)(zeros{2})") << "graph_operations=1000"
        << "script.lua:3: the graph of grow has more than 1000 operations; is there an endless loop? The limit is "
           "raised with --set graph_operations=N\n";
    QTest::newRow("functions that call each other")
        << QByteArray("local f, g\nf = fn('f', function(x) return g(x) end)\ng = fn('g', function(x) return f(x) end)\nf(zeros{2})")
        << "call_depth=200"
        << "script.lua:5: endless recursion: f -> g -> f, again for f32[2]; a graph has no condition that could end it\n"
           "  while tracing g for f32[2] (called at line 4)\n"
           "  while tracing f for f32[2] (called at line 6)\n";
    QTest::newRow("recursion with new templates")
        << QByteArray("local f\nf = fn('f', function(x, n) return f(x, n .. 'i') end)\n"
                      "f(zeros{2}, '')")
        << "call_depth=30"
        << "script.lua:4: functions call each other more than 30 deep (f calls f); the limit is "
           "raised with --set call_depth=N\n";
    QTest::newRow("recursion of Lua") << QByteArray("local function r(n) return 1 + r(n) end\nr(1)") << "call_depth=200"
                                      << "script.lua:3: stack overflow";
    QTest::newRow("memory bomb") << QByteArray("local t = {} while true do t[#t + 1] = 'x' .. #t end") << "memory_mib=16"
                                 << "script.lua:3: " + memory;
    QTest::newRow("memory bomb that catches")
        << QByteArray("while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end") << "memory_mib=16"
        << "script.lua:3: " + memory;
    QTest::newRow("one large string") << QByteArray("local s = ('x'):rep(1 << 30)") << "memory_mib=16" << "script.lua:3: " + memory;
    QTest::newRow("string beyond all bounds") << QByteArray("local s = ('x'):rep(1 << 62)") << "memory_mib=16"
                                              << "script.lua:3: resulting string too large\n";
    QTest::newRow("memory bomb in a trace")
        << QByteArray("fn('f', function(x) local t = {} while true do t[#t + 1] = {} end end)(zeros{2})") << "memory_mib=16"
        << "script.lua:3: " + memory;
    QTest::newRow("tensors that are kept")
        << QByteArray("local kept = {}\nfor i = 1, 100 do kept[i] = zeros({1024, 1024}, 'u8') end") << "tensor_mib=8"
        << "script.lua:4: zeros: u8[1024,1024]: 1.0 MiB more would pass the bound of 8 MiB for tensors (";
    QTest::newRow("a result that is too large")
        << QByteArray("fn('big', function(x) return x:broadcast{1024, 1024, 8} end)(zeros{1})") << "tensor_mib=8"
        << "script.lua:3: big: f32[1024,1024,8]: 32.0 MiB more would pass the bound of 8 MiB for tensors (";
  }
  void boundsEndTheScript() {
    QFETCH(QByteArray, code);
    QFETCH(QString, option);
    QFETCH(QString, message);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        "local f = fn('before', function(x) return x + 1 end) local x = iota{2}\nf(x)\n" + code, {"--set", option});
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(QString::fromUtf8(outcome.errors).startsWith("jitscope: " + message), outcome.description());
    QCOMPARE(runner.status(), "failed");
    QCOMPARE(runner.query("SELECT count(*) FROM call JOIN template t ON t.id = template_id JOIN function f ON f.id = t.function_id "
                          "WHERE f.name = 'before'"),
             "1");
    QVERIFY2(outcome.output.contains("Calls by outcome"), outcome.description());
  }

  void droppedTensorsAreFreedAtOnce() {
    const CliRunner runner;
    const CommandOutcome outcome =
        runner.runScript(QByteArray(kReportingPrelude) + "for i = 1, 100 do local t = zeros({1024, 1024}, 'u8') + 1 end\n"
                                                         "report('peak', stats().tensor_peak_bytes <= 8 << 20)\n",
                         {"--set", "tensor_mib=8"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.reported("peak"), "true");
  }

  void afterTensorsRanOutTheRestStillWorks() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "local kept = {}\n"
                                        "local ok = pcall(function() for i = 1, 100 do kept[i] = zeros({1024, 1024}, 'u8') "
                                        "end end)\n"
                                        "report('caught', ok)\n"
                                        "kept = nil\n"
                                        "attempt('after', function() return (zeros({2}) + 1) end)\n",
        {"--set", "tensor_mib=8"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.reported("caught"), "false");
    QCOMPARE(outcome.reported("after"), "gave f32[2] {1, 1}");
  }

  void sizesThatOverflowAreNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    const QString overflow = "f32[4294967296,4294967296] has more bytes than a 64-bit number can count";
    QTest::newRow("zeros") << "zeros" << "script.lua:2: zeros: " + overflow;
    QTest::newRow("iota") << "iota" << "script.lua:3: iota: " + overflow;
    QTest::newRow("broadcast") << "broadcast" << "script.lua:4: broadcast: " + overflow;
    QTest::newRow("broadcast in a trace") << "trace" << "script.lua:5: broadcast: " + overflow;
    QTest::newRow("broadcasting") << "broadcasting" << "script.lua:6: add: " + overflow;
    QTest::newRow("countable, yet no machine has it") << "large" << "script.lua:7: zeros: f32[1125899906842624]: ";
    QTest::newRow("negative size") << "negative" << "script.lua:8: zeros: shape has the negative size -1";
    QTest::newRow("fractional size") << "fraction" << "script.lua:9: zeros: entry 1 of shape must be a whole number, not 2.5";
    QTest::newRow("size beyond integers") << "float" << "script.lua:10: zeros: entry 1 of shape must be a whole number, not 1e+30";
    QTest::newRow("zero times too much") << "empty" << "script.lua:11: zeros: f32[0,4611686018427387904]";
    QTest::newRow("slice beyond integers") << "slice" << "script.lua:12: slice of ";
  }
  void sizesThatOverflowAreNamed() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    static const CliRunner runner;
    static const CommandOutcome outcome =
        runner.runScript(QByteArray(kReportingPrelude) +
                         "attempt('zeros', function() return (zeros{1 << 32, 1 << 32}) end)\n"
                         "attempt('iota', function() return (iota{1 << 32, 1 << 32}) end)\n"
                         "attempt('broadcast', function() return (zeros{1, 1}:broadcast{1 << 32, 1 << 32}) end)\n"
                         "attempt('trace', fn('f', function(x) return (x:broadcast{1 << 32, 1 << 32}) end), zeros{1, 1})\n"
                         "attempt('broadcasting', fn('g', function(x) local y = x:broadcast{1 << 32, 1} return (y + "
                         "x:broadcast{1, 1 << 32}) end), zeros{1, 1})\n"
                         "attempt('large', function() return (zeros{1 << 50}) end)\n"
                         "attempt('negative', function() return (zeros{-1}) end)\n"
                         "attempt('fraction', function() return (zeros{2.5}) end)\n"
                         "attempt('float', function() return (zeros{1e30}) end)\n"
                         "attempt('empty', function() return (zeros{0, 1 << 62}) end)\n"
                         "attempt('slice', function() return (iota{4}:slice({math.maxinteger}, {math.maxinteger})) end)\n");
    JS_COMPARE_STATUS(outcome, 0);
    const QString reported = outcome.reported(name);
    QVERIFY2(reported.startsWith(message), qPrintable(reported));
  }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_limits.moc"
