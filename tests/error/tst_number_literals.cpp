// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

namespace {

struct Case {
  const char *expression;
  const char *text; ///< a value, or the message of an error
};

/// `p` is pred {false, true}, `b` u8 {0, 1, 200}, `i` s32 {-7, 0, 2147483647}, `l` s64 {9007199254740993, -1}, `h` f32 {0.1, 1,
/// inf}, `d` f64 {0.1, 2^53}. `N(x)` is x, as a number in a body or as an argument.
const std::vector<Case> &cases() {
  static const std::vector<Case> list{
      // arithmetic
      {"b + N(-1)", "u8 cannot hold -1; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"b + N(300)", "u8 cannot hold 300; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"N(300) - b", "u8 cannot hold 300; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"b * N(3000000000)", "u8 cannot hold 3000000000; cast the tensor first, e.g. t:as_type(\"s64\")"},
      {"b // N(256)", "u8 cannot hold 256; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"b % N(-2)", "u8 cannot hold -2; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"b ^ N(256)", "u8 cannot hold 256; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"min(b, N(300))", "u8 cannot hold 300; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"max(N(-1), b)", "u8 cannot hold -1; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"select(gt(b, 0), b, N(256))", "u8 cannot hold 256; cast the tensor first, e.g. t:as_type(\"s32\")"},
      {"i + N(2147483648)", "s32 cannot hold 2147483648; cast the tensor first, e.g. t:as_type(\"s64\")"},
      {"p + N(2)", "pred cannot hold 2; cast the tensor first, e.g. t:as_type(\"u8\")"},
      {"h + N(1e39)", "f32 cannot hold 1e+39; cast the tensor first, e.g. t:as_type(\"f64\")"},
      {"b + N(1e39)", "f32 cannot hold 1e+39; cast the tensor first, e.g. t:as_type(\"f64\")"},
      {"b + N(255)", "gave u8[3] {255, 0, 199}"},
      {"i - N(2147483647)", "gave s32[3] {2147483642, -2147483647, 0}"},
      {"p + N(1)", "gave pred[2] {true, true}"},
      {"b / N(300)", "gave f32[3] {0, 0.0033333334, 0.6666667}"},
      {"b + N(0.5)", "gave f32[3] {0.5, 1.5, 200.5}"},
      {"h + N(16777217)", "gave f32[3] {16777216, 16777216, inf}"},
      {"h * N(1/0)", "gave f32[3] {inf, inf, inf}"},
      {"h * N(0/0)", "gave f32[3] {nan, nan, nan}"},
      {"d + N(1e39)", "gave f64[2] {1e+39, 1e+39}"},
      {"l + N(math.maxinteger)", "gave s64[2] {-9214364837600034816, 9223372036854775806}"},
      // comparisons
      {"gt(b, N(-1))", "gave pred[3] {true, true, true}"},
      {"lt(b, N(300))", "gave pred[3] {true, true, true}"},
      {"eq(b, N(256))", "gave pred[3] {false, false, false}"},
      {"ne(b, N(-1))", "gave pred[3] {true, true, true}"},
      {"ge(N(-1), b)", "gave pred[3] {false, false, false}"},
      {"le(b, N(0.5))", "gave pred[3] {true, false, false}"},
      {"ge(b, N(200.0))", "gave pred[3] {false, false, true}"},
      {"lt(i, N(3000000000))", "gave pred[3] {true, true, true}"},
      {"eq(i, N(2147483648.0))", "gave pred[3] {false, false, false}"},
      {"lt(i, N(1/0))", "gave pred[3] {true, true, true}"},
      {"ne(i, N(0/0))", "gave pred[3] {true, true, true}"},
      {"lt(i, N(0/0))", "gave pred[3] {false, false, false}"},
      {"eq(l, N(9007199254740992.0))", "gave pred[2] {false, false}"},
      {"gt(l, N(9007199254740992.0))", "gave pred[2] {true, false}"},
      {"lt(l, N(2^63))", "gave pred[2] {true, true}"},
      {"eq(p, N(2))", "gave pred[2] {false, false}"},
      {"lt(p, N(0.5))", "gave pred[2] {true, false}"},
      {"eq(h, N(0.1))", "gave pred[3] {true, false, false}"},
      {"lt(h, N(1e39))", "gave pred[3] {true, true, false}"},
      {"eq(h, N(1e39))", "gave pred[3] {false, false, false}"},
      {"eq(d, N(2^53 | 0))", "gave pred[2] {false, true}"},
      {"lt(N(2.5), N(3))", "gave pred[] true"},
      {"eq(N(9007199254740993), N(2^53))", "gave pred[] false"},
  };
  return list;
}

QByteArray withNumbers(const char *expression, const QByteArray &name) { return QByteArray(expression).replace("N(", name + "("); }

} // namespace

/// Numbers next to tensors follow NumPy 2, in all three places: outside of functions, in a body, as arguments.
class TestNumberLiterals : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    QByteArray code = kReportingPrelude;
    code += "local p, b, i = tensor({0, 1}, 'pred'), tensor({0, 1, 200}, 'u8'), tensor({-7, 0, 2147483647}, 's32')\n"
            "local l, h = tensor({9007199254740993, -1}, 's64'), tensor({0.1, 1, math.huge}, 'f32')\n"
            "local d = tensor({0.1, 2^53}, 'f64')\n"
            "local function N(number) return number end\n"
            "local numbers, place\n"
            "local function A(number) place = place + 1 numbers[place] = number return number end\n"
            "local function P() place = place + 1 return numbers[place] end\n";
    for (const Case &row : cases()) {
      const QByteArray name = row.expression;
      code += "attempt([[eager " + name + "]], function() return (" + withNumbers(row.expression, "N") + ") end)\n";
      code += "attempt([[body " + name + "]], function() return fn(function() return (" + withNumbers(row.expression, "N") +
              ") end)() end)\n";
      // The numbers are collected first, by running the expression on nothing but them.
      code += "numbers, place = {}, 0 pcall(function() return (" + withNumbers(row.expression, "A") + ") end)\n";
      code += "attempt([[argument " + name + "]], function() return fn(function(...) numbers, place = {...}, 0 return (" +
              withNumbers(row.expression, "P").replace("P(", "P(nil, ") + ") end)(table.unpack(numbers)) end)\n";
    }
    m_outcome = m_runner.runScript(code);
    JS_COMPARE_STATUS(m_outcome, 0);
  }

