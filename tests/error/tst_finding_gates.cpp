// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

#include <nlohmann/json.hpp>

using namespace jitscope;
using test::CliRunner;
using test::CommandOutcome;

/// Findings that are not allowed: messages and exit statuses of run, report and batch, and of expect.no_findings.
class TestFindingGates : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    QFile example(QStringLiteral(JITSCOPE_SOURCE_DIR "/resources/examples/recompile_storm.lua"));
    QVERIFY(example.open(QIODevice::ReadOnly));
    m_storm = example.readAll();
  }

  void runAndReportFailOnAFinding_data() {
    QTest::addColumn<QString>("gate");
    QTest::addColumn<int>("status");
    QTest::newRow("of that kind") << "storm" << 1;
    QTest::newRow("of one of these kinds") << "waiting,storm:0.001" << 1;
    QTest::newRow("that costs less") << "storm:10000" << 0;
    QTest::newRow("of another kind") << "waiting" << 0;
  }
  void runAndReportFailOnAFinding() {
    QFETCH(QString, gate);
    QFETCH(int, status);
    const CliRunner runner;
    const QString said = "jitscope: a finding that --fail-on forbids: ";
    const CommandOutcome ran = runner.runScript(m_storm, {"--fail-on", gate});
    JS_COMPARE_STATUS(ran, status);
    QCOMPARE(QString::fromUtf8(ran.errors).contains(said), status == 1);
    const CommandOutcome reported = runner.run({"report", "s.jitscope", "--format", "json", "--fail-on", gate});
    JS_COMPARE_STATUS(reported, status);
    QVERIFY(nlohmann::json::accept(reported.output.toStdString()));
    if (status == 1) {
      JS_VERIFY_CONTAINS(reported.errors, said);
      JS_VERIFY_CONTAINS(reported.errors, "storm: standardize was compiled again ");
      JS_VERIFY_CONTAINS(reported.errors, "(script.lua:");
    }
  }

  void anUnknownKindIsWrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("run") << QStringList{"run", "script.lua"};
    QTest::newRow("report") << QStringList{"report", "s.jitscope"};
    QTest::newRow("batch") << QStringList{"batch", "script.lua"};
  }
  void anUnknownKindIsWrongUsage() {
    QFETCH(QStringList, arguments);
    const CliRunner runner;
    runner.write("script.lua", m_storm);
    const CommandOutcome outcome = runner.run(arguments + QStringList{"--fail-on", "strom"});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "--fail-on: there is no kind of finding \"strom\"; there are stale-capture, storm, ");
    JS_VERIFY_CONTAINS(outcome.errors, "did you mean \"storm\"?");
    QCOMPARE(runner.files(), QStringList{"script.lua"});
  }

  void aBatchFailsOnAFindingInEveryOutput() {
    const CliRunner runner;
    runner.write("storm.lua", m_storm);
    runner.write("calm.lua", "local f = fn('f', function(x) return x + 1 end) f(ones{3}) f(ones{3})\n");
    const CommandOutcome outcome = runner.run({"batch", "calm.lua", "storm.lua", "-o", "results", "--fail-on", "storm", "--junit",
                                               "j.xml", "--sarif", "s.sarif", "--json", "--markdown", "m.md"});
    JS_COMPARE_STATUS(outcome, 1);
    const QByteArray junit = runner.read("j.xml");
    JS_VERIFY_CONTAINS(junit, "no finding: storm");
    JS_VERIFY_CONTAINS(junit, "standardize was compiled again ");
    QCOMPARE(junit.count("<testcase name=\"no finding: storm\""), 2);
    QCOMPARE(junit.count("<failure "), 1);
    const nlohmann::json sarif = nlohmann::json::parse(runner.read("s.sarif").toStdString());
    int errors = 0;
    for (const nlohmann::json &result : sarif["runs"][0]["results"]) {
      if (result["ruleId"] == "finding/storm") {
        ++errors;
        QCOMPARE(QString::fromStdString(result["level"]), QStringLiteral("error"));
        QVERIFY(result["locations"][0]["physicalLocation"]["region"]["startLine"] > 0);
        QCOMPARE(sarif["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
      }
    }
    QCOMPARE(errors, 1);
    JS_VERIFY_CONTAINS(runner.read("m.md"), "1 forbidden finding");
    const nlohmann::json batch = nlohmann::json::parse(outcome.output.toStdString());
    const auto script = std::ranges::find(batch["scripts"], nlohmann::json("storm.lua"),
                                          [](const nlohmann::json &entry) { return entry["script"]; });
    QVERIFY(script != batch["scripts"].end());
    QCOMPARE((*script)["forbidden_findings"].size(), std::size_t{1});
  }

  void aScriptExpectsNoFindings_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &code, int status, const char *message) {
      QTest::newRow(name) << code << status << message;
    };
    const QByteArray calm = "local f = fn('f', function(x) return x + 1 end) f(ones{3})\n";
    row("there is one", m_storm + "\nexpect.no_findings{kinds = {'storm'}}", 1,
        "expect.no_findings failed: expected no finding of kind storm, got ");
    row("it costs less", m_storm + "\nexpect.no_findings{kinds = {'storm'}, above_ms = 1e7}", 0, "all ");
    row("of another kind", m_storm + "\nexpect.no_findings{kinds = {'waiting'}}", 0, "all ");
    row("of any kind", m_storm + "\nexpect.no_findings{}", 1, "expect.no_findings failed: expected no finding, got ");
    row("there is none", calm + "expect.no_findings{}", 0, "all 1 met");
    row("an unknown kind", calm + "expect.no_findings{kinds = {'strom'}}", 1, "there is no kind of finding \"strom\"; there are ");
    row("no list", calm + "expect.no_findings{kinds = 'storm'}", 1, "expect.no_findings: kinds must be a list of names such as ");
    row("an empty list", calm + "expect.no_findings{kinds = {}}", 1, "expect.no_findings: kinds must be a list of names such as ");
    row("a list of numbers", calm + "expect.no_findings{kinds = {1}}", 1,
        "expect.no_findings: kinds must be a list of names such as ");
    row("a bound below 0", calm + "expect.no_findings{above_ms = -1}", 1, "expect.no_findings: above_ms must be 0 to ");
    row("a bound that is no number", calm + "expect.no_findings{above_ms = 0/0}", 1, "expect.no_findings: above_ms must be 0 to ");
    row("a slip", calm + "expect.no_findings{kind = {'storm'}}", 1, "there is no field \"kind\"; there are kinds and above_ms");
    row("nothing was called", "expect.no_findings{}", 1,
        "expect.no_findings: the script has called and compiled nothing so far, so nothing could be found");
    row("in a trace", "fn('g', function(x) expect.no_findings{} return x end)(ones{2})", 1,
        "expect cannot be used while a function is traced");
  }
  void aScriptExpectsNoFindings() {
    QFETCH(QByteArray, code);
    QFETCH(int, status);
    QFETCH(QString, message);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(code);
    JS_COMPARE_STATUS(outcome, status);
    JS_VERIFY_CONTAINS(outcome.output + outcome.errors, message);
  }

private:
  QByteArray m_storm;
};

QTEST_GUILESS_MAIN(TestFindingGates)
#include "tst_finding_gates.moc"
