// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "support/cli_runner.h"

using namespace jitscope::test;

namespace {

/// Each function of tests/support/code/ir/loops.c holds a loop of its own kind.
constexpr const char *kModule = JITSCOPE_SOURCE_DIR "/tests/support/code/ir/loops.ll";

/// A sum, which needs fast_math, on the line of an operation on each element, which does not; and a callee.
constexpr const char *kScript = R"lua(local twice = fn("twice", function(x) return x * 2 end)
local f = fn("f", function(x)
  return exp(x) + sum(x)
end)
local g = fn("g", function(x)
  return twice(x)
end)
local a = normal({ 1000 }, "f64", 1)
f(a)
g(a)
expect.vectorized { f, min_width = 512 }
expect.vectorized { g, min_width = 512 }
expect.vectorized { twice, min_width = 512 }
)lua";

} // namespace

class TestLoopRecording : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    const CommandOutcome studied =
        m_kernels.run({"study", "-o", "s.jitscope", "--repetitions", "1", "--set", "cpu=x86-64-v3", kModule});
    JS_COMPARE_STATUS(studied, 0);
  }

  void everyKindOfLoopIsRecorded_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("result"); ///< line, column, state, pass, name of the reason, instruction
    QTest::newRow("a sum") << "sum" << "5:3 scalar loop-vectorize CantReorderFPOps fadd double";
    QTest::newRow("apart") << "scale" << "10:3 vectorized loop-vectorize  ";
    QTest::newRow("a call") << "call" << "14:3 scalar loop-vectorize CantVectorizeLibcall call opaque";
    QTest::newRow("a recurrence") << "prefix" << "18:3 scalar loop-vectorize UnsafeDep store i32";
    QTest::newRow("indirect stores") << "scatter" << "22:3 scalar loop-vectorize UnsafeDep ";
    QTest::newRow("no count") << "length" << "27:3 scalar loop-vectorize CantComputeNumberOfIterations ";
    QTest::newRow("unrolled, then SLP") << "four" << "32:3 vectorized slp-vectorizer  ";
    QTest::newRow("a nest") << "sums" << "36:3 outer    | 37:5 vectorized loop-vectorize  ";
    QTest::newRow("pairs") << "pairs" << "42:3 vectorized slp-vectorizer";
    QTest::newRow("a pragma") << "refused" << "51:3 scalar loop-vectorize MissedExplicitlyDisabled ";
  }
  void everyKindOfLoopIsRecorded() {
    QFETCH(QString, function);
    QFETCH(QString, result);
    const QByteArray sql =
        "SELECT group_concat(said, ' | ') FROM (SELECT DISTINCT l.line || ':' || l.column_ || ' ' || l.state || ' ' || l.pass || ' "
        "' || "
        "l.reason_name || ' ' || l.instruction AS said FROM loop l JOIN compile c ON c.id = l.compile_id JOIN function f ON "
        "f.id = l.function_id WHERE c.pipeline = 'deferred' AND f.name = '" +
        function.toUtf8() + "' ORDER BY l.line)";
    const QString found = m_kernels.query(sql.constData());
    QVERIFY2(found.startsWith(result), qPrintable(found));
  }

  void widthsAreThoseOfTheVectors() {
    QCOMPARE(
        m_kernels.query("SELECT DISTINCT l.width FROM loop l JOIN function f ON f.id = l.function_id WHERE f.name = 'scale' AND "
                        "l.is_reached"),
        QString("8"));
    QCOMPARE(
        m_kernels.query("SELECT DISTINCT l.width FROM loop l JOIN function f ON f.id = l.function_id WHERE f.name = 'pairs' AND "
                        "l.is_reached"),
        QString("2"));
    QCOMPARE(
        m_kernels.query("SELECT DISTINCT l.width FROM loop l JOIN function f ON f.id = l.function_id WHERE f.name = 'four' AND "
                        "l.is_reached"),
        QString("4"));
  }

  void whatAllPipelinesAgreeAboutIsSaidOnce() {
    const QJsonObject loops = studyOf(m_kernels).value("loops").toObject();
    const QJsonArray findings = loops.value("findings").toArray();
    QCOMPARE(findings.size(), 10);
    for (const QJsonValue &finding : findings) {
      QVERIFY(finding["agreed"].toBool());
      QCOMPARE(finding["pipelines"].toArray().size(), 4);
    }
    const CommandOutcome text = m_kernels.run({"report", "s.jitscope"});
    QCOMPARE(text.output.count("loops.c:5:3"), 1);
    QVERIFY2(text.output.contains("cannot prove it is safe to reorder floating-point operations (fadd double at 6:11)"),
             text.output.constData());
    for (const char *format : {"markdown", "html"}) {
      const CommandOutcome page = m_kernels.run({"report", "s.jitscope", "--format", format});
      QVERIFY2(page.output.contains("cannot prove it is safe to reorder"), format);
    }
  }

  /// The same session, and as many vectorized loops wherever they are told.
  void everyoneCountsAlike() {
    CliRunner runner;
    for (const char *session : {"s.jitscope", "t.jitscope"}) {
      runner.write("script.lua", kScript);
      const CommandOutcome run = runner.run({"run", "script.lua", "-o", session, "--set", "cpu=x86-64-v3"});
      JS_COMPARE_STATUS(run, 1); // no loop is that wide
    }
    const int expected = runner.query("SELECT count(*) FROM loop WHERE state = 'vectorized' AND is_reached").toInt();
    QCOMPARE(expected, 2);
    const CommandOutcome report = runner.run({"report", "s.jitscope", "--format", "json"});
    const QJsonObject optimizer = QJsonDocument::fromJson(report.output).object().value("optimizer").toObject();
    QCOMPARE(optimizer.value("loops").toObject().value("vectorized").toInt(), expected);
    int found = 0;
    for (const QJsonValue &finding : optimizer.value("loops").toObject().value("findings").toArray()) {
      found += finding["vectorized"].toBool() ? finding["compiles"].toInt() : 0;
    }
    QCOMPARE(found, expected);
    const CommandOutcome text = runner.run({"report", "s.jitscope"});
    QVERIFY2(text.output.contains("Loops: " + QByteArray::number(expected) + " of 3 vectorized"), text.output.constData());
    // The loop of twice, which was inlined into g, is told of both.
    QCOMPARE(runner.query("SELECT group_concat(actual, ';') FROM expectation").count("a loop of width"), expected + 1);
    const CommandOutcome compared = runner.run({"compare", "s.jitscope", "t.jitscope", "--format", "json"});
    int counted = 0;
    for (const QJsonValue &count : QJsonDocument::fromJson(compared.output).object().value("counts").toArray()) {
      counted += count["count"].toString() == "vectorized loops" ? count["base"].toInt() : 0;
    }
    QVERIFY2(counted == expected, compared.output.constData());
  }

  void aStudysTablesAndListsCountAlike() {
    for (const QJsonValue &pipeline : studyOf(m_kernels).value("pipelines").toArray()) {
      QCOMPARE(pipeline["vectorized_loops"].toArray().size(), 4);
    }
    QCOMPARE(studyOf(m_kernels).value("loops").toObject().value("vectorized").toInt(), 4 * 4);
  }

  /// Loops of several lines, several on one, and some that come with a callee.
  void loopsOfScriptsAreToldByLineAndOrder_data() {
    QTest::addColumn<QString>("pipeline");
    for (const char *pipeline : {"per-function", "separate", "deferred", "pre-link"}) {
      QTest::newRow(pipeline) << pipeline;
    }
  }
  void loopsOfScriptsAreToldByLineAndOrder() {
    QFETCH(QString, pipeline);
    CliRunner runner;
    runner.write("script.lua", R"lua(local inner = fn("inner", function(x)
  return exp(x) * 2, sum(x)
end)
local outer = fn("outer", function(x)
  local y, total = inner(x)
  local z = sum(y) + sum(x)
  return tanh(x) + total, z
end)
outer(normal({ 1000 }, "f64", 1))
)lua");
    JS_COMPARE_STATUS(runner.run({"run", "script.lua", "-o", "s.jitscope", "--set", "pipeline=" + pipeline}), 0);
    // Wherever their code is, the loops that are written in inner are its own.
    QCOMPARE(
        runner.query("SELECT count(DISTINCT l.line || ' ' || l.order_) FROM loop l JOIN function f ON f.id = l.function_id WHERE "
                     "f.name = 'inner' AND l.line <> 2"),
        QString("0"));
    const QString lines =
        runner.query("SELECT group_concat(line) FROM (SELECT DISTINCT line FROM loop WHERE is_reached AND state <> "
                     "'unrolled' ORDER BY line)");
    QCOMPARE(lines, QString("2,6,7"));
    QCOMPARE(runner.query("SELECT count(*) > 0 FROM loop WHERE is_reached AND line = 2 AND state = 'vectorized'"), QString("1"));
  }

  void withoutTheVectorizerTheOptionIsNamed_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("off") << "loop_vectorize=false" << "set loop_vectorize = true";
    QTest::newRow("not optimized") << "opt=0" << "set opt to 1 or more";
  }
  void withoutTheVectorizerTheOptionIsNamed() {
    QFETCH(QString, option);
    QFETCH(QString, remedy);
    CliRunner runner;
    runner.write("script.lua", "local f = fn(\"f\", function(x) return x * 2 end)\nf(normal({ 1000 }, \"f64\", 1))\n");
    JS_COMPARE_STATUS(runner.run({"run", "script.lua", "-o", "s.jitscope", "--set", option, "--set", "slp=false"}), 0);
    const CommandOutcome text = runner.run({"report", "s.jitscope"});
    QVERIFY2(text.output.contains("Loops: 0 of 1 vectorized"), text.output.constData());
    QVERIFY2(text.output.contains(remedy.toUtf8()), text.output.constData());
  }

  void withoutRemarksThereAreNoLoopsRatherThanNone() {
    CliRunner runner;
    runner.write("script.lua", "local f = fn(\"f\", function(x) return x * 2 end)\nf(normal({ 1000 }, \"f64\", 1))\n");
    JS_COMPARE_STATUS(runner.run({"run", "script.lua", "-o", "s.jitscope", "--set", "remarks=inline"}), 0);
    QCOMPARE(runner.query("SELECT has_loops, (SELECT count(*) FROM loop) FROM compile"), QString("0|0"));
    QVERIFY(!runner.run({"report", "s.jitscope"}).output.contains("Loops:"));
  }

private:
  static QJsonObject studyOf(const CliRunner &runner) {
    const CommandOutcome report = runner.run({"report", "s.jitscope", "--format", "json"});
    return QJsonDocument::fromJson(report.output)["optimizer"]["studies"][0].toObject();
  }

  CliRunner m_kernels;
};

QTEST_GUILESS_MAIN(TestLoopRecording)
#include "tst_loop_recording.moc"
