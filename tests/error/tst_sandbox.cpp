// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// What scripts may not reach, through the whole command.
class TestSandbox : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void whatIsRefusedSaysWhy_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("message");
    const QString noReach = " is not available: graph scripts cannot reach files, the environment or processes";
    const QString oneFile = " is not available: a graph script is one file; graph scripts cannot reach others";
    const QString compiled = "load: this is compiled Lua; a graph script can load source text only";
    QTest::newRow("os") << QByteArray("os.execute('touch proof')") << "os" + noReach;
    QTest::newRow("os.getenv") << QByteArray("print(os.getenv('HOME'))") << "os" + noReach;
    QTest::newRow("io") << QByteArray("io.open('proof', 'w')") << "io" + noReach;
    QTest::newRow("dofile") << QByteArray("dofile('other.lua')") << "dofile" + noReach;
    QTest::newRow("loadfile") << QByteArray("loadfile('other.lua')") << "loadfile" + noReach;
    QTest::newRow("require") << QByteArray("require 'other'") << "require" + oneFile;
    QTest::newRow("package") << QByteArray("package.loadlib('x', 'y')") << "package" + oneFile;
    QTest::newRow("debug") << QByteArray("debug.getregistry()")
                           << "debug is not available: graph scripts cannot look into the interpreter";
    QTest::newRow("string.dump") << QByteArray("string.dump(print)") << "string.dump is not available in a graph script";
    QTest::newRow("dump as method") << QByteArray("('x').dump(print)") << "string.dump is not available in a graph script";
    QTest::newRow("bytecode") << QByteArray("load('\\27Lua')") << compiled;
    QTest::newRow("bytecode, allowed by its mode") << QByteArray("load('\\27Lua', 'x', 'b')") << compiled;
    QTest::newRow("bytecode in pieces") << QByteArray(
                                               "local p = {'\\27', 'Lua'} local i = 0 load(function() i = i + 1 return p[i] end)")
                                        << compiled;
    QTest::newRow("finalizer") << QByteArray("setmetatable({}, {__gc = function() end})")
                               << "__gc is not available: graph scripts have no finalizers; use <close>";
    QTest::newRow("inside a trace") << QByteArray("fn('f', function(x) os.exit(0) return x end)(zeros{1})") << "os" + noReach;
    QTest::newRow("inside a coroutine") << QByteArray("coroutine.wrap(function() os.exit(0) end)()") << "os" + noReach;
  }
  void whatIsRefusedSaysWhy() {
    QFETCH(QByteArray, code);
    QFETCH(QString, message);
    const CliRunner runner;
    runner.write("other.lua", "print('reached')");
    const CommandOutcome outcome = runner.runScript("\n" + code);
    JS_COMPARE_STATUS(outcome, 1);
    QVERIFY2(QString::fromUtf8(outcome.errors).startsWith("jitscope: script.lua:2: " + message), outcome.description());
    QVERIFY(!outcome.output.contains("reached"));
    QCOMPARE(runner.status(), "failed");
    QCOMPARE(runner.files(), (QStringList{"other.lua", "s.jitscope", "script.lua"}));
  }

  void nothingElseIsThere() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "local there = {}\n"
                                        "for _, n in ipairs{'os', 'io', 'debug', 'package', 'require', 'dofile', 'loadfile', "
                                        "'warn', 'loadstring'} do\n"
                                        "  if rawget(_G, n) ~= nil then there[#there + 1] = n end\n"
                                        "end\n"
                                        "report('there', table.concat(there, ','))\n"
                                        "report('text', load('return 1 + 1')())\n");
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.reported("there"), "");
    QCOMPARE(outcome.reported("text"), "2");
  }

  void refusalsCanBeCaught() {
    const CliRunner runner;
    const CommandOutcome outcome =
        runner.runScript(QByteArray(kReportingPrelude) + "attempt('os', function() return os.time() end)\n"
                                                         "local f = fn('f', function(x) return x + 1 end)\n"
                                                         "attempt('f', f, zeros{2})\n");
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.reported("os"), "script.lua:2: os is not available");
    QCOMPARE(outcome.reported("f"), "gave f32[2] {1, 1}");
    QCOMPARE(runner.status(), "finished");
  }

  void runsAreTheSameEachTime() {
    QStringList numbers;
    for (int i = 0; i < 2; ++i) {
      const CliRunner runner;
      const CommandOutcome outcome = runner.runScript(QByteArray(kReportingPrelude) + "report('n', math.random(), uniform({2}))");
      JS_COMPARE_STATUS(outcome, 0);
      numbers.append(outcome.reported("n"));
    }
    QCOMPARE(numbers[0], numbers[1]);
  }
};

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
