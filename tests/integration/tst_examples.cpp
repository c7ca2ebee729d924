// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "pipeline/pipeline.h"
#include "support/cli_runner.h"

#include <QDir>

using namespace jitscope;
using namespace jitscope::test;

/// The scripts that come with Jitscope do what they say, under every pipeline: what they expect of their calls and results is
/// checked by themselves.
class ExamplesTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyExampleSucceeds_data();
  void everyExampleSucceeds();

private:
  CliRunner m_runner;
};

void ExamplesTest::everyExampleSucceeds_data() {
  QTest::addColumn<QString>("example");
  QTest::addColumn<QString>("pipeline");
  const QStringList examples =
      QDir(QStringLiteral(JITSCOPE_SOURCE_DIR "/resources/examples")).entryList({"*.lua"}, QDir::Files, QDir::Name);
  QVERIFY(examples.size() > 5);
  for (const QString &example : examples) {
    for (const std::string_view pipeline : pipeline::pipelineNames()) {
      const QString name = QString::fromUtf8(pipeline.data(), static_cast<qsizetype>(pipeline.size()));
      QTest::addRow("%s, %s", qPrintable(example), qPrintable(name)) << example << name;
    }
  }
}

void ExamplesTest::everyExampleSucceeds() {
  QFETCH(QString, example);
  QFETCH(QString, pipeline);
  QFile file(QStringLiteral(JITSCOPE_SOURCE_DIR "/resources/examples/") + example);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QByteArray script = file.readAll();
  if (script.contains("\nstudy") && pipeline != "deferred") {
    QSKIP("a study compares all pipelines in one run");
  }
  // The same with less patience: nothing hangs on how long it is measured, how long a trace sleeps, or how long the chain is.
  for (const auto &[usual, shorter] : {std::pair("warmup = 2", "warmup = 0.05"), std::pair("time = 4", "time = 0.1"),
                                       std::pair("sleep(1000)", "sleep(10)"), std::pair("{ 10, 50, 100, 200 }", "{ 3, 6 }")}) {
    script.replace(usual, shorter);
  }
  const CommandOutcome outcome =
      m_runner.runScript(script, {"--overwrite", "--pipeline", pipeline, "--set", "disk_cache=false", "--progress", "never"});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.status(), "finished");
  QCOMPARE(m_runner.query("SELECT count(*) FROM expectation WHERE passed = 0"), "0");
  QCOMPARE(m_runner.query("SELECT count(*) FROM study_result WHERE error <> '' OR NOT is_equal"), "0");
  const QByteArray others = "SELECT count(*) FROM compile WHERE study_id IS NULL AND pipeline <> '" + pipeline.toUtf8() + "'";
  QCOMPARE(m_runner.query(others.constData()), "0");
}

QTEST_GUILESS_MAIN(ExamplesTest)
#include "tst_examples.moc"
