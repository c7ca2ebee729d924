// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// Errors in a script name their place and the way there, end the run with status 1, and keep what was recorded before.
class TestRunErrors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void errorsNameTheirPlaceAndTheWayThere_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("syntax") << QByteArray("print(1)\nlocal x = = 2\n") << "script.lua:2: unexpected symbol near '='";
    QTest::newRow("syntax at the end") << QByteArray("if true then\n  print(1)\n")
                                       << "script.lua:3: 'end' expected (to close 'if' at line 1) near <eof>";
    QTest::newRow("unknown name") << QByteArray("\nprnt('x')") << "script.lua:2: \"prnt\" is not defined; did you mean \"print\"?";
    QTest::newRow("in a traced function") << QByteArray("local f = fn('f', function(x)\n"
                                                        "  error('boom')\n"
                                                        "end)\n"
                                                        "f(zeros{2})\n")
                                          << "script.lua:2: boom\n  while tracing f for f32[2] (called at line 4)";
    QTest::newRow("deep in traced functions") << QByteArray("local function helper(t)\n"
                                                            "  return t.missing.field\n"
                                                            "end\n"
                                                            "local inner = fn('inner', function(x)\n"
                                                            "  helper({})\n"
                                                            "  return x\n"
                                                            "end)\n"
                                                            "local middle = fn('middle', function(x) return inner(x) * 2 end)\n"
                                                            "local outer = fn('outer', function(x)\n"
                                                            "  return middle(x:reshape{4})\n"
                                                            "end)\n"
                                                            "outer(zeros{2, 2})\n")
                                              << "script.lua:2: attempt to index a nil value (field 'missing')\n"
                                                 "  called from script.lua:5\n"
                                                 "  while tracing inner for f32[4] (called at line 8)\n"
                                                 "  while tracing middle for f32[4] (called at line 10)\n"
                                                 "  while tracing outer for f32[2,2] (called at line 12)";
    QTest::newRow("in a helper outside") << QByteArray("local function helper()\n  return nil + 1\nend\nhelper()")
                                         << "script.lua:2: attempt to perform arithmetic on a nil value\n"
                                            "  called from script.lua:4 in the main chunk";
    QTest::newRow("in a coroutine") << QByteArray("local c = coroutine.wrap(function()\n  error('inside')\nend)\nc()")
                                    << "script.lua:2: inside";
    QTest::newRow("error with a table") << QByteArray("\nerror({code = 3})")
                                        << "script.lua:2: error was called with a table instead of a message";
    QTest::newRow("error with nothing") << QByteArray("\nerror()")
                                        << "script.lua:2: error was called with nil instead of a message";
    QTest::newRow("error without a place") << QByteArray("\nerror('bare', 0)") << "script.lua:2: bare";
    QTest::newRow("of Lua's library") << QByteArray("\nlocal s = table.concat({{}})")
                                      << "script.lua:2: invalid value (table) at index 1 in table for 'concat'";
    QTest::newRow("argument of Lua's library")
        << QByteArray("\ntable.insert(nil, 1)") << "script.lua:2: bad argument #1 to 'insert' (table expected, got nil)";
    QTest::newRow("unknown option") << QByteArray("\noptions{optt = 1}")
                                    << "script.lua:2: there is no option 'optt'; did you mean 'opt'? (there are: ";
    QTest::newRow("unknown pipeline")
        << QByteArray("\noptions{pipeline = 'fast'}")
        << "script.lua:2: there is no pipeline 'fast'; there are: per-function, deferred, pre-link, separate";
    QTest::newRow("option of the command line")
        << QByteArray("\noptions{memory_mib = 3}")
        << "script.lua:2: option 'memory_mib' applies to a whole run: give it on the command line as --set memory_mib=3";
    QTest::newRow("expect without a result")
        << QByteArray("\nexpect.outcome(1, 'hit')")
        << "script.lua:2: expect.outcome: expected the result of time or compile, not a number";
    QTest::newRow("bench without a case") << QByteArray("\nbench{}")
                                          << "script.lua:2: bench: there is no case; one is {\"name\", f, a, b}";
    QTest::newRow("bench with a slip")
        << QByteArray("bench{\n  tim = 1,\n  {'c', fn(function(x) return x end), 1}\n}")
        << "bench: there is no field \"tim\"; there are warmup, time, parallel, legs, inputs, check and max_samples; did you "
           "mean \"time\"?";
  }
  void errorsNameTheirPlaceAndTheWayThere() {
    QFETCH(QByteArray, code);
    QFETCH(QString, message);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(code);
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, message);
    QVERIFY2(outcome.errors.startsWith("jitscope: script.lua:"), outcome.description());
    QVERIFY2(outcome.errors.endsWith("\nSession: s.jitscope\n"), outcome.description());
    QCOMPARE(runner.status(), "failed");
    JS_VERIFY_CONTAINS(runner.recordedError(), message);
    QCOMPARE(runner.files(), (QStringList{"s.jitscope", "script.lua"}));
  }

  void whatHappenedBeforeAnErrorIsKept() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("section 'good'\n"
                                                    "local f = fn('f', function(x) return x * 2 end)\n"
                                                    "local x = iota{4}\n"
                                                    "f(x) f(x) f(x)\n"
                                                    "expect.equal(f(x), {0, 2, 4, 6})\n"
                                                    "section 'bad'\n"
                                                    "f(iota{4}:reshape{3})\n");
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: script.lua:7: ");
    QCOMPARE(runner.status(), "failed");
    // The summary is still shown, and says so.
    JS_VERIFY_CONTAINS(outcome.output, "Calls by outcome");
    JS_VERIFY_CONTAINS(outcome.output, "Failed after");
    const char *calls =
        "SELECT count(*), sum(outcome = 'miss'), sum(outcome = 'hit') FROM call JOIN template t ON t.id = template_id "
        "JOIN function f ON f.id = t.function_id WHERE f.name = 'f'";
    QCOMPARE(runner.query(calls), "4|1|3");
    QCOMPARE(runner.query("SELECT group_concat(name, ',') FROM section WHERE name <> ''"), "good,bad");
    QCOMPARE(runner.query("SELECT count(*), sum(passed) FROM expectation"), "1|1");
    QCOMPARE(runner.query("SELECT script_text LIKE '%section ''bad''%' FROM session"), "1");
  }

  void aCompileWithoutItsCallIsNotLeftBehind() {
    // The result does not fit, after the code for it was made.
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("zeros{1}\n"
                                                    "local f = fn('big', function(x) return x:broadcast{1024, 1024, 8} end)\n"
                                                    "f(zeros{1})",
                                                    {"--set", "tensor_mib=8"});
    JS_COMPARE_STATUS(outcome, 1);
    QCOMPARE(runner.query("SELECT count(*) FROM compile WHERE call_id IS NOT NULL AND call_id NOT IN (SELECT id FROM call)"), "0");
  }

  void theReportShowsTheErrorAsItWasSaid() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("local f = fn('f', function(x)\n  error('boom')\nend)\nf(zeros{2})");
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.output, "script.lua:2: boom");
    JS_VERIFY_CONTAINS(outcome.output, "while tracing f for f32[2] (called at line 4)");
    QVERIFY2(!outcome.output.contains("\\n"), outcome.output);
  }

  void resultsAndArgumentsThatDoNotFit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("nothing returned") << "nothing"
                                      << "script.lua:2: silent returned nothing; a traced function must return at least one tensor";
    QTest::newRow("nil returned") << "nil" << "script.lua:3: result 1 of f is nil; a traced function returns tensors";
    QTest::newRow("string returned") << "string" << "script.lua:4: result 1 of f is a string; a traced function returns tensors";
    QTest::newRow("table returned") << "table" << "script.lua:5: result 1 of f is a table; a traced function returns tensors";
    QTest::newRow("second result") << "second" << "script.lua:6: result 2 of f is a boolean; a traced function returns tensors";
    QTest::newRow("number returned") << "number" << "gave s64[] 3";
    QTest::newRow("too few arguments") << "few" << "script.lua:9: two (defined on line 8) takes 2 arguments, got 1";
    QTest::newRow("no arguments") << "none" << "script.lua:10: two (defined on line 8) takes 2 arguments, got 0";
    QTest::newRow("too many arguments") << "many" << "script.lua:11: two (defined on line 8) takes 2 arguments, got 3";
    QTest::newRow("too few, inside a trace") << "inside" << "script.lua:12: two (defined on line 8) takes 2 arguments, got 1";
    QTest::newRow("nil argument") << "nil argument" << "script.lua:8: add: operand 2 must be a tensor or a number, not nil";
    QTest::newRow("Lua function as argument") << "function"
                                              << "script.lua:14: argument 2 of two is a Lua function, which cannot be part of a "
                                                 "template; make it a function with fn";
    QTest::newRow("tensor in a table") << "in table"
                                       << "script.lua:15: argument 2 of two contains a tensor; pass it as an argument of its own";
    QTest::newRow("section inside a trace")
        << "section"
        << "script.lua:16: section cannot be used while a function is traced (this is the body of "
           "'f'); use it outside";
    QTest::newRow("still works") << "works" << "gave f32[3] {0, 2, 4}";
  }
  void resultsAndArgumentsThatDoNotFit() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    static const CliRunner runner;
    static const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "attempt('nothing', fn('silent', function(x) local y = x + 1 end), iota{3})\n"
                                        "attempt('nil', fn('f', function(x) return nil end), iota{3})\n"
                                        "attempt('string', fn('f', function(x) return 'x' end), iota{3})\n"
                                        "attempt('table', fn('f', function(x) return {x} end), iota{3})\n"
                                        "attempt('second', fn('f', function(x) return x, true end), iota{3})\n"
                                        "attempt('number', fn('f', function(x) return 3 end), iota{3})\n"
                                        "local two = fn('two', function(a, b) return a + b end)\n"
                                        "attempt('few', function() return (two(iota{3})) end)\n"
                                        "attempt('none', function() return (two()) end)\n"
                                        "attempt('many', function() return (two(1, 2, 3)) end)\n"
                                        "attempt('inside', fn('f', function(x) return (two(x)) end), iota{3})\n"
                                        "attempt('nil argument', function() return (two(iota{3}, nil)) end)\n"
                                        "attempt('function', function() return (two(iota{3}, print)) end)\n"
                                        "attempt('in table', function() return (two(iota{3}, {iota{3}})) end)\n"
                                        "attempt('section', fn('f', function(x) section 'x' return x end), iota{3})\n"
                                        "attempt('works', function() return (two(iota{3}, iota{3})) end)\n");
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.reported(name), message);
    QCOMPARE(runner.status(), "finished");
  }

  void tensorsOfATraceStayInIt_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    const QString after =
        "a tensor of the trace of 'f' (line 3) was used after that trace ended: it stands for a value that only exists "
        "inside the function; return it instead";
    QTest::newRow("arithmetic") << "arithmetic" << "script.lua:5: " + after;
    QTest::newRow("argument") << "argument" << "script.lua:6: " + after;
    QTest::newRow("another trace") << "trace" << "script.lua:7: " + after;
    QTest::newRow("shape") << "shape" << "script.lua:8: " + after;
    QTest::newRow("elements") << "elements" << "script.lua:9: to_table: ";
    QTest::newRow("text") << "text" << "gave tensor of the trace of f";
    QTest::newRow("of an outer trace")
        << "outer" << "script.lua:12: a tensor of the trace of 'o' (line 11) was used inside 'i': pass it to 'i' as an argument";
    QTest::newRow("elements inside a trace") << "inside"
                                             << "script.lua:14: to_table: tensors have no elements while a function is traced; "
                                                "return the tensor and call to_table outside";
    QTest::newRow("afterwards") << "afterwards" << "gave f32[3] {0, 2, 4}";
  }
  void tensorsOfATraceStayInIt() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    static const CliRunner runner;
    static const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "local kept\n"
                                        "local f = fn('f', function(x) kept = x + 1 return x * 2 end)\n"
                                        "f(iota{3})\n"
                                        "attempt('arithmetic', function() return (kept + 1) end)\n"
                                        "attempt('argument', function() return (f(kept)) end)\n"
                                        "attempt('trace', fn('g', function(x) return x + kept end), iota{3})\n"
                                        "attempt('shape', function() return (kept:shape()) end)\n"
                                        "attempt('elements', function() return (kept:to_table()) end)\n"
                                        "attempt('text', tostring, kept)\n"
                                        "attempt('outer', fn('o', function(x)\n"
                                        "  local i = fn('i', function(y) return y + x end)\n"
                                        "  return i(x) end), iota{3})\n"
                                        "attempt('inside', fn('h', function(x) return (x:to_table()) end), iota{3})\n"
                                        "attempt('afterwards', f, iota{3})\n");
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.reported(name), message);
  }

  void theRunGoesOnAfterACaughtError() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "local f = fn('f', function(x, bad) if bad then return x:reshape{7} end return x * 2 end)\n"
                                        "local t = iota{3}\n"
                                        "attempt('first', f, t, true)\n"
                                        "attempt('again', f, t, true)\n"
                                        "attempt('good', f, t, false)\n"
                                        "attempt('tensor', function() return (t + 1), (t + zeros{3}) end)\n"
                                        "report('cached', cache.contains(f, t, true), cache.contains(f, t, false))\n"
                                        "attempt('clear', function() return (t + zeros{4}) end) cache.clear()\n"
                                        "attempt('last', f, t, false)\n");
    JS_COMPARE_STATUS(outcome, 0);
    for (const char *name : {"first", "again"}) {
      JS_VERIFY_CONTAINS(outcome.reported(name), "script.lua:2: reshape of ");
    }
    QCOMPARE(outcome.reported("good"), "gave f32[3] {0, 2, 4}");
    QCOMPARE(outcome.reported("tensor"), "gave f32[3] {1, 2, 3} f32[3] {0, 1, 2}");
    QCOMPARE(outcome.reported("cached"), "false true");
    QCOMPARE(outcome.reported("last"), "gave f32[3] {0, 2, 4}");
    QCOMPARE(runner.status(), "finished");
    QCOMPARE(runner.query("SELECT count(*) FROM call JOIN template t ON t.id = template_id JOIN function f ON f.id = t.function_id "
                          "WHERE f.name = 'f'"),
             "2");
  }

  void aFailedExpectationIsStatus1AndRecorded() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("local f = fn('f', function(x) return x * 2 end)\n"
                                                    "expect.outcome(time('one', f, iota{3}), 'hit')\n"
                                                    "expect.outcome(time('two', f, iota{3}), 'hit')\n"
                                                    "expect.equal(f(iota{3}), {0, 2, 5})\n"
                                                    "print('end')\n");
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.output, "script.lua:2: expect.outcome failed: expected hit, got miss");
    JS_VERIFY_CONTAINS(outcome.output, "script.lua:4: expect.equal failed");
    JS_VERIFY_CONTAINS(outcome.output, "end\n");
    QCOMPARE(runner.status(), "finished");
    QCOMPARE(runner.query("SELECT count(*), sum(passed) FROM expectation"), "3|1");
    QCOMPARE(runner.query("SELECT line, name, expected, actual FROM expectation WHERE NOT passed ORDER BY id"),
             "2|expect.outcome|hit|miss");
  }

  // ---- cold legs

  void anErrorInTheProcessOfAColdLegIsReported() {
    // The script is another one when the process of the cold leg reads it.
    const CliRunner runner;
    const QByteArray code = "local f = fn('f', function(x) return x * 2 end)\n"
                            "f(iota{3})\n"
                            "print('ready')\n"
                            "sleep(1500)\n"
                            "bench{warmup = 0, time = 0.1, legs = {'cold'}, {'the case', f, iota{3}}}\n";
    QByteArray output;
    const auto process = runner.startScript(code, "ready", output);
    QVERIFY(output.contains("ready"));
    runner.write("script.lua", "local f = fn('f', function(x) return x * 2 end)\n\nerror('changed')\n");
    const CommandOutcome outcome = CliRunner::end(*process, output);
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: script.lua:5: ");
    JS_VERIFY_CONTAINS(outcome.errors, "'the case'");
    verifyWhatCameBeforeTheBench(runner);
  }

  void theDeathOfTheProcessOfAColdLegIsReported() {
    const CliRunner runner;
    const QByteArray code = "local f = fn('f', function(x) return x * 2 end)\n"
                            "f(iota{3})\n"
                            "print('ready')\n"
                            "\n"
                            "bench{warmup = 0, time = 20, legs = {'cold'}, {'the case', f, iota{100000}}}\n";
    QByteArray output;
    const auto process = runner.startScript(code, "ready", output);
    const pid_t child = CliRunner::coldLegOf(*process);
    QVERIFY(child > 0);
    QCOMPARE(::kill(child, SIGSEGV), 0);
    const CommandOutcome outcome = CliRunner::end(*process, output);
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors,
                       "jitscope: script.lua:5: the process of the cold leg was ended by signal 11 (Segmentation fault)");
    JS_VERIFY_CONTAINS(outcome.errors, "'the case'");
    verifyWhatCameBeforeTheBench(runner);
  }

  void aColdLegWithoutATemporaryFolderIsReported() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("local f = fn('f', function(x) return x * 2 end)\n"
                                                    "f(iota{3})\n"
                                                    "bench{warmup = 0, time = 0.1, legs = {'cold'}, {'the case', f, iota{3}}}\n",
                                                    {}, {.environment = {"TMPDIR=/proc"}});
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: script.lua:3: no temporary folder /proc/jitscope-work-");
    verifyWhatCameBeforeTheBench(runner);
  }

private:
  static void verifyWhatCameBeforeTheBench(const CliRunner &runner) {
    QCOMPARE(runner.status(), "failed");
    QCOMPARE(runner.query("SELECT count(*) FROM call JOIN template t ON t.id = template_id JOIN function f ON f.id = t.function_id "
                          "WHERE f.name = 'f' AND phase = 'run'"),
             "1");
    QCOMPARE(runner.temporaryFiles(), QStringList());
  }
};

QTEST_GUILESS_MAIN(TestRunErrors)
#include "tst_run_errors.moc"
