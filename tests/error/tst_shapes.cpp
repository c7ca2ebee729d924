// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

namespace {

struct BadOperation {
  const char *name;
  const char *expression;
  QStringList parts; ///< of the message, besides its line
};

/// `a` is f32[2,3], `b` f64[4,5], `i` s32[2,3], `p` pred[2,3], `e` f32[0].
const std::vector<BadOperation> &badOperations() {
  static const std::vector<BadOperation> operations{
      {"add", "a + b", {"add: ", "f32[2,3]", "f64[4,5]", "do not broadcast", "2 and 4"}},
      {"compare", "lt(a, b)", {"lt: ", "f32[2,3]", "f64[4,5]"}},
      {"select", "select(p, a, b)", {"select: ", "f32[2,3]", "f64[4,5]"}},
      {"dot",
       "a:dot(b)",
       {"dot of ", "f32[2,3]", "f64[4,5]", "the last size of the left (3) and the first of the right (4) differ"}},
      {"dot of a scalar", "a:dot(full({}, 1))", {"dot of ", "f32[2,3]", "[]", "both need at least one axis"}},
      {"reshape", "a:reshape{7}", {"reshape of ", "[2,3]", "6 elements cannot become 7"}},
      {"reshape, two open", "a:reshape{-1, -1}", {"reshape", "only one size may be left open (-1)"}},
      {"reshape, nothing fits", "a:reshape{-1, 4}", {"reshape of ", "[2,3]", "4"}},
      {"transpose", "a:transpose{0, 0}", {"transpose of ", "[2,3]", "needs each of its 2 axes once"}},
      {"transpose, axis", "a:transpose{0, 2}", {"transpose: axis 2 is outside of -2 … 1"}},
      {"broadcast", "a:broadcast{3, 3}", {"broadcast: ", "[2,3]", "[3,3]"}},
      {"slice", "a:slice({0, 1}, {2, 3})", {"slice of ", "[2,3]", "start 1 and size 3", "axis 1"}},
      {"slice, count", "a:slice({0}, {1})", {"slice of ", "[2,3]", "needs 2 starts and sizes, got 1 and 1"}},
      {"slice, negative", "a:slice({-1, 0}, {1, 1})", {"slice of ", "[2,3]", "start -1"}},
      {"concat", "concat({a, b}, 0)", {"concat along axis 0: ", "f32[2,3]", "f64[4,5]"}},
      {"concat, axis", "concat({a}, 5)", {"concat: axis 5 is outside of -2 … 1"}},
      {"concat, nothing", "concat({}, 0)", {"concat: the table of tensors is empty"}},
      {"sum", "a:sum{2}", {"sum: axis 2 is outside of -2 … 1: axes count from 0, negative ones from the end"}},
      {"sum, twice", "a:sum{0, -2}", {"sum: axis 0 is named twice"}},
      {"max of nothing", "e:max()", {"max over no elements: ", "[0]"}},
      {"argmax of nothing", "e:argmax()", {"argmax over no elements: ", "[0]"}},
      {"dtype", "a:as_type('f16')", {"as_type: there is no dtype \"f16\"; there are pred, u8, s32, s64, f32 and f64"}},
      {"preds", "p - p", {"is not defined for pred", "as_type(\"s32\")"}},
      {"operand", "a + 'x'", {"add: operand 2 must be a tensor or a number, not a string"}},
      {"nil", "a + nil", {"add: operand 2 must be a tensor or a number, not nil"}},
      {"less than", "a < b", {"tensors cannot be compared with <", "use lt(a, b)"}},
      {"length", "#a", {"a tensor has no length (#); t:shape() gives its sizes"}},
      {"call", "a()", {"attempt to call a tensor value"}},
      {"method", "a:foo()", {"a tensor has no method \"foo\""}},
      {"ragged", "tensor{{1, 2}, {3}}", {"tensor: rows differ in length on axis 1: 2 and 1 entries"}},
      {"no numbers", "tensor{1, 'x'}", {"tensor: elements must be numbers or booleans, not a string"}},
      {"shape", "iota('x')", {"iota: shape must be a table of sizes, such as {64, 64}, not a string"}},
      {"uniform", "uniform({2}, 's32')", {"uniform: gives f32 or f64, not s32; convert it with as_type"}},
  };
  return operations;
}

/// Each on a line of its own, outside of any trace and inside.
QByteArray scriptOfBadOperations() {
  QByteArray code = kReportingPrelude;
  code += "local a, b, i, p, e = zeros{2, 3}, zeros({4, 5}, 'f64'), zeros({2, 3}, 's32'), gt(zeros{2, 3}, 0), zeros{0}\n";
  for (const BadOperation &operation : badOperations()) {
    code += QByteArray("attempt('") + operation.name + "', function() return (" + operation.expression + ") end)\n";
  }
  for (const BadOperation &operation : badOperations()) {
    code += QByteArray("attempt('traced ") + operation.name + "', fn('f', function(a, b, i, p, e) return (" + operation.expression +
            ") end), a, b, i, p, e)\n";
  }
  code += "attempt('after', function() return (a + 1):sum() end)\n";
  return code;
}

} // namespace

/// Shapes and dtypes that do not fit are named, with the line.
class TestShapes : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    m_outcome = m_runner.runScript(scriptOfBadOperations());
    JS_COMPARE_STATUS(m_outcome, 0);
  }

  void whatDoesNotFitIsNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("line");
    QTest::addColumn<QStringList>("parts");
    int line = 3;
    for (const QString &prefix : {QString(), QString("traced ")}) {
      for (const BadOperation &operation : badOperations()) {
        QTest::newRow(qPrintable(prefix + operation.name)) << prefix + operation.name << line++ << operation.parts;
      }
    }
  }
  void whatDoesNotFitIsNamed() {
    QFETCH(QString, name);
    QFETCH(int, line);
    QFETCH(QStringList, parts);
    const QString message = m_outcome.reported(name);
    QVERIFY2(message.startsWith(QString("script.lua:%1: ").arg(line)), qPrintable(message));
    for (const QString &part : parts) {
      JS_VERIFY_CONTAINS(message, part);
    }
    // What things are called inside is nobody's business.
    QVERIFY2(!message.contains("reduce-"), qPrintable(message));
  }

  void theTensorsAreStillGood() {
    QCOMPARE(m_outcome.reported("after"), "gave f32[] 6");
    QCOMPARE(m_runner.status(), "finished");
  }

  void anErrorThatIsNotCaughtEndsTheRun() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript("local a, b = zeros{2, 3}, zeros({4, 5}, 'f64')\nlocal c = a + b\n");
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: script.lua:2: add: ");
    JS_VERIFY_CONTAINS(outcome.errors, "f32[2,3]");
    JS_VERIFY_CONTAINS(outcome.errors, "f64[4,5]");
    QCOMPARE(runner.status(), "failed");
    QCOMPARE(runner.query("SELECT count(*) FROM call"), "2");
  }

private:
  CliRunner m_runner;
  CommandOutcome m_outcome;
};

QTEST_GUILESS_MAIN(TestShapes)
#include "tst_shapes.moc"
