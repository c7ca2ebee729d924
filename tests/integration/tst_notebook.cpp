// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// The example that Jitscope begins with, run whole, and what its session says afterwards.
class NotebookTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase();
  void theScriptSucceeds();
  void missHitMissHitHit();
  void aMissIsItsTrace();
  void theNewShapeNamesItsSizes();
  void theNewDtypeIsNamed();
  void eachColdLegBeginsWithItsMissInAProcessOfItsOwn();
  void theWarmLegsMeasureHitsAlone();
  void whatIsPrintedIsInTheTables();
  void everyCallAddsUp();
  void theReportIsTheSameWhenItIsReadLater();

private:
  CliRunner m_runner;
  CommandOutcome m_outcome;
};

void NotebookTest::initTestCase() {
  QFile example(QStringLiteral(JITSCOPE_SOURCE_DIR "/resources/examples/exla_compilation_cache.lua"));
  QVERIFY(example.open(QIODevice::ReadOnly));
  QByteArray script = example.readAll();
  // The same script with benchmarks of a tenth of the time, since nothing below hangs on how long they take.
  QVERIFY(script.contains("warmup = 2") && script.contains("time = 4"));
  script.replace("warmup = 2", "warmup = 0.2").replace("time = 4", "time = 0.4");
  m_outcome = m_runner.runScript(script);
}

void NotebookTest::theScriptSucceeds() {
  JS_COMPARE_STATUS(m_outcome, 0);
  QCOMPARE(m_runner.status(), "finished");
  QCOMPARE(m_runner.query("SELECT count(*), sum(passed) FROM expectation"), "5|5");
}

void NotebookTest::missHitMissHitHit() {
  QCOMPARE(m_runner.query("SELECT group_concat(outcome, ' ') FROM (SELECT outcome FROM call JOIN section s ON s.id = section_id "
                          "WHERE s.name = 'miss, hit and a new shape' ORDER BY call.id)"),
           "miss hit miss hit hit");
}

void NotebookTest::aMissIsItsTrace() {
  // The trace sleeps a second; everything else is a matter of milliseconds, with much to spare for slow machines.
  QCOMPARE(m_runner.query("SELECT count(*), min(trace_ns >= 1000000000), max(total_ns - trace_ns) < 900000000 FROM compile c "
                          "JOIN template t ON t.id = c.template_id JOIN function f ON f.id = t.function_id "
                          "WHERE f.name = 'Matmul.dot'"),
           "5|1|1");
}

void NotebookTest::theNewShapeNamesItsSizes() {
  QCOMPARE(m_runner.query(
               "SELECT reason, substr(difference, 1, 24), n.signature FROM compile c JOIN template t ON t.id = c.template_id "
               "JOIN template n ON n.id = nearest_template_id JOIN call ON call.id = call_id JOIN section s ON s.id = section_id "
               "WHERE t.signature = 'f32[256,256], f32[256,256]' AND s.name = 'miss, hit and a new shape'"),
           "new-shape|arg 0 dim 0: 64 -> 256; |f32[64,64], f32[64,64]");
}

void NotebookTest::theNewDtypeIsNamed() {
  QCOMPARE(m_runner.query("SELECT DISTINCT reason, difference FROM compile c JOIN template t ON t.id = c.template_id "
                          "WHERE t.signature = 'f64[256,256], f64[256,256]'"),
           "new-dtype|arg 0 dtype: f32 -> f64; arg 1 dtype: f32 -> f64");
}

void NotebookTest::eachColdLegBeginsWithItsMissInAProcessOfItsOwn() {
  QCOMPARE(m_runner.query("SELECT count(DISTINCT process), min(process), max(process) FROM call WHERE leg = 'cold'"), "2|1|2");
  QCOMPARE(m_runner.query("SELECT count(*), min(c.start_ns = (SELECT min(start_ns) FROM call f WHERE f.case_id = c.case_id AND "
                          "f.leg = 'cold')), min(phase = 'sample') FROM call c WHERE leg = 'cold' AND outcome = 'miss'"),
           "2|1|1");
  QCOMPARE(m_runner.query("SELECT count(*) FROM call WHERE leg = 'cold' AND outcome NOT IN ('hit', 'miss')"), "0");
}

void NotebookTest::theWarmLegsMeasureHitsAlone() {
  QCOMPARE(m_runner.query("SELECT group_concat(DISTINCT outcome) FROM call WHERE leg = 'warm' AND phase = 'sample'"), "hit");
  // The f64 template is new to the script's own process: its compile falls into the warm-up.
  QCOMPARE(m_runner.query("SELECT count(*) FROM call WHERE leg = 'warm' AND phase = 'warmup' AND outcome = 'miss'"), "1");
}

void NotebookTest::whatIsPrintedIsInTheTables() {
  const QString samples = m_runner.query("SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM call WHERE phase = 'sample' "
                                         "GROUP BY case_id, leg ORDER BY case_id, leg)");
  const QString stored =
      m_runner.query("SELECT group_concat(CAST(value AS INTEGER), ' ') FROM (SELECT value FROM case_statistic WHERE "
                     "name = 'sample_size' ORDER BY case_id, leg)");
  QCOMPARE(stored, samples);
  QString printed = QString::fromUtf8(m_outcome.output);
  printed.remove(',');
  for (const QString &count : samples.split(' ')) {
    QVERIFY2(printed.contains(count), qPrintable(count));
  }
  QVERIFY(printed.contains("new-shape"));
  QVERIFY(printed.contains("arg 0 dim 0: 64 -> 256"));
}

void NotebookTest::everyCallAddsUp() {
  QCOMPARE(m_runner.query("SELECT count(*) FROM call WHERE total_ns <> lookup_ns + wait_ns + compile_ns + execute_ns"), "0");
  QCOMPARE(m_runner.query("SELECT count(*) FROM call c LEFT JOIN template t ON t.id = template_id LEFT JOIN section s ON s.id = "
                          "section_id WHERE t.id IS NULL OR s.id IS NULL"),
           "0");
}

void NotebookTest::theReportIsTheSameWhenItIsReadLater() {
  const CommandOutcome report = m_runner.run({"report", "s.jitscope"});
  JS_COMPARE_STATUS(report, 0);
  QVERIFY(!report.output.isEmpty());
  QVERIFY2(m_outcome.output.endsWith(report.output), report.output.constData());
}

QTEST_GUILESS_MAIN(NotebookTest)
#include "tst_notebook.moc"
