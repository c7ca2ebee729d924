// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using test::ScriptRun;

class TestEagerOperations : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void areFunctionsOfTheEngine_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("call");
    QTest::newRow("add") << "local x = t + t" << "add(f32[2,3], f32[2,3])";
    QTest::newRow("subtract") << "local x = t - 1" << "subtract(f32[2,3], integer)";
    QTest::newRow("multiply") << "local x = 0.5 * t" << "multiply(float, f32[2,3])";
    QTest::newRow("divide") << "local x = t / t" << "divide(f32[2,3], f32[2,3])";
    QTest::newRow("floor-divide") << "local x = t // 2" << "floor-divide(f32[2,3], integer)";
    QTest::newRow("modulo") << "local x = t % 2" << "modulo(f32[2,3], integer)";
    QTest::newRow("power") << "local x = t ^ 2" << "pow(f32[2,3], integer)";
    QTest::newRow("power as a function") << "pow(t, 2.0)" << "pow(f32[2,3], float)";
    QTest::newRow("negate") << "local x = -t" << "negate(f32[2,3])";
    QTest::newRow("exp") << "exp(t)" << "exp(f32[2,3])";
    QTest::newRow("exp as a method") << "t:exp()" << "exp(f32[2,3])";
    QTest::newRow("exp of a number") << "exp(2)" << "exp(integer)";
    QTest::newRow("log") << "t:log()" << "log(f32[2,3])";
    QTest::newRow("sqrt") << "sqrt(t)" << "sqrt(f32[2,3])";
    QTest::newRow("rsqrt") << "rsqrt(t)" << "rsqrt(f32[2,3])";
    QTest::newRow("abs") << "abs(t)" << "abs(f32[2,3])";
    QTest::newRow("sin") << "sin(t)" << "sin(f32[2,3])";
    QTest::newRow("cos") << "cos(t)" << "cos(f32[2,3])";
    QTest::newRow("tanh") << "tanh(t)" << "tanh(f32[2,3])";
    QTest::newRow("sigmoid") << "sigmoid(t)" << "sigmoid(f32[2,3])";
    QTest::newRow("floor") << "floor(t)" << "floor(f32[2,3])";
    QTest::newRow("lt") << "lt(t, 0)" << "lt(f32[2,3], integer)";
    QTest::newRow("le") << "le(t, 0)" << "le(f32[2,3], integer)";
    QTest::newRow("gt") << "gt(t, 0)" << "gt(f32[2,3], integer)";
    QTest::newRow("ge") << "t:ge(0)" << "ge(f32[2,3], integer)";
    QTest::newRow("eq") << "eq(t, t)" << "eq(f32[2,3], f32[2,3])";
    QTest::newRow("ne") << "ne(t, t)" << "ne(f32[2,3], f32[2,3])";
    QTest::newRow("min of two") << "min(t, 0)" << "min(f32[2,3], integer)";
    QTest::newRow("max of two") << "max(0, t)" << "max(integer, f32[2,3])";
    QTest::newRow("max of one") << "max(t)" << "reduce-max(f32[2,3], {axes={}})";
    QTest::newRow("min along axes") << "min(t, {0})" << "reduce-min(f32[2,3], {axes={0}})";
    QTest::newRow("max as a method") << "t:max(-1)" << "reduce-max(f32[2,3], {axes={-1}})";
    QTest::newRow("select") << "select(t:as_type 'pred', t, 0)" << "select(pred[2,3], f32[2,3], integer)";
    QTest::newRow("as_type") << "t:as_type 'f64'" << "as_type(f32[2,3], \"f64\")";
    QTest::newRow("sum") << "t:sum()" << "sum(f32[2,3], {axes={}})";
    QTest::newRow("sum along one axis") << "sum(t, 1)" << "sum(f32[2,3], {axes={1}})";
    QTest::newRow("mean") << "t:mean{0, 1}" << "mean(f32[2,3], {axes={0,1}})";
    QTest::newRow("argmax") << "t:argmax(0)" << "argmax(f32[2,3], {axes={0}})";
    QTest::newRow("dot") << "t:dot(zeros{3})" << "dot(f32[2,3], f32[3])";
    QTest::newRow("reshape") << "t:reshape{3, -1}" << "reshape(f32[2,3], {shape={3,-1}})";
    QTest::newRow("reshape to one axis") << "t:reshape(6)" << "reshape(f32[2,3], {shape={6}})";
    QTest::newRow("transpose") << "t:transpose()" << "transpose(f32[2,3], {axes={}})";
    QTest::newRow("transpose by axes") << "t:transpose{1, 0}" << "transpose(f32[2,3], {axes={1,0}})";
    QTest::newRow("broadcast") << "t:broadcast{4, 2, 3}" << "broadcast(f32[2,3], {shape={4,2,3}})";
    QTest::newRow("slice") << "t:slice({0, 1}, {2, 2})" << "slice(f32[2,3], {sizes={2,2},starts={0,1}})";
    QTest::newRow("concat") << "concat({t, t}, 1)" << "concat(f32[2,3], f32[2,3], {axis=1})";
    QTest::newRow("concat along the first axis") << "concat{t, t}" << "concat(f32[2,3], f32[2,3], {axis=0})";
    QTest::newRow("iota") << "iota({4}, 's64')" << "iota({dtype=\"s64\",shape={4}})";
    QTest::newRow("zeros") << "zeros({})" << "zeros({dtype=\"f32\",shape={}})";
    QTest::newRow("ones") << "ones(3)" << "ones({dtype=\"f32\",shape={3}})";
    QTest::newRow("full") << "full({2}, 1.5, 'f64')" << "full(float, {dtype=\"f64\",shape={2}})";
  }
  void areFunctionsOfTheEngine() {
    QFETCH(QString, code);
    QFETCH(QString, call);
    ScriptRun run("local t = uniform({2, 3}) " + code.toStdString());
    QCOMPARE(run.error(), std::string());
    QCOMPARE(QString::fromStdString(run.host.calls.back()), call + " miss");
    QVERIFY(run.host.functions.back().eager);
    QCOMPARE(run.host.functions.back().line, 0);
  }

  void areDefinedOnceEach() {
    const ScriptRun run("for i = 1, 5 do local t = zeros{i} + i end");
    QCOMPARE(run.host.functions.size(), 2U);
  }

  void theValueOfANumberIsNoKey() {
    const ScriptRun run("local t = uniform{2} local a, b = t * 0.25, t * 0.75 full({2}, 1) full({2}, 2)");
    QCOMPARE(run.host.calls[1], std::string("multiply(f32[2], float) hit"));
    QCOMPARE(run.host.calls[3], std::string("full(integer, {dtype=\"f32\",shape={2}}) hit"));
  }

  void theirGraphHasOneOperation() {
    ScriptRun run("local t = uniform{2, 3} t:sum(1)");
    QCOMPARE(run.host.graphText("sum"), std::string("function sum\n"
                                                    "  %0: f32[2,3] = parameter 0\n"
                                                    "  %1: f32[2] = reduce-sum axes={1} %0\n"
                                                    "  return %1\n"));
  }

  void fillingConvertsTheNumber() {
    ScriptRun run("full({2}, 2.5, 's32')");
    QCOMPARE(run.host.graphText("full"), std::string("function full\n"
                                                     "  %0: float = parameter 0\n"
                                                     "  %1: s32[] = convert %0\n"
                                                     "  %2: s32[2] = broadcast %1\n"
                                                     "  return %2\n"));
  }

  void temporariesAreFreedInTime() {
    ScriptRun run;
    run.host.allocator.limitBytes = std::uint64_t{400} << 20U;
    run.run("for i = 1, 200 do local t = zeros{1 << 20} + 1 end"); // 8 MiB each turn
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.allocator.refusals, 0);
  }
};

QTEST_GUILESS_MAIN(TestEagerOperations)
#include "tst_eager_operations.moc"
