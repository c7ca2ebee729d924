// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

namespace {

struct Evaluation {
  const char *expression;
  const char *text;
};

/// `t` is f32 {inf, -inf, nan, 0, -0, 1}; `d` f64 {300, -5, 1e20, 2.7, -2.7}; `e` f32[0]; `m` f32[0,3]; `s` f32[] 3; `z` s32 {7,
/// -7, 0}.
const std::vector<Evaluation> &evaluations() {
  static const std::vector<Evaluation> list{
      // NaN and infinities
      {"t", "f32[6] {inf, -inf, nan, 0, -0, 1}"},
      {"t + 1", "f32[6] {inf, -inf, nan, 1, 1, 2}"},
      {"t * 0", "f32[6] {nan, nan, nan, 0, -0, 0}"},
      {"t - t", "f32[6] {nan, nan, nan, 0, 0, 0}"},
      {"t / 0", "f32[6] {inf, -inf, nan, nan, nan, inf}"},
      {"t // 1", "f32[6] {nan, nan, nan, 0, -0, 1}"},
      {"t ^ 0", "f32[6] {1, 1, 1, 1, 1, 1}"},
      {"-t", "f32[6] {-inf, inf, nan, -0, 0, -1}"},
      {"max(t, 0)", "f32[6] {inf, 0, nan, 0, 0, 1}"},
      {"min(t, 0)", "f32[6] {0, -inf, nan, 0, -0, 0}"},
      {"t:max()", "f32[] nan"},
      {"t:min()", "f32[] nan"},
      {"t:sum()", "f32[] nan"},
      {"t:slice({0}, {1}):sum()", "f32[] inf"},
      {"t:argmax()", "s64[] 2"},
      {"t:as_type('s32')", "s32[6] {2147483647, -2147483648, 0, 0, 0, 1}"},
      {"t:as_type('s64')", "s64[6] {9223372036854775807, -9223372036854775808, 0, 0, 0, 1}"},
      {"t:as_type('u8')", "u8[6] {255, 0, 0, 0, 0, 1}"},
      {"t:as_type('pred')", "pred[6] {true, true, true, false, false, true}"},
      {"t:as_type('f64')", "f64[6] {inf, -inf, nan, 0, -0, 1}"},
      {"d:as_type('u8')", "u8[5] {255, 0, 255, 2, 0}"},
      {"d:as_type('s32')", "s32[5] {300, -5, 2147483647, 2, -2}"},
      {"tensor({1e300}, 'f64'):as_type('f32')", "f32[1] {inf}"},
      {"eq(t, t)", "pred[6] {true, true, false, true, true, true}"},
      {"ne(t, t)", "pred[6] {false, false, true, false, false, false}"},
      {"le(t, 0)", "pred[6] {false, true, false, true, true, false}"},
      {"abs(t)", "f32[6] {inf, inf, nan, 0, 0, 1}"},
      {"floor(t)", "f32[6] {inf, -inf, nan, 0, -0, 1}"},
      {"sqrt(t)", "f32[6] {inf, nan, nan, 0, -0, 1}"},
      {"log(t)", "f32[6] {inf, nan, nan, -inf, -inf, 0}"},
      {"select(eq(t, t), t, 0)", "f32[6] {inf, -inf, 0, 0, -0, 1}"},
      {"full({2}, 0/0)", "f32[2] {nan, nan}"},
      // integers at their ends
      {"z // 0", "s32[3] {0, 0, 0}"},
      {"z % 0", "s32[3] {0, 0, 0}"},
      {"z / 0", "f32[3] {inf, -inf, nan}"},
      {"z // 2", "s32[3] {3, -4, 0}"},
      {"z % 2", "s32[3] {1, 1, 0}"},
      {"tensor({-2147483648}, 's32') // -1", "s32[1] {-2147483648}"},
      {"tensor({-2147483648}, 's32') % -1", "s32[1] {0}"},
      {"tensor({2147483647}, 's32') + 1", "s32[1] {-2147483648}"},
      {"tensor({255}, 'u8') + 1", "u8[1] {0}"},
      // no elements
      {"e", "f32[0] {}"},
      {"e + 1", "f32[0] {}"},
      {"exp(e)", "f32[0] {}"},
      {"e:sum()", "f32[] 0"},
      {"e:mean()", "f32[] nan"},
      {"m:sum{0}", "f32[3] {0, 0, 0}"},
      {"m:sum{1}", "f32[0] {}"},
      {"m:max{1}", "f32[0] {}"},
      {"m:transpose()", "f32[3,0] {{}, {}, {}}"},
      {"m:reshape{3, 0}", "f32[3,0] {{}, {}, {}}"},
      {"m:transpose():dot(zeros{0, 2})", "f32[3,2] {{0, 0}, {0, 0}, {0, 0}}"},
      {"m:dot(zeros{3, 2})", "f32[0,2] {}"},
      {"concat({e, iota{2}, e}, 0)", "f32[2] {0, 1}"},
      {"iota{4}:slice({4}, {0})", "f32[0] {}"},
      {"zeros{1}:broadcast{0}", "f32[0] {}"},
      {"e:as_type('s32')", "s32[0] {}"},
      {"tensor{}", "f32[0] {}"},
      {"m:argmax{1}", "s64[0] {}"},
      // no axes
      {"s", "f32[] 3"},
      {"s + s * 2", "f32[] 9"},
      {"s:sum()", "f32[] 3"},
      {"s:max()", "f32[] 3"},
      {"s:argmax()", "s64[] 0"},
      {"s:reshape{1, 1}", "f32[1,1] {{3}}"},
      {"s:transpose()", "f32[] 3"},
      {"s:broadcast{2}", "f32[2] {3, 3}"},
      {"s + iota{2}", "f32[2] {3, 4}"},
      {"s:slice({}, {})", "f32[] 3"},
      {"tensor(5)", "s64[] 5"},
      {"#s:shape()", "0"},
      {"s:to_table()", "3.0"},
  };
  return list;
}

} // namespace

/// Values that are odd, and tensors without elements or axes, are computed like all others.
class TestValues : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    QByteArray code = kReportingPrelude;
    code += "local inf = math.huge\n"
            "local t, d = tensor({inf, -inf, 0/0, 0, -0.0, 1}, 'f32'), tensor({300, -5, 1e20, 2.7, -2.7}, 'f64')\n"
            "local e, m, s, z = zeros{0}, zeros{0, 3}, full({}, 3), tensor({7, -7, 0}, 's32')\n";
    for (const Evaluation &evaluation : evaluations()) {
      code += QByteArray("attempt([[") + evaluation.expression + "]], function() return (" + evaluation.expression + ") end)\n";
    }
    m_outcome = m_runner.runScript(code);
    JS_COMPARE_STATUS(m_outcome, 0);
  }

  void expressionsGiveTheirValue_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("text");
    for (const Evaluation &evaluation : evaluations()) {
      QTest::newRow(evaluation.expression) << evaluation.expression << evaluation.text;
    }
  }
  void expressionsGiveTheirValue() {
    QFETCH(QString, expression);
    QFETCH(QString, text);
    QCOMPARE(m_outcome.reported(expression), "gave " + text);
  }

  void theyAreRecordedLikeAllOthers() {
    QCOMPARE(m_runner.status(), "finished");
    QCOMPARE(m_runner.query("SELECT count(*) FROM call WHERE total_ns <= 0"), "0");
  }

private:
  CliRunner m_runner;
  CommandOutcome m_outcome;
};

QTEST_GUILESS_MAIN(TestValues)
#include "tst_values.moc"