  void followTheRules_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("text");
    for (const Case &row : cases()) {
      for (const char *place : {"eager", "body", "argument"}) {
        const QString name = QString("%1 %2").arg(place, row.expression);
        QTest::newRow(qPrintable(name)) << name << row.text;
      }
    }
  }
  void followTheRules() {
    QFETCH(QString, expression);
    QFETCH(QString, text);
    const QString reported = m_outcome.reported(expression);
    if (text.startsWith("gave")) {
      QCOMPARE(reported, text);
      return;
    }
    // An argument's message says besides which line needs it.
    const QString problem = text.section(';', 0, 0);
    const QString remedy = text.section(';', 1);
    QVERIFY2(reported.contains(problem) && reported.endsWith(remedy), qPrintable(reported));
    QVERIFY2(reported.startsWith("script.lua:"), qPrintable(reported));
  }

  void messagesNameTheOperationTheFunctionAndTheLine() {
    const CliRunner runner;
    const CommandOutcome outcome =
        runner.runScript(QByteArray(kReportingPrelude) + "local b = tensor({1}, 'u8')\n"
                                                         "local add = fn('add', function(t, n)\n"
                                                         "  return t + n * 2\n"
                                                         "end)\n"
                                                         "local outer = fn('outer', function(t, n) return add(t, n) end)\n"
                                                         "local fixed = fn('fixed', function(t) return add(t, 200) end)\n"
                                                         "add(b, 1)\n"
                                                         "attempt('eager', function() return b * 256 end)\n"
                                                         "attempt('argument', add, b, 200)\n"
                                                         "attempt('through', outer, b, 200)\n"
                                                         "attempt('fixed', fixed, b)\n"
                                                         "attempt('mapped', map, add, b, 200)\n"
                                                         "attempt('filled', full, {2}, 300, 'u8')\n"
                                                         "attempt('element', tensor, {1, 300}, 'u8')\n"
                                                         "attempt('nan', tensor, {0/0}, 's32')\n"
                                                         "attempt('natural', tensor, {1e39})\n"
                                                         "attempt('cast', full, {2}, 2.5, 's32')\n");
    JS_COMPARE_STATUS(outcome, 0);
    QVERIFY(outcome.reported("eager").endsWith("multiply: u8 cannot hold 256; cast the tensor first, e.g. t:as_type(\"s32\")"));
    const QString computed = "u8 cannot hold 400, computed from its arguments, which line 4 needs; cast the tensor first, e.g. "
                             "t:as_type(\"s32\")";
    QVERIFY2(outcome.reported("argument").endsWith("add: " + computed), qPrintable(outcome.reported("argument")));
    QVERIFY2(outcome.reported("through").endsWith("outer: " + computed), qPrintable(outcome.reported("through")));
    QVERIFY2(outcome.reported("fixed").endsWith("add: " + computed), qPrintable(outcome.reported("fixed")));
    QVERIFY2(outcome.reported("mapped").endsWith("map add: " + computed), qPrintable(outcome.reported("mapped")));
    QVERIFY(outcome.reported("filled").endsWith("full: u8 cannot hold 300; name a dtype that can, e.g. \"s32\""));
    QVERIFY(outcome.reported("element").endsWith("tensor: u8 cannot hold 300; name a dtype that can, e.g. \"s32\""));
    QVERIFY(outcome.reported("nan").endsWith("tensor: s32 cannot hold nan; name a dtype that can, e.g. \"f32\""));
    QVERIFY(outcome.reported("natural").endsWith("tensor: f32 cannot hold 1e+39; name a dtype that can, e.g. \"f64\""));
    QCOMPARE(outcome.reported("cast"), QString("gave s32[2] {2, 2}"));
  }

  /// Code serves all numbers of a kind: each call asks for itself.
  void hitsAreCheckedAsWell() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        QByteArray(kReportingPrelude) + "local b = tensor({1}, 'u8') local f = fn('f', function(t, n) return t + n end)\n"
                                        "for _, n in ipairs{1, 255, 256, 2} do attempt(n, f, b, n) end\n"
                                        "attempt('bench', bench, {warmup = 0, time = 0.01, legs = {'warm'}, {'c', f, b, 999}})\n"
                                        "attempt('study', study, {f, b, 999})\n");
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.reported("1"), QString("gave u8[1] {2}"));
    QCOMPARE(outcome.reported("255"), QString("gave u8[1] {0}"));
    QVERIFY(outcome.reported("256").contains("f: u8 cannot hold 256, which line 2 needs"));
    QCOMPARE(outcome.reported("2"), QString("gave u8[1] {3}"));
    QVERIFY2(outcome.reported("bench").contains("u8 cannot hold 999"), qPrintable(outcome.reported("bench")));
    QVERIFY2(outcome.reported("study").contains("u8 cannot hold 999"), qPrintable(outcome.reported("study")));
  }

  void expectedNumbersRoundAsTensorsDo() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("expect.equal(tensor({0.1, 0.2}, 'f32'), {0.1, 0.2})\n"
                                                    "expect.equal(tensor({9007199254740993}, 's64'), {9007199254740993})\n");
    JS_COMPARE_STATUS(outcome, 0);
    const CliRunner other;
    JS_COMPARE_STATUS(other.runScript("expect.equal(tensor({9007199254740993}, 's64'), {9007199254740992.0})\n"), 1);
  }

private:
  CliRunner m_runner;
  CommandOutcome m_outcome;
};

QTEST_GUILESS_MAIN(TestNumberLiterals)
#include "tst_number_literals.moc"
