// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using event::Outcome;
using test::ScriptRun;

namespace {

/// Two functions and a tensor for the scripts below, on line 1. Every leg that is measured has the samples 1, 2, ... 100 ms.
const std::string kSetUp =
    "local f = fn('f', function(x, y) return x + y end) local g = fn('g', function(x) return x end) local a = zeros{2}\n";

/// Five templates of a function, the second with the most code.
void giveTemplates(test::FakeHost &host) {
  host.templates = {{"f32[1]", 300}, {"f32[2]", 400}, {"f32[3]", 200}, {"f32[4]", 100}, {"f32[5]", 0}};
}

} // namespace

/// Budgets, and checks of cases before they are measured.
class TestScriptBudgets : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void budgetsAreRecorded_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("budget");
    QTest::addColumn<bool>("passes");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("actual");
    const auto row = [](const char *name, const char *before, const char *budget, bool passes, const char *expected,
                        const char *actual) { QTest::newRow(name) << before << budget << passes << expected << actual; };
    const char *const kWarm = "bench{legs = {'warm'}, {'c', g, a}}";
    row("steady", kWarm, "expect.no_compiles{case = 'c'}", true, "no compile in the samples of c (warm)", "none in 100 samples");
    row("steady beside a cold leg", "bench{{'c', g, a}}", "expect.no_compiles{case = 'c'}", true,
        "no compile in the samples of c (warm)", "none in 100 samples");
    row("steady on one input", "bench{inputs = {s = {a}, t = {a}}, {'c', g}}", "expect.no_compiles{case = 'c', input = 't'}", true,
        "no compile in the samples of c [t] (warm)", "none in 100 samples");
    const char *const kStorm = "5: ..., f32[3]; f32[4]; f32[5]";
    row("templates", "g(a)", "expect.templates{g, at_most = 5}", true, "at most 5 templates of g", kStorm);
    row("recompile storm", "g(a)", "expect.templates{g, at_most = 4}", false, "at most 4 templates of g", kStorm);
    row("one template", "g(a)", "expect.templates{g, at_most = 1}", false, "at most 1 template of g", kStorm);
    row("code", "g(a)", "expect.code_bytes{g, below = 401}", true, "each executable of g below 401 bytes", "400 bytes for f32[2]");
    row("too much code", "g(a)", "expect.code_bytes{g, below = 400}", false, "each executable of g below 400 bytes",
        "400 bytes for f32[2]");
    row("a median at its bound", kWarm, "expect.percentile{case = 'c', p = 50, below_ms = 50.5}", false,
        "p50 of c (warm) below 50.5 ms", "50.5000 ms");
    row("a maximum at its bound", kWarm, "expect.percentile{case = 'c', p = 100, below_ms = 100}", false,
        "p100 of c (warm) below 100 ms", "100.0000 ms");
  }
  void budgetsAreRecorded() {
    QFETCH(QString, before);
    QFETCH(QString, budget);
    QFETCH(bool, passes);
    QFETCH(QString, expected);
    QFETCH(QString, actual);
    ScriptRun run;
    giveTemplates(run.host);
    run.run(kSetUp + before.toStdString() + "\nlocal held = " + budget.toStdString() + "\nprint(held)");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.expectations.size(), 1U);
    const event::ExpectationEvent &event = run.host.expectations[0];
    QCOMPARE(QString::fromStdString(event.name), budget.section('{', 0, 0));
    QCOMPARE(QString::fromStdString(event.expected), expected);
    QCOMPARE(QString::fromStdString(event.actual), actual);
    QCOMPARE(event.passed, passes);
    QCOMPARE(event.line, 3);
    QVERIFY(QString::fromStdString(run.host.printed).endsWith(passes ? "true\n" : "false\n"));
  }

  void aCompileAmongWarmSamplesBreaksTheBudget_data() {
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("breaks");
    QTest::newRow("miss") << static_cast<int>(Outcome::Miss) << true;
    QTest::newRow("bypass") << static_cast<int>(Outcome::Bypass) << true;
    QTest::newRow("wait") << static_cast<int>(Outcome::Wait) << true;
    QTest::newRow("retrace") << static_cast<int>(Outcome::Retrace) << false;
    QTest::newRow("disk") << static_cast<int>(Outcome::Disk) << false;
  }
  void aCompileAmongWarmSamplesBreaksTheBudget() {
    QFETCH(int, outcome);
    QFETCH(bool, breaks);
    ScriptRun run;
    run.host.sampleOutcomes = {Outcome::Hit, static_cast<Outcome>(outcome), static_cast<Outcome>(outcome)};
    run.run(kSetUp + "bench{legs = {'warm'}, {'c', g, a}} expect.no_compiles{case = 'c'}");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.expectations.at(0).passed, !breaks);
    QCOMPARE(run.host.expectations.at(0).actual,
             std::string(breaks ? "2 of 100 samples held up by a compile" : "none in 100 samples"));
  }

  void aBudgetThatCannotFailIsAnError_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *code, const char *message) { QTest::newRow(name) << code << message; };
    row("no such case", "bench{{'case', g, a}} expect.percentile{case = 'cse', p = 9, below_ms = 1}",
        "expect.percentile: no case \"cse\" was measured before; did you mean \"case\"?");
    row("before the bench", "expect.no_compiles{case = 'c'} bench{{'c', g, a}}",
        "expect.no_compiles: no case \"c\" was measured before");
    row("no case", "expect.no_compiles{}", "expect.no_compiles: case is missing: the name of a case of bench");
    row("case in a list", "expect.no_compiles{'c'}", "expect.no_compiles: it takes fields such as case= and no list");
    row("two legs", "bench{{'c', g, a}} expect.percentile{case = 'c', p = 9, below_ms = 1}",
        "expect.percentile: case \"c\" was measured as c (cold), c (warm): add leg=");
    row("two inputs", "bench{inputs = {s = {a}, t = {a}}, {'c', g}} expect.no_compiles{case = 'c'}",
        "expect.no_compiles: case \"c\" was measured as c [s] (cold), c [s] (warm), c [t] (cold), c [t] (warm): add input=");
    row("leg not measured", "bench{legs = {'warm'}, {'c', g, a}} expect.percentile{case = 'c', leg = 'cold', p = 9, below_ms = 1}",
        "expect.percentile: case \"c\" was not measured with this input and leg, but as c (warm)");
    row("input not measured", "bench{inputs = {s = {a}}, {'c', g}} expect.no_compiles{case = 'c', input = 't'}",
        "expect.no_compiles: case \"c\" was not measured with this input and leg, but as c [s] (cold), c [s] (warm)");
    row("nothing like it", "bench{{'c', g, a}} bench{{'dot', g, a}} expect.no_compiles{case = 'unlike'}",
        "expect.no_compiles: no case \"unlike\" was measured before; there is \"c\", \"dot\"");
    row("cold only", "bench{legs = {'cold'}, {'c', g, a}} expect.no_compiles{case = 'c'}",
        "expect.no_compiles: case \"c\" has no warm leg, so it has no samples after a warm-up");
    row("unknown leg", "expect.percentile{case = 'c', leg = 'hot', p = 9, below_ms = 1}",
        "expect.percentile: there is no leg \"hot\"; there are \"cold\" and \"warm\"");
    row("percent beyond 100", "expect.percentile{case = 'c', p = 101, below_ms = 1}",
        "expect.percentile: p must be 0 to 100, not 101");
    row("percent that is no number", "expect.percentile{case = 'c', p = 0/0, below_ms = 1}",
        "expect.percentile: p must be 0 to 100, not -nan");
    row("no percent", "expect.percentile{case = 'c', below_ms = 1}",
        "expect.percentile: p is missing: without a bound it could not fail");
    row("no bound", "expect.percentile{case = 'c', p = 1}",
        "expect.percentile: below_ms is missing: without a bound it could not fail");
    row("bound of 0", "expect.percentile{case = 'c', p = 10, below_ms = 0}",
        "expect.percentile: below_ms must be more than 0 and at most 86400000, which is a day, not 0");
    row("endless bound", "expect.percentile{case = 'c', p = 10, below_ms = math.huge}",
        "expect.percentile: below_ms must be more than 0 and at most 86400000, which is a day, not inf");
    row("bound as text", "expect.percentile{case = 'c', p = 10, below_ms = '1'}",
        "expect.percentile: below_ms must be a number, not a string");
    row("unknown field", "expect.percentile{case = 'c', pp = 10}",
        "expect.percentile: there is no field \"pp\"; there are case, input, leg, p and below_ms; did you mean \"p\"?");
    row("function never called", "expect.templates{g, at_most = 4}",
        "expect.templates: g has no executable yet: it was never called or compiled on its own");
    row("code of a function never called", "expect.code_bytes{g, below = 4}",
        "expect.code_bytes: g has no executable yet: it was never called or compiled on its own");
    row("no function", "expect.templates{at_most = 4}",
        "expect.templates: the list must hold one function made by fn and nothing else, not nil");
    row("a Lua function", "expect.templates{print, at_most = 4}",
        "expect.templates: the list must hold one function made by fn and nothing else, not a Lua function");
    row("two functions", "expect.code_bytes{g, f, below = 4}",
        "expect.code_bytes: the list must hold one function made by fn and nothing else, not 2 values");
    row("no number of templates", "expect.templates{g}", "expect.templates: at_most is missing: without a bound it could not fail");
    row("no templates at all", "expect.templates{g, at_most = 0}", "expect.templates: at_most must be 1 to 1000000, not 0");
    row("endless templates", "expect.templates{g, at_most = math.huge}",
        "expect.templates: at_most must be a whole number, not inf");
    row("half a byte", "expect.code_bytes{g, below = 0.5}", "expect.code_bytes: below must be a whole number, not 0.5");
    row("slip", "expect.templates{g, atmost = 4}",
        "expect.templates: there is no field \"atmost\"; there is only at_most; did you mean \"at_most\"?");
    row("in a trace", "fn('h', function(x) expect.templates{g, at_most = 1} return x end)(a)", "");
  }
  void aBudgetThatCannotFailIsAnError() {
    QFETCH(QString, code);
    QFETCH(QString, message);
    const ScriptRun run(kSetUp + code.toStdString());
    QVERIFY(!run.result);
    if (!message.isEmpty()) {
      QCOMPARE(QString::fromStdString(run.error()), "script.lua:2: " + message);
      QCOMPARE(run.result.error().code, base::ErrorCode::ScriptArgument);
    }
    QVERIFY(run.host.expectations.empty());
  }

  void aScriptThatRunsAgainForAColdLegPassesOverItsBudgets_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("percentile") << "bench{{'c', g, a}} print(expect.percentile{case = 'c', leg = 'cold', p = 1, below_ms = 0.001})";
    QTest::newRow("no compiles") << "bench{{'c', g, a}} print(expect.no_compiles{case = 'c'})";
    QTest::newRow("templates") << "print(expect.templates{g, at_most = 1})";
    QTest::newRow("code") << "print(expect.code_bytes{g, below = 1})";
    QTest::newRow("compiles") << "print(expect.compiles(0, function() end))";
  }
  void aScriptThatRunsAgainForAColdLegPassesOverItsBudgets() {
    QFETCH(QString, code);
    ScriptRun run;
    run.host.replays = true;
    run.run(kSetUp + code.toStdString());
    QCOMPARE(run.output(), std::string("true\n"));
    QVERIFY(run.host.expectations.empty());
  }

  void aCaseIsCheckedBeforeItIsMeasured_data() {
    QTest::addColumn<QString>("check");
    QTest::addColumn<QString>("actual");
    QTest::newRow("true") << "return true" << "c passed it";
    QTest::newRow("nothing") << "" << "c passed it";
    QTest::newRow("expectation that holds") << "return expect.equal(t, t)" << "c passed it";
    QTest::newRow("false") << "return false" << "the check returned false";
    QTest::newRow("nil") << "return nil" << "the check returned false";
    QTest::newRow("error") << "error('too small')" << "script.lua:2: too small";
    QTest::newRow("assertion") << "assert(t:shape()[1] == 3, 'another shape')" << "script.lua:2: another shape";
    QTest::newRow("error of another kind") << "error({})" << "an error whose message could not be read";
    QTest::newRow("expectation that fails") << "expect.equal(t:shape()[1], 3)" << "an expectation in the check failed";
  }
  void aCaseIsCheckedBeforeItIsMeasured() {
    QFETCH(QString, check);
    QFETCH(QString, actual);
    const bool passes = actual == "c passed it";
    const ScriptRun run(kSetUp + "local r = bench{legs = {'warm'}, {'c', g, a, check = function(t) " + check.toStdString() +
                        " end}, {'d', g, a}} print(r[1].broken, r[1].samples, r[2].broken, r[2].samples)");
    QCOMPARE(run.error(), std::string());
    const event::ExpectationEvent &event = run.host.expectations.back();
    QCOMPARE(event.name, std::string("bench.check"));
    QCOMPARE(event.line, 2);
    QCOMPARE(event.passed, passes);
    QCOMPARE(event.expected, std::string("c to pass its check"));
    QCOMPARE(QString::fromStdString(event.actual), actual);
    QCOMPARE(run.host.benches.at(0).cases[0].inputs[0].isBroken, !passes);
    QVERIFY(QString::fromStdString(run.host.printed).endsWith(passes ? "false\t100\tfalse\t100\n" : "true\t0\tfalse\t100\n"));
  }

  void aBudgetOfABrokenCaseFails() {
    const ScriptRun run(kSetUp + "bench{check = function() return false end, legs = {'warm'}, {'c', g, a}}\n"
                                 "expect.percentile{case = 'c', p = 50, below_ms = 1000} expect.no_compiles{case = 'c'}");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.expectations.size(), 3U);
    for (std::size_t i = 1; i < 3; ++i) {
      QVERIFY(!run.host.expectations[i].passed);
      QCOMPARE(run.host.expectations[i].actual, std::string("nothing: the case failed its check and was not measured"));
    }
  }

  void aCheckIsGivenEveryResultAndTheInputsName() {
    const ScriptRun run(
        "local p = fn('p', function(x) return x, x + x end)\n"
        "bench{check = function(x, y, input) print(x:shape()[1], y:shape()[1], input) return input ~= 'three' end,\n"
        "  inputs = {two = {zeros{2}}, three = {zeros{3}}}, {'c', p}, {'own', p, check = function() end}}");
    QCOMPARE(run.error(), std::string());
    const QString printed = QString::fromStdString(run.host.printed);
    QVERIFY2(printed.contains("3\t3\tthree\n"), qPrintable(printed));
    QVERIFY2(printed.contains("2\t2\ttwo\n"), qPrintable(printed));
    // Inputs in the order of their names: "three" first. The case's own check stands for the bench's.
    const std::vector<script::BenchCase> &cases = run.host.benches.at(0).cases;
    QVERIFY(cases[0].inputs[0].isBroken && !cases[0].inputs[1].isBroken);
    QVERIFY(!cases[1].inputs[0].isBroken && !cases[1].inputs[1].isBroken);
  }

  void aCheckThatNeverEndsEndsTheScript() {
    script::LuaOptions options;
    options.limits.traceNs = 50'000'000;
    const ScriptRun run(kSetUp + "bench{check = function() print 'in' while true do end end, {'c', g, a}} print 'on'", options);
    QVERIFY(!run.result);
    QCOMPARE(run.result.error().code, base::ErrorCode::ScriptLimit);
    QCOMPARE(run.host.printed, std::string("in\n"));
    QVERIFY(run.host.expectations.empty());
  }
};

QTEST_GUILESS_MAIN(TestScriptBudgets)
#include "tst_script_budgets.moc"
