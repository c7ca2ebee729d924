// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using base::ErrorCode;
using test::ScriptRun;

Q_DECLARE_METATYPE(jitscope::base::ErrorCode)

namespace {

void row(const char *name, ErrorCode code, const char *script, const char *message) {
  QTest::newRow(name) << code << script << message;
}

} // namespace

class TestScriptErrors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void namePlaceAndProblem_data() {
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("message");
    const auto syntax = ErrorCode::ScriptSyntax;
    const auto failed = ErrorCode::ScriptFailed;
    const auto argument = ErrorCode::ScriptArgument;
    const auto shape = ErrorCode::ScriptShape;
    row("syntax", syntax, "x = 1\nprint(", "2: unexpected symbol near <eof>");
    row("binary chunk marker in text", syntax, "return \x01", "1: unexpected symbol near '<\\1>'");
    row("error with text", failed, "\nerror 'mine'", "2: mine");
    row("error with a table", failed, "\nerror{1}", "2: error was called with a table instead of a message");
    row("error with a table that has a message", failed, "\nerror{message = 'mine'}", "2: mine");
    row("error with a value that is text", failed, "\nerror(setmetatable({}, {__tostring = function() return 'mine' end}))",
        "2: mine");
    row("error with nil", failed, "\nerror()", "2: error was called with nil instead of a message");
    row("error without a place", failed, "\nerror('mine', 0)", "2: mine");
    row("call of nil", failed, "local f\nf()", "2: attempt to call a nil value (local 'f')");
    row("broadcast", shape, "\nlocal t = zeros{2, 3} + zeros{4}",
        "2: add: f32[2,3] and f32[4] do not broadcast: sizes 3 and 4 on axis 1 from the end");
    row("dot", shape, "zeros{2, 3}:dot(zeros{2, 3})",
        "1: dot of f32[2,3] and f32[2,3]: the last size of the left (3) and the first of the right (2) differ");
    row("axis", shape, "zeros{2, 3}:sum(2)", "1: sum: axis 2 is outside of -2 … 1: axes count from 0, negative ones from the end");
    row("sizes that overflow", shape, "zeros{1 << 40, 1 << 40}",
        "1: zeros: f32[1099511627776,1099511627776] has more bytes than a 64-bit number can count");
    row("negative size", shape, "zeros{-1}", "1: zeros: shape has the negative size -1");
    row("reshape", shape, "zeros{6}:reshape{4}", "1: reshape of f32[6] to [4]: 6 elements cannot become 4");
    row("fractional size", argument, "zeros{1.5}", "1: zeros: entry 1 of shape must be a whole number, not 1.5");
    row("shape as text", argument, "zeros '2'", "1: zeros: shape must be a table of sizes, such as {64, 64}, not a string");
    row("shape with keys", argument, "zeros{n = 2}", "1: zeros: shape must be a list such as {64, 64}, without keys");
    row("too many axes", argument, "zeros{1, 1, 1, 1, 1, 1, 1, 1, 1}",
        "1: zeros: shape has 9 entries, but a tensor has at most 8 axes");
    row("no shape", argument, "zeros()", "1: zeros: expected 1 to 2 arguments, got 0");
    row("too many arguments", argument, "exp(1, 2)", "1: exp: expected 1 argument, got 2");
    row("dtype", argument, "zeros({2}, 'f23')", "1: zeros: there is no dtype \"f23\"; there are pred, u8, s32, s64, f32 and f64");
    row("dtype with a typo", argument, "zeros({2}, 'pret')",
        "1: zeros: there is no dtype \"pret\"; there are pred, u8, s32, s64, f32 and f64; did you mean \"pred\"?");
    row("text as an operand", argument, "local t = zeros{2} + '1'", "1: add: operand 2 must be a tensor or a number, not a string");
    row("nil as an operand", argument, "exp(nil)", "1: exp: the operand must be a tensor or a number, not nil");
    row("function as an operand", argument, "exp(fn(function(x) return x end))",
        "1: exp: the operand must be a tensor or a number, not a function made by fn");
    row("less", failed, "local t = zeros{2} < zeros{2}",
        "1: tensors cannot be compared with <, because Lua turns the result into one boolean; use lt(a, b) for a tensor of truth "
        "values (> "
        "and gt "
        "likewise)");
    row("less or equal", failed, "local t = zeros{2} >= 1",
        "1: tensors cannot be compared with <=, because Lua turns the result into one boolean; use le(a, b) for a tensor of truth "
        "values (>= "
        "and ge "
        "likewise)");
    row("length", failed, "local n = #zeros{2}", "1: a tensor has no length (#); t:shape() gives its sizes");
    row("index", failed, "local n = zeros{2}[1]",
        "1: a tensor cannot be indexed; t:slice(starts, sizes) gives a part of it, and outside of traced functions t:to_table() "
        "its "
        "elements");
    row("method with a typo", failed, "zeros{2}:flor()", "1: a tensor has no method \"flor\"; did you mean \"floor\"?");
    row("assignment", failed, "zeros{2}.x = 1", "1: tensors cannot be changed; each operation gives a new one");
    row("concatenation", failed, "local s = zeros{2} .. ''", "1: attempt to concatenate a tensor value");
    row("max of two as a method", argument, "zeros{2}:max(zeros{2})",
        "1: max: the second argument must be axes, not a tensor; max(a, b) without a colon compares two tensors");
    row("concat of nothing", argument, "concat{}", "1: concat: the table of tensors is empty");
    row("concat of tensors", argument, "concat(zeros{2}, zeros{2})",
        "1: concat: the first argument must be a table of tensors, such as {a, b}, not a tensor");
    row("ragged", argument, "tensor{{1, 2}, {3}}", "1: tensor: rows differ in length on axis 1: 2 and 1 entries");
    row("number among rows", argument, "tensor{{1, 2}, 3}", "1: tensor: a number stands where a table of 2 entries belongs");
    row("row among numbers", argument, "tensor{1, {2}}",
        "1: tensor: expected a number, not a table; rows must be nested equally deep");
    row("text among numbers", argument, "tensor{1, 'x'}", "1: tensor: elements must be numbers or booleans, not a string");
    row("random integers", argument, "uniform({2}, 's32')", "1: uniform: gives f32 or f64, not s32; convert it with as_type");
    row("fn of nothing", argument, "fn('f')", "1: fn: expected a Lua function, not a string");
    row("fn of a built-in", argument, "fn(print)",
        "1: fn: a built-in function cannot be traced; wrap it: fn(function(x) return ... end)");
    row("fn without a name", argument, "fn('', function() end)",
        "1: fn: the name must have 1 to 200 bytes and no line breaks or other control characters");
    row("too many for a function", argument, "\n\nlocal f = fn('f', function(x) return x end) f(zeros{1}, 2)",
        "3: f (defined on line 3) takes 1 argument, got 2");
    row("too few for a function", argument, "local f = fn('f', function(x, y) return x end) f(zeros{1})",
        "1: f (defined on line 1) takes 2 arguments, got 1");
    row("too few for a variadic function", argument, "local f = fn('f', function(x, y, ...) return x end) f(zeros{1})",
        "1: f (defined on line 1) takes at least 2 arguments, got 1");
    row("a Lua function as an argument", argument, "local f = fn('f', function(x) return x end) f(print)",
        "1: argument 1 of f is a Lua function, which cannot be part of a template; make it a function with fn");
    row("map of a Lua function", argument, "map(function(x) return x end, zeros{1})",
        "1: map: expected a function made by fn, not a Lua function; make it one with fn");
    row("map of nothing", argument, "map(fn(function() end))", "1: map: expected a function and at least one tensor");
    row("time of a Lua function", argument, "time('x', function() end)",
        "1: time: expected a function made by fn, not a Lua function; make it one with fn");
    row("time without a label", argument, "time(fn(function() end))",
        "1: time: the label must be a string, not a function made by fn");
    row("sleep of nothing", argument, "sleep()", "1: sleep: expected 1 argument, got 0");
    row("sleep backwards", argument, "sleep(-1)", "1: sleep: the time must be 0 to 86400000 milliseconds (a day), not -1");
    row("sleep for ever", argument, "sleep(math.huge)", "1: sleep: the time must be 0 to 86400000 milliseconds (a day), not inf");
    row("unknown option", ErrorCode::RuntimeOption, "options{slpp = true}",
        "1: there is no option \"slpp\"; did you mean \"slp\"?");
    row("option without a name", argument, "options{true}", "1: options: each value needs a name, as in options{slp=false}");
    row("option with a table", argument, "options{slp = {}}",
        "1: options: slp must be a boolean, a number or a string, not a table");
    row("section without a name", argument, "section ''", "1: section: the name is empty");
  }
  void namePlaceAndProblem() {
    QFETCH(ErrorCode, code);
    QFETCH(QString, script);
    QFETCH(QString, message);
    const ScriptRun run(script.toStdString());
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:" + message);
    QCOMPARE(run.result.error().code, code);
  }

  void tellTheWayThroughTracesAndFunctions() {
    const ScriptRun run("local g = fn('g', function(x)\n"
                        "  local function helper(y) local z = y:dot(y) return z end\n"
                        "  local r = helper(x)\n"
                        "  return r\n"
                        "end)\n"
                        "local f = fn('f', function(x, mode)\n"
                        "  local r = g(x)\n"
                        "  return r\n"
                        "end)\n"
                        "local function main() f(zeros{2, 3}, 'fast') end\n"
                        "main()\n");
    QCOMPARE(run.description(),
             std::string(
                 "script.lua:2: dot of f32[2,3] and f32[2,3]: the last size of the left (3) and the first of the right (2) differ\n"
                 "  called from script.lua:3\n"
                 "  while tracing g for f32[2,3] (called at line 7)\n"
                 "  while tracing f for f32[2,3], \"fast\" (called at line 10)\n"
                 "  called from script.lua:11 in the main chunk"));
  }

  void reachPcallAsTextWithTheirPlace() {
    const ScriptRun run("local f = fn('f', function(x)\n return x + zeros{3} end)\n print(pcall(f, zeros{2}))");
    QCOMPARE(run.output(),
             std::string("false\tscript.lua:2: add: f32[2] and f32[3] do not broadcast: sizes 2 and 3 on axis 1 from the "
                         "end\n"));
  }

  void keepTheirCodeWhenRaisedAgain_data() {
    QTest::addColumn<QString>("again");
    QTest::newRow("as it is") << "error(e, 0)";
    QTest::newRow("with a place") << "error(e)";
    QTest::newRow("with text before it") << "error('while at it: ' .. e, 0)";
    QTest::newRow("by assert") << "assert(ok, e)";
    QTest::newRow("after another error") << "pcall(error, 'other') error(e, 0)";
  }
  void keepTheirCodeWhenRaisedAgain() {
    QFETCH(QString, again);
    const ScriptRun run("local ok, e = pcall(function() return zeros{2} + zeros{3} end) " + again.toStdString());
    QVERIFY(!run.result);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptShape);
  }

  void longScriptNamesStayReadable() {
    test::FakeHost host;
    const std::atomic<bool> stop = false;
    auto source = script::makeScript(std::string(200, 'n') + ".lua", "error 'x'");
    const base::Result<void> result = script::LuaScript(std::move(*source), host, stop).run();
    QVERIFY(!result);
    QVERIFY2(result.error().message.ends_with(":1: x"), result.error().message.c_str());
  }

  void runOnlyOnce() {
    test::FakeHost host;
    const std::atomic<bool> stop = false;
    script::LuaScript script(*script::makeScript("s.lua", "x = 1"), host, stop);
    QVERIFY(script.run());
    QVERIFY(!script.run());
  }
};

QTEST_GUILESS_MAIN(TestScriptErrors)
#include "tst_script_errors.moc"
