// SPDX-License-Identifier: GPL-3.0-or-later
// What `jitscope compare` says and gives the shell for sessions that cannot be compared, and for output that cannot be written.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/result_checks.h"
#include "support/sessions/measured_sessions.h"

using namespace jitscope;
using test::CliRunner;
using test::CommandOutcome;
using test::MeasuredSession;

class TestCompareErrors : public QObject {
  Q_OBJECT

  std::unique_ptr<CliRunner> m_cli;

  void writeLegs(const char *name, double medianNs, std::size_t samples = 100, std::uint64_t seed = 1) {
    MeasuredSession plan;
    plan.seed = seed;
    plan.legs = {{.name = "kernel", .samples = samples, .medianNs = medianNs}};
    JS_VERIFY_RESULT(test::writeMeasured(m_cli->path(name).toStdString(), plan));
  }

private Q_SLOTS:
  void init() {
    m_cli = std::make_unique<CliRunner>();
    writeLegs("base.jitscope", 100'000);
  }

  void theExitStatusSaysWhatWasFound() {
    writeLegs("same.jitscope", 100'000, 100, 2);
    writeLegs("slow.jitscope", 125'000, 100, 2);
    writeLegs("few.jitscope", 100'000, 3, 2);
    JS_COMPARE_STATUS(m_cli->run({"compare", "base.jitscope", "same.jitscope"}), 0);
    const CommandOutcome slow = m_cli->run({"compare", "base.jitscope", "slow.jitscope"});
    JS_COMPARE_STATUS(slow, 1);
    JS_VERIFY_CONTAINS(slow.output, "Regression: 1 of 1 leg slower");
    JS_COMPARE_STATUS(m_cli->run({"compare", "base.jitscope", "slow.jitscope", "--threshold", "30%"}), 0);
    const CommandOutcome few = m_cli->run({"compare", "base.jitscope", "few.jitscope"});
    JS_COMPARE_STATUS(few, 3);
    JS_VERIFY_CONTAINS(few.output, "100 and 3 samples; 6 are needed");
    // Close to the base, but the samples vary too much to call it equal: no regression. Over the threshold: not a pass.
    MeasuredSession noisy;
    noisy.legs = {{.name = "kernel", .leg = event::Leg::Cold, .medianNs = 100'000},
                  {.name = "kernel", .leg = event::Leg::Warm, .medianNs = 173'000}};
    JS_VERIFY_RESULT(test::writeMeasured(m_cli->path("noisy.jitscope").toStdString(), noisy));
    JS_COMPARE_STATUS(m_cli->run({"compare", "noisy.jitscope", "noisy.jitscope"}), 0);
    noisy.seed = 2;
    noisy.legs[0].medianNs = 169'600;
    JS_VERIFY_RESULT(test::writeMeasured(m_cli->path("doubtful.jitscope").toStdString(), noisy));
    const CommandOutcome doubtful = m_cli->run({"compare", "noisy.jitscope", "doubtful.jitscope"});
    JS_COMPARE_STATUS(doubtful, 3);
    JS_VERIFY_CONTAINS(doubtful.output, "Cannot tell: 1 leg may be slower");
  }

  void aSessionThatIsNoneIsNamed() {
    m_cli->write("text.jitscope", "not a session");
    QVERIFY(QFile::copy(m_cli->path("base.jitscope"), m_cli->path("cut.jitscope")));
    QVERIFY(QFile::resize(m_cli->path("cut.jitscope"), 5000));
    for (const char *name : {"missing.jitscope", "text.jitscope", "cut.jitscope", "."}) {
      for (const bool first : {true, false}) {
        const QStringList arguments =
            first ? QStringList{"compare", name, "base.jitscope"} : QStringList{"compare", "base.jitscope", name};
        const CommandOutcome outcome = m_cli->run(arguments);
        JS_COMPARE_STATUS(outcome, 2);
        QVERIFY2(outcome.errors.contains(name) && outcome.output.isEmpty(), outcome.description().constData());
      }
    }
  }

  void thresholdsArePercentages_data() {
    QTest::addColumn<QString>("threshold");
    QTest::addColumn<int>("status");
    QTest::newRow("with sign") << "5%" << 0;
    QTest::newRow("with space") << "7.5 %" << 0;
    QTest::newRow("bare") << "10" << 0;
    QTest::newRow("none") << "0" << 0;
    QTest::newRow("word") << "much" << 2;
    QTest::newRow("negative") << "-5%" << 2;
    QTest::newRow("not finite") << "inf%" << 2;
    QTest::newRow("other unit") << "5ms" << 2;
    QTest::newRow("empty") << "" << 2;
  }
  void thresholdsArePercentages() {
    QFETCH(QString, threshold);
    QFETCH(int, status);
    const CommandOutcome outcome = m_cli->run({"compare", "base.jitscope", "base.jitscope", "--threshold=" + threshold});
    JS_COMPARE_STATUS(outcome, status);
    QVERIFY(status == 0 || outcome.errors.contains("threshold"));
  }

  void anUnknownFormatIsWrongUsage() {
    const CommandOutcome outcome = m_cli->run({"compare", "base.jitscope", "base.jitscope", "-f", "pdf"});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "markdown");
  }

  void aFullDiskLeavesNoHalfReport() {
    m_cli->write("report.html", "the one of yesterday");
    const CommandOutcome outcome =
        m_cli->run({"compare", "base.jitscope", "base.jitscope", "-f", "html", "-o", "report.html"}, {.maxFileBytes = 1000});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "report.html cannot be written");
    QCOMPARE(m_cli->read("report.html"), QByteArray("the one of yesterday"));
    QCOMPARE(m_cli->files(), (QStringList{"base.jitscope", "report.html"}));
  }

  void aSessionIsNotReplacedByItsReport() {
    const QByteArray before = m_cli->read("base.jitscope");
    JS_COMPARE_STATUS(m_cli->run({"compare", "base.jitscope", "base.jitscope", "-o", "base.jitscope"}), 2);
    QCOMPARE(m_cli->read("base.jitscope"), before);
  }
};

QTEST_GUILESS_MAIN(TestCompareErrors)
#include "tst_compare_errors.moc"
