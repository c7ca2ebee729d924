// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "base/percentile.h"
#include "support/scripts/fake_host.h"

using namespace jitscope;
using test::ScriptRun;

class TestLuaTensors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void printTheirHead_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("text");
    QTest::newRow("scalar") << "tensor(3)" << "s64[] 3";
    QTest::newRow("fraction") << "tensor(0.1)" << "f32[] 0.1";
    QTest::newRow("double") << "tensor(0.1, 'f64')" << "f64[] 0.1";
    QTest::newRow("truth") << "tensor{true, false}" << "pred[2] {true, false}";
    QTest::newRow("matrix") << "tensor{{1, 2}, {3, 4}}" << "s64[2,2] {{1, 2}, {3, 4}}";
    QTest::newRow("long") << "zeros{100}" << "f32[100] {0, 0, 0, ...}";
    QTest::newRow("large") << "zeros{64, 64}" << "f32[64,64] {{0, 0, 0, ...}, ...}";
    QTest::newRow("thin") << "zeros{64, 1}" << "f32[64,1] {{0}, ...}";
    QTest::newRow("empty") << "tensor{}" << "f32[0] {}";
    QTest::newRow("empty rows") << "zeros{2, 0}" << "f32[2,0] {{}, {}}";
    QTest::newRow("no rows") << "zeros{0, 3}" << "f32[0,3] {}";
    QTest::newRow("special values") << "tensor{0/0, 1/0, -1/0, -0.0}" << "f32[4] {nan, inf, -inf, -0}";
  }
  void printTheirHead() {
    QFETCH(QString, code);
    QFETCH(QString, text);
    const ScriptRun run("print(" + code.toStdString() + ")");
    QCOMPARE(QString::fromStdString(run.output()), text + "\n");
  }

  void convertOnCreation_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("text");
    QTest::newRow("to u8 truncates") << "tensor({-0.5, 2.9, 255.9}, 'u8')" << "u8[3] {0, 2, 255}";
    QTest::newRow("to s32 truncates") << "tensor({2147483647.9, -2147483648.9, -2.9}, 's32')"
                                      << "s32[3] {2147483647, -2147483648, -2}";
    QTest::newRow("to s64 keeps all digits") << "tensor({math.maxinteger, math.mininteger})"
                                             << "s64[2] {9223372036854775807, -9223372036854775808}";
    QTest::newRow("to pred") << "tensor({0, 2, 0.5}, 'pred')" << "pred[3] {false, true, true}";
    QTest::newRow("from truth values") << "tensor({true, false}, 'f64')" << "f64[2] {1, 0}";
    QTest::newRow("whole and fractions") << "tensor{1, 2.5}" << "f32[2] {1, 2.5}";
    QTest::newRow("truth and numbers") << "tensor{true, 2}" << "s64[2] {1, 2}";
  }
  void convertOnCreation() {
    QFETCH(QString, code);
    QFETCH(QString, text);
    const ScriptRun run("print(" + code.toStdString() + ")");
    QCOMPARE(QString::fromStdString(run.output()), text + "\n");
  }

  void becomeTables() {
    const ScriptRun run("local t = tensor{{1, 2}, {3, 4}}:to_table() print(#t, t[2][1], math.type(t[2][1])) "
                        "local p = tensor({true}):to_table() print(p[1]) print(tensor(2.5):to_table(), #tensor{}:to_table()) "
                        "print(#zeros{3, 0}:to_table(), math.type(ones({1}, 'f64'):to_table()[1]))");
    QCOMPARE(run.output(), std::string("2\t3\tinteger\ntrue\n2.5\t0\n3\tfloat\n"));
  }

  void tellShapeAndType() {
    const ScriptRun run(
        "local t = zeros({2, 3}, 's32') print(#t:shape(), t:shape()[1], t:shape()[2], t:dtype(), #zeros{}:shape())");
    QCOMPARE(run.output(), std::string("2\t2\t3\ts32\t0\n"));
  }

  void areIdentical() {
    const ScriptRun run("local t = zeros{1} print(t == t, t == zeros{1}, t ~= t)");
    QCOMPARE(run.output(), std::string("true\tfalse\tfalse\n"));
  }

  void randomValuesAreTheSameEverywhere() {
    // The uniform ones are the first draws of std::mt19937_64 divided by 2^64; the normal ones are Boost's ziggurat over them.
    const ScriptRun run("print(uniform({3}, 'f64', 42)) print(uniform({3}, 'f32', 42)) print(normal({3}, 'f64', 42))");
    QCOMPARE(run.output(), std::string("f64[3] {0.755155532954539, 0.6390313938546974, 0.7521452007480266}\n"
                                       "f32[3] {0.7551555, 0.6390314, 0.7521452}\n"
                                       "f64[3] {-0.6901859162274807, -0.8072359346451448, -2.1769669541929053}\n"));
  }

  void randomTensorsWithoutASeedDiffer() {
    const ScriptRun run("local a, b, c = uniform{4}, uniform{4}, uniform({4}, 'f32', 0) "
                        "local function first(t) return t:to_table()[1] end print(first(a) == first(b), first(a) == first(c))");
    QCOMPARE(run.output(), std::string("false\ttrue\n"));
  }

  void uniformStaysBelowOne() {
    const ScriptRun run("local t = uniform({100000}, 'f32', 7):to_table() local low, high, sum = 1, 0, 0 "
                        "for _, v in ipairs(t) do low, high, sum = math.min(low, v), math.max(high, v), sum + v end "
                        "print(low >= 0, high < 1, math.abs(sum / #t - 0.5) < 0.01)");
    QCOMPARE(run.output(), std::string("true\ttrue\ttrue\n"));
  }

  void normalHasMeanZeroAndDeviationOne() {
    const ScriptRun run("local t = normal({100000}, 'f64', 7):to_table() local sum, squares = 0, 0 "
                        "for _, v in ipairs(t) do sum, squares = sum + v, squares + v * v end "
                        "print(math.abs(sum / #t) < 0.01, math.abs(squares / #t - 1) < 0.02)");
    QCOMPARE(run.output(), std::string("true\ttrue\n"));
  }

  void staticArgumentsReadCanonically_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("text") << "'relu'" << "\"relu\"";
    QTest::newRow("text with quotes") << "'a\"b\\\\c\\n'" << "\"a\\\"b\\\\c\\x0a\"";
    QTest::newRow("UTF-8") << "'ä'" << "\"ä\"";
    QTest::newRow("true") << "true" << "true";
    QTest::newRow("nil") << "nil" << "nil";
    QTest::newRow("empty") << "{}" << "{}";
    QTest::newRow("list") << "{1, 2.5, 'x', false}" << "{1,2.5,\"x\",false}";
    QTest::newRow("sorted keys") << "{b = 1, a = 2, c = {z = 1, y = 2}}" << "{a=2,b=1,c={y=2,z=1}}";
    QTest::newRow("list and keys") << "{7, axes = {0, 1}, 8}" << "{7,8,axes={0,1}}";
    QTest::newRow("other keys") << "{[true] = 1, [10] = 2, [1.5] = 3, ['a b'] = 4}" << "{[\"a b\"]=4,[1.5]=3,[10]=2,[true]=1}";
    QTest::newRow("whole floats") << "{1.0, 1, -0.0, 1e300, 1/0, 0/0}" << "{1.0,1,-0.0,1e+300,inf,nan}";
    QTest::newRow("function") << "{f}" << "{fn f#1}";
  }
  void staticArgumentsReadCanonically() {
    QFETCH(QString, value);
    QFETCH(QString, text);
    const ScriptRun run("local f f = fn('f', function(x) return ones{1} end) f(" + value.toStdString() + ")");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(QString::fromStdString(run.host.calls.back()), "f(" + text + ") miss");
  }

  void staticArgumentsRefuse_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("problem");
    QTest::newRow("cycle") << "(function() local t = {} t.t = {t} return t end)()" << "contains itself";
    QTest::newRow("metatable") << "setmetatable({}, {})" << "has a metatable; only plain tables can be part of a template";
    QTest::newRow("tensor inside") << "{zeros{1}}" << "contains a tensor; pass it as an argument of its own";
    QTest::newRow("function inside") << "{{print}}"
                                     << "contains a Lua function, which cannot be part of a template; make it a function with fn";
    QTest::newRow("coroutine") << "coroutine.create(print)" << "is a thread, which cannot be part of a template";
    QTest::newRow("tensor as a key") << "{[zeros{1}] = 1}" << "has a tensor as a key, which cannot be part of a template";
    QTest::newRow("data") << "(function() local t = {} for i = 1, 100000 do t[i] = i end return t end)()"
                          << "is longer than 65536 bytes as text; pass data as a tensor";
    QTest::newRow("long text") << "('x'):rep(100000)" << "is longer than 65536 bytes as text; pass data as a tensor";
    QTest::newRow("deep") << "(function() local t = {} for i = 1, 1000 do t = {t} end return t end)()"
                          << "is nested more than 100 tables deep";
  }
  void staticArgumentsRefuse() {
    QFETCH(QString, value);
    QFETCH(QString, problem);
    const ScriptRun run("local f = fn('f', function(x) return ones{1} end) f(" + value.toStdString() + ")");
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:1: argument 1 of f " + problem);
  }

  void staticArgumentsAreReleased() {
    const ScriptRun run("local f = fn('f', function(x) return ones{1} end) local text = ('x'):rep(60000) f({0}) "
                        "for i = 1, 3000 do f({text}) end collectgarbage() print(collectgarbage('count') < 2000)");
    QCOMPARE(run.output(), std::string("true\n"));
  }

  void percentilesAreOfTypeSix_data() {
    QTest::addColumn<double>("percent");
    QTest::addColumn<double>("value");
    // quantile(c(15, 20, 35, 40, 50), p, type = 6) in R.
    QTest::newRow("minimum") << 0.0 << 15.0;
    QTest::newRow("5") << 5.0 << 15.0;
    QTest::newRow("30") << 30.0 << 19.0;
    QTest::newRow("40") << 40.0 << 26.0;
    QTest::newRow("median") << 50.0 << 35.0;
    QTest::newRow("75") << 75.0 << 45.0;
    QTest::newRow("maximum") << 100.0 << 50.0;
  }
  void percentilesAreOfTypeSix() {
    QFETCH(double, percent);
    QFETCH(double, value);
    const std::vector<std::uint64_t> sorted = {15, 20, 35, 40, 50};
    QCOMPARE(base::percentile(sorted, percent), value);
  }
};

QTEST_GUILESS_MAIN(TestLuaTensors)
#include "tst_lua_tensors.moc"
