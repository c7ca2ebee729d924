// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using base::ErrorCode;
using test::ScriptRun;

namespace {

/// Two functions and a tensor for the scripts below, on line 1.
const std::string kSetUp =
    "local f = fn('f', function(x, y) return x + y end) local g = fn('g', function(x) return x end) local a = zeros{2}\n";

} // namespace

class TestScriptBench : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void benchIsReadWhole() {
    const ScriptRun run(kSetUp +
                        "bench{warmup = 0.5, time = 4, parallel = 3, legs = {'warm', 'cold'}, {'one', f, a, 2}, {'two', g, a}}");
    QCOMPARE(run.error(), std::string());
    const script::BenchRequest &request = run.host.benches.at(0);
    QCOMPARE(request.warmupSeconds, 0.5);
    QCOMPARE(request.timeSeconds, 4.0);
    QCOMPARE(request.parallel, 3U);
    QCOMPARE(request.legs, (std::vector{event::Leg::Warm, event::Leg::Cold}));
    QCOMPARE(request.cases.size(), 2U);
    QCOMPARE(request.cases[0].name, std::string("one"));
    QCOMPARE(request.cases[0].function, base::FunctionId(1));
    QCOMPARE(request.cases[0].inputs.size(), 1U);
    QCOMPARE(request.cases[0].inputs[0].name, std::string());
    QCOMPARE(request.cases[0].inputs[0].arguments.size(), 2U);
    QVERIFY(std::get<graph::Tensor>(request.cases[0].inputs[0].arguments[1]).weak);
    QCOMPARE(request.cases[1].function, base::FunctionId(2));
  }

  void benchHasBencheesDefaults() {
    const ScriptRun run(kSetUp + "bench{{'one', g, a}}");
    const script::BenchRequest &request = run.host.benches.at(0);
    QCOMPARE(request.warmupSeconds, 2.0);
    QCOMPARE(request.timeSeconds, 5.0);
    QCOMPARE(request.parallel, 1U);
    QCOMPARE(request.legs, (std::vector{event::Leg::Cold, event::Leg::Warm}));
  }

  void everyCaseRunsOnEveryInput() {
    const ScriptRun run(kSetUp +
                        "bench{inputs = {small = {a, 'x'}, large = {zeros{9}, 'x'}, medium = {a, a}}, {'one', f}, {'two', f}}");
    QVERIFY(!run.result); // f cannot add text; what matters is how it was read
    const script::BenchRequest &request = run.host.benches.at(0);
    QCOMPARE(request.cases.size(), 2U);
    for (const script::BenchCase &benchCase : request.cases) {
      QCOMPARE(benchCase.inputs.size(), 3U);
      QCOMPARE(benchCase.inputs[0].name, std::string("large")); // in the order of their names
      QCOMPARE(benchCase.inputs[1].name, std::string("medium"));
      QCOMPARE(benchCase.inputs[2].name, std::string("small"));
      QVERIFY(std::get<graph::Tensor>(benchCase.inputs[0].arguments[0]).shape == graph::Shape({9}));
      QCOMPARE(std::get<script::StaticArgument>(benchCase.inputs[0].arguments[1]).value.text, std::string("\"x\""));
    }
  }

  void benchGivesFigures() {
    const ScriptRun run(kSetUp +
                        "local r = bench{{'one', g, a}} print(#r, r[1].case, r[1].leg, r[2].leg, r[1].samples, r[1].min_ns, "
                        "r[1].median_ns, r[1].max_ns)");
    QCOMPARE(run.output(), std::string("2\tone\tcold\twarm\t100\t1000000.0\t50500000.0\t100000000.0\n"));
  }

  void benchNamesTheWrongField_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *table, const char *message) { QTest::newRow(name) << table << message; };
    row("no table", "1", "expected a table such as {time=4, {\"case\", f, a}}, not a number");
    row("no case", "{}", "there is no case; one is {\"name\", f, a, b}");
    row("field with a typo", "{warmpu = 1, {'a', g, a}}",
        "there is no field \"warmpu\"; there are warmup, time, parallel, legs, inputs, check and max_samples; did you mean "
        "\"warmup\"?");
    row("negative warmup", "{warmup = -1, {'a', g, a}}", "warmup must be at least 0 and at most 86400 seconds, not -1");
    row("warmup as text", "{warmup = 'x', {'a', g, a}}", "warmup must be a number, not a string");
    row("no time", "{time = 0, {'a', g, a}}", "time must be more than 0 and at most 86400 seconds, not 0");
    row("endless time", "{time = math.huge, {'a', g, a}}", "time must be more than 0 and at most 86400 seconds, not inf");
    row("parallel of none", "{parallel = 0, {'a', g, a}}", "parallel must be 1 to 1024, not 0");
    row("fractional parallel", "{parallel = 1.5, {'a', g, a}}", "parallel must be a whole number, not 1.5");
    row("no legs", "{legs = {}, {'a', g, a}}", "legs must be a table of \"cold\" and \"warm\", not an empty one");
    row("legs as text", "{legs = 'warm', {'a', g, a}}", "legs must be a table of \"cold\" and \"warm\", not a string");
    row("unknown leg", "{legs = {'hot'}, {'a', g, a}}", "there is no leg \"hot\"; there are \"cold\" and \"warm\"");
    row("leg twice", "{legs = {'warm', 'warm'}, {'a', g, a}}", "leg \"warm\" is named twice");
    row("case as text", "{'x'}", "case 1 must be a table {\"name\", f, ...}, not a string");
    row("case without a name", "{{g, a}}", "the name of case 1 must be a string, not a function made by fn");
    row("case with an empty name", "{{'', g, a}}", "the name of case 1 is empty");
    row("case without a function", "{{'a'}}", "case \"a\" must have a function made by fn after its name, not nil");
    row("case with a Lua function", "{{'a', print}}",
        "case \"a\" must have a function made by fn after its name, not a Lua function");
    row("two of a name", "{{'a', g, a}, {'a', g, a}}", "two cases are called \"a\"");
    row("hole", "{[1] = {'a', g, a}, [3] = {'b', g, a}}", "the list of cases has a hole (is one of them nil?)");
    row("too few arguments", "{{'a', f, a}}", "case \"a\": f (defined on line 1) takes 2 arguments, got 1");
    row("inputs as text", "{inputs = 'x', {'a', g}}", "inputs must be a table such as {small={a, b}, large={c, d}}, not a string");
    row("no inputs", "{inputs = {}, {'a', g}}", "inputs is empty");
    row("input without a name", "{inputs = {{a}}, {'a', g}}", "each of inputs needs a name, as in inputs={small={a, b}}");
    row("input without a table", "{inputs = {x = a}, {'a', g}}", "input \"x\" must be a table of arguments, not a tensor");
    row("input with too few", "{inputs = {x = {a}}, {'a', f}}",
        "case \"a\" with input \"x\": f (defined on line 1) takes 2 arguments, got 1");
    row("no samples", "{max_samples = 0, {'a', g, a}}", "max_samples must be 1 to 100000000, not 0");
    row("fractional samples", "{max_samples = 1.5, {'a', g, a}}", "max_samples must be a whole number, not 1.5");
    row("check as text", "{check = 'x', {'a', g, a}}", "check must be a Lua function that is given the results, not a string");
    row("check made by fn", "{{'a', g, a, check = g}}",
        "check must be a Lua function that is given the results, not a function made by fn");
    row("field of a case", "{{'a', g, a, chek = print}}",
        "there is no field \"chek\"; there is only check; did you mean \"check\"?");
    row("arguments and inputs", "{inputs = {x = {a}}, {'a', g, a}}",
        "case \"a\" has arguments of its own, but its arguments come from inputs");
  }
  void benchNamesTheWrongField() {
    QFETCH(QString, table);
    QFETCH(QString, message);
    const ScriptRun run(kSetUp + "bench(" + table.toStdString() + ")");
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:2: bench: " + message);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptArgument);
  }

  void aBenchMayKeepFewerSamples() {
    const ScriptRun run(kSetUp + "bench{max_samples = 7, {'a', g, a}} bench{{'a', g, a}}");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.benches.at(0).maxSamples, std::optional<std::uint64_t>(7));
    QVERIFY(!run.host.benches.at(1).maxSamples);
  }

  void figuresOfALegThatWasPassedOverCanBeReckonedWith() {
    ScriptRun run;
    run.host.replays = true;
    run.run(kSetUp + "local r = bench{{'a', g, a}} print(r[1].samples, r[1].median_ns * 2 < 1, r[1].broken)");
    QCOMPARE(run.output(), std::string("0\tfalse\tfalse\n"));
  }

  void anInterruptOfTheEngineCannotBeCaught() {
    ScriptRun run;
    run.host.benchError = base::Error{ErrorCode::ScriptInterrupted, "stopped"};
    run.run(kSetUp + "while true do pcall(bench, {{'a', g, a}}) end");
    QCOMPARE(run.error(), std::string("script.lua:2: stopped"));
  }

  void timePrintsAsTheNotebook() {
    const ScriptRun run(kSetUp +
                        "section 'x' local r = time('first', f, a, a) time('again', f, a, a)\n"
                        "print(r.label, r.outcome, r.compiled, r.ns, r.ms, r.compile_ns, r.execute_ns, r.lookup_ns, r.wait_ns)");
    QCOMPARE(run.output(), std::string("first: 2.0 ms\nCompiled: true\nCompile events so far in this section: 1\n\n"
                                       "again: 0.0010 ms\nCompiled: false\nCompile events so far in this section: 1\n\n"
                                       "first\tmiss\ttrue\t2001000\t2.001\t2000000\t1000\t0\t0\n"));
    QCOMPARE(run.host.sections, std::vector<std::string>{"x"});
  }

  void timeFreesItsResults() {
    ScriptRun run;
    run.host.allocator.limitBytes = 3000;
    run.run("local f = fn('f', function() return zeros({2500}, 'u8') end) for i = 1, 5 do time('x', f) end");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.allocator.refusals, 0);
  }

  void compilingAheadMakesAHit() {
    const ScriptRun run(kSetUp + "print(cache.contains(g, a), compile(g, a).outcome, cache.contains(g, a)) g(a) cache.clear() "
                                 "print(cache.contains(g, a))");
    QCOMPARE(run.output(), std::string("false\tmiss\ttrue\nfalse\n"));
    QCOMPARE(run.host.calls.back(), std::string("g(f32[2]) hit"));
  }

  void optionsAreGivenInOrderOfTheirNames() {
    const ScriptRun run("options{slp = false, pipeline = 'deferred', opt = 2, x = 1.5}");
    QCOMPARE(run.host.options, (std::vector<std::string>{"opt=2", "pipeline=deferred", "slp=false", "x=1.5"}));
  }

  void statsPrintsAndGivesTheCounters() {
    const ScriptRun run(
        "local a, b = zeros{1}, zeros{1} local s = stats() print(s.calls, s.hits, s.misses, s.compiles, s.tensor_live_bytes)");
    const QString output = QString::fromStdString(run.output());
    QVERIFY(output.startsWith("calls                                    2\nhits                                     1\n"));
    QVERIFY(output.endsWith("2\t1\t1\t1\t8\n"));
  }

  void expectationsAreRecorded_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("passes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("actual");
    const auto row = [](const char *name, const char *code, bool passes, const char *function, const char *expected,
                        const char *actual) { QTest::newRow(name) << code << passes << function << expected << actual; };
    row("outcome", "expect.outcome(time('x', g, a), 'miss')", true, "expect.outcome", "miss", "miss");
    row("other outcome", "expect.outcome(compile(g, a), 'hit')", false, "expect.outcome", "hit", "miss");
    row("compiles", "expect.compiles(1, function() g(a) g(a) end)", true, "expect.compiles", "1", "1");
    row("no compiles", "expect.compiles(0, function() g(a) end)", false, "expect.compiles", "0", "1");
    row("percentile", "bench{{'c', g, a}} expect.percentile{case = 'c', leg = 'warm', p = 50, below_ms = 51}", true,
        "expect.percentile", "p50 of c (warm) below 51 ms", "50.5000 ms");
    row("slow percentile", "bench{{'c', g, a}} expect.percentile{case = 'c', leg = 'cold', p = 99, below_ms = 99}", false,
        "expect.percentile", "p99 of c (cold) below 99 ms", "99.9900 ms");
    row("the one leg", "bench{legs = {'warm'}, {'c', g, a}} expect.percentile{case = 'c', p = 100, below_ms = 101}", true,
        "expect.percentile", "p100 of c (warm) below 101 ms", "100.0000 ms");
    row("one of the inputs",
        "bench{legs = {'warm'}, inputs = {s = {a}, t = {a}}, {'c', g}} "
        "expect.percentile{case = 'c', input = 't', p = 0, below_ms = 2}",
        true, "expect.percentile", "p0 of c [t] (warm) below 2 ms", "1.0000 ms");
    row("equal", "expect.equal(tensor{1, 2}, {1, 2})", true, "expect.equal", "a table of shape [2]", "s64[2] {1, 2}");
    row("equal of other dtypes", "expect.equal(tensor{1, 2}, tensor{1.0, 2.0})", true, "expect.equal", "f32[2] {1, 2}",
        "s64[2] {1, 2}");
    row("unequal", "expect.equal(tensor{{1, 2}, {3, 7}}, {{1, 3}, {3, 4}})", false, "expect.equal", "a table of shape [2,2]",
        "s64[2,2] {{1, 2}, {3, 7}} (2 of 4 elements differ, most at [1,1]: 7 instead of 4)");
    row("within the tolerance", "expect.equal(tensor{1.5}, {1.25}, 0.25)", true, "expect.equal", "a table of shape [1] within 0.25",
        "f32[1] {1.5}");
    row("beyond the tolerance", "expect.equal(tensor{1.5}, {1.25}, 0.125)", false, "expect.equal",
        "a table of shape [1] within 0.125", "f32[1] {1.5} (1 of 1 elements differ, most at [0]: 1.5 instead of 1.25)");
    row("other shape", "expect.equal(tensor{1, 2}, {{1, 2}})", false, "expect.equal", "a table of shape [1,2]", "s64[2] {1, 2}");
    row("scalar", "expect.equal(tensor(3), 3)", true, "expect.equal", "3", "s64[] 3");
    row("truth", "expect.equal(tensor(true), true)", true, "expect.equal", "true", "pred[] true");
    row("NaN equals NaN", "expect.equal(tensor{0/0}, {0/0})", true, "expect.equal", "a table of shape [1]", "f32[1] {nan}");
    row("NaN equals nothing else", "expect.equal(tensor(1.0), 0/0, 5)", false, "expect.equal", "nan within 5", "f32[] 1");
    row("infinities", "expect.equal(tensor{1/0, -1/0}, {1/0, -1/0})", true, "expect.equal", "a table of shape [2]",
        "f32[2] {inf, -inf}");
    row("large neighbours", "expect.equal(tensor(math.maxinteger), math.maxinteger - 1)", false, "expect.equal",
        "9223372036854775806", "s64[] 9223372036854775807");
    row("empty", "expect.equal(tensor{}, zeros{0})", true, "expect.equal", "f32[0] {}", "f32[0] {}");
    row("text", "expect.equal('a', 'b')", false, "expect.equal", "b", "a");
    row("numbers", "expect.equal(1, 1.0)", true, "expect.equal", "1", "1");
  }
  void expectationsAreRecorded() {
    QFETCH(QString, code);
    QFETCH(bool, passes);
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QFETCH(QString, actual);
    const ScriptRun run(kSetUp + code.toStdString() + " print 'on'");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.expectations.size(), 1U);
    const event::ExpectationEvent &event = run.host.expectations[0];
    QCOMPARE(event.passed, passes);
    QCOMPARE(QString::fromStdString(event.name), name);
    QCOMPARE(QString::fromStdString(event.expected), expected);
    QCOMPARE(QString::fromStdString(event.actual), actual);
    QCOMPARE(event.line, 2);
    const QString printed = QString::fromStdString(run.host.printed);
    QCOMPARE(printed.contains("script.lua:2: " + name + " failed: expected " + expected + ", got " + actual + "\n"), !passes);
    QVERIFY(printed.endsWith("on\n"));
  }

  void expectationsRefuse_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *code, const char *message) { QTest::newRow(name) << code << message; };
    row("outcome of nothing", "expect.outcome(1, 'hit')", "expect.outcome: expected the result of time or compile, not a number");
    row("outcome of a table", "expect.outcome({}, 'hit')",
        "expect.outcome: expected the result of time or compile; this table has no outcome");
    row("unknown outcome", "expect.outcome(compile(g, a), 'mis')",
        "expect.outcome: there is no outcome \"mis\"; there are hit, retrace, disk, miss, wait, bypass; did you mean \"miss\"?");
    row("compiles of a number", "expect.compiles(1, 2)",
        "expect.compiles: expected a Lua function that makes the calls, not a number");
    row("negative compiles", "expect.compiles(-1, print)",
        "expect.compiles: the number of compiles must not be negative, but is -1");
    row("nothing that could compile", "expect.compiles(0, function() end)",
        "expect.compiles: the function called and compiled nothing, so no compile could happen");
    row("tolerance", "expect.equal(1, 1, -1)", "expect.equal: the tolerance must be at least 0, not -1");
  }
  void expectationsRefuse() {
    QFETCH(QString, code);
    QFETCH(QString, message);
    const ScriptRun run(kSetUp + code.toStdString());
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:2: " + message);
    QVERIFY(run.host.expectations.empty());
  }

  void expectationsTellTheScriptWhetherTheyHold() {
    const ScriptRun run("print(expect.equal(1, 1)) print(expect.equal(1, 2))");
    QCOMPARE(run.output(), std::string("true\nscript.lua:1: expect.equal failed: expected 2, got 1\nfalse\n"));
  }

  void theNotebookRuns() {
    const base::Result<script::ScriptSource> source = script::makeScript(
        "exla.lua", "local dot = fn('Matmul.dot', function(a, b)\n  sleep(10)\n  return a:dot(b)\nend)\n"
                    "local function pair(n)\n  local left = iota({ n, n }, 'f32')\n  return left, left * 0.001\nend\n"
                    "section 'inputs'\nlocal left64, right64 = pair(64)\nlocal left256, right256 = pair(256)\n"
                    "local left256f64, right256f64 = left256:as_type('f64'), right256:as_type('f64')\n"
                    "section 'miss, hit and a new shape'\n"
                    "expect.outcome(time('64x64 first call', dot, left64, right64), 'miss')\n"
                    "expect.outcome(time('64x64 same shape', dot, left64, right64), 'hit')\n"
                    "expect.outcome(time('256x256 new shape', dot, left256, right256), 'miss')\n"
                    "section 'benchmark'\n"
                    "bench { warmup = 2, time = 4, { '256x256', dot, left256, right256 },\n"
                    "  { '256x256 f64', dot, left256f64, right256f64 } }\n");
    test::FakeHost host;
    const std::atomic<bool> stop = false;
    const base::Result<void> result = script::LuaScript(*source, host, stop).run();
    QVERIFY(result);
    QCOMPARE(host.expectations.size(), 3U);
    QVERIFY(std::ranges::all_of(host.expectations, &event::ExpectationEvent::passed));
    QCOMPARE(host.calls.back(), std::string("Matmul.dot(f64[256,256], f64[256,256]) miss"));
  }
};

QTEST_GUILESS_MAIN(TestScriptBench)
#include "tst_script_bench.moc"
