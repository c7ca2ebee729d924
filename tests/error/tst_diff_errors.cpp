// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

using namespace jitscope::test;

/// `jitscope diff` asked for what a session does not hold, or in ways that make no sense.
class TestDiffErrors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() { JS_VERIFY_RESULT(writeSession(m_runner.path("study.jitscope").toStdString(), studyRecording())); }

  void aStudyIsCompared() {
    const CommandOutcome outcome = m_runner.run({"diff", "study.jitscope", "--function", "outer_logp_wrapper"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output.simplified(), "instruction return type cannot be vectorized");
    JS_VERIFY_CONTAINS(outcome.output, "load <4 x double>");
    QCOMPARE(outcome.errors, QByteArray());
    // No terminal, no colours.
    QVERIFY(!outcome.output.contains('\x1b'));
  }

  void equalCodeIsNoError() {
    const CommandOutcome outcome = m_runner.run(
        {"diff", "study.jitscope", "-f", "outer_logp_wrapper", "--between", "stage:module,stage:final", "--pipeline", "deferred"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "The code is equal: ");
  }

  void jsonIsOneObject() {
    const CommandOutcome outcome = m_runner.run({"diff", "study.jitscope", "--function", "inner", "--json"});
    JS_COMPARE_STATUS(outcome, 0);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(outcome.output, &error);
    QCOMPARE(error.error, QJsonParseError::NoError);
    QVERIFY(document.isObject());
    QCOMPARE(document["function"]["name"].toString(), QString("__main__::inner"));
  }

  void whatCannotBeComparedIsExplained_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown function") << QStringList{"-f", "outer_logp_wraper"}
                                      << "the session has no function \"outer_logp_wraper\"; the nearest ones with recorded code: "
                                         "__main__::outer_logp_wrapper";
    QTest::newRow("unknown pipeline")
        << QStringList{"-f", "inner", "--between", "per-function,derefed"}
        << "the session holds no code of \"__main__::inner\" under \"derefed\"; it has compile 1 under "
           "per-function in study 1, compile 2 under deferred in study 1";
    QTest::newRow("a pipeline that failed") << QStringList{"-f", "inner", "--between", "per-function,pre-link"}
                                            << "the session holds no code of \"__main__::inner\" under \"pre-link\"";
    QTest::newRow("unknown stage")
        << QStringList{"-f", "inner", "--stage", "middle"}
        << "the code of \"__main__::inner\" at \"middle\" was not recorded under per-function; there is: "
           "before, final";
    QTest::newRow("one side") << QStringList{"-f", "inner", "--between", "deferred"}
                              << "--between \"deferred\": two pipelines or two";
    QTest::newRow("an empty side") << QStringList{"-f", "inner", "--between", "deferred,"} << "--between \"deferred,\": two";
    QTest::newRow("three sides") << QStringList{"-f", "inner", "--between", "a,b,c"} << "--between \"a,b,c\": two";
    QTest::newRow("with itself") << QStringList{"-f", "inner", "--between", "deferred,deferred"}
                                 << "--between \"deferred,deferred\": there is nothing to compare with itself";
    QTest::newRow("no such study") << QStringList{"-f", "inner", "--study", "9"}
                                   << "the session holds no such code of \"__main__::inner\"; it has compile 1 under per-function";
    QTest::newRow("both looks") << QStringList{"-f", "inner", "-u", "-y"} << "--side-by-side excludes --unified";
    QTest::newRow("no function named") << QStringList{} << "--function is required";
    QTest::newRow("no number") << QStringList{"-f", "inner", "--study", "first"} << "--study";
  }
  void whatCannotBeComparedIsExplained() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CommandOutcome outcome = m_runner.run(QStringList{"diff", "study.jitscope"} + arguments);
    JS_COMPARE_STATUS(outcome, 2);
    QVERIFY2(outcome.errors.startsWith("jitscope: "), outcome.description());
    JS_VERIFY_CONTAINS(QString::fromUtf8(outcome.errors), message);
    QCOMPARE(outcome.output, QByteArray());
  }

  void filesThatAreNoSessionsAreRefused() {
    m_runner.write("text.jitscope", "x");
    for (const char *name : {"text.jitscope", "missing.jitscope"}) {
      const CommandOutcome outcome = m_runner.run({"diff", name, "--function", "f"});
      JS_COMPARE_STATUS(outcome, 2);
      JS_VERIFY_CONTAINS(outcome.errors, "jitscope: cannot open the session");
    }
  }

  void aSessionWithoutCodeSaysSo() {
    JS_VERIFY_RESULT(writeSession(m_runner.path("empty.jitscope").toStdString(), Recording()));
    const CommandOutcome outcome = m_runner.run({"diff", "empty.jitscope", "--function", "f"});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "jitscope: the session holds no code: nothing was compiled while it was recorded");
  }

  /// Names come from scripts and modules: what moves the cursor is shown escaped.
  void namesDoNotReachTheTerminalAsTheyAre() {
    Recording recording = studyRecording();
    for (jitscope::event::Event &event : recording.events) {
      auto *function = std::get_if<jitscope::event::FunctionEvent>(&event);
      if (function != nullptr && function->id == kInner) {
        function->name = "evil\x1b[31m\nname";
      }
    }
    JS_VERIFY_RESULT(writeSession(m_runner.path("evil.jitscope").toStdString(), recording));
    for (const char *name : {"evil", "outer_logp_wrapper"}) {
      const CommandOutcome outcome = m_runner.run({"diff", "evil.jitscope", "--function", name});
      JS_COMPARE_STATUS(outcome, 0);
      QVERIFY(!outcome.output.contains('\x1b'));
      JS_VERIFY_CONTAINS(outcome.output, "evil\\x1b[31m\\nname");
    }
  }

  void aFullDiskIsTold() {
    const CommandOutcome outcome =
        m_runner.run({"diff", "study.jitscope", "--function", "inner"}, {.outputFile = QStringLiteral("/dev/full")});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "No space left on device");
  }

private:
  CliRunner m_runner;
};

QTEST_GUILESS_MAIN(TestDiffErrors)
#include "tst_diff_errors.moc"
