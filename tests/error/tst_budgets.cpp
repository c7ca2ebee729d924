// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

#include <nlohmann/json.hpp>

using namespace jitscope;
using test::CliRunner;
using test::CommandOutcome;

namespace {

constexpr const char *kFunction = "local f = fn('f', function(a) return a * 2 + 1 end)\nlocal a = ones({ 64 }, 'f32')\n";
constexpr const char *kBench = "bench { warmup = 0.01, time = 0.02, legs = { 'cold', 'warm' }, { 'c', f, a } }\n";

QByteArray script(const char *rest) { return QByteArray(kFunction) + rest; }

} // namespace

/// Budgets, checks and seeds on the command line: messages, statuses, and what reports show of them.
class TestBudgets : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void budgetsDecideTheStatus_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &code, int status, const char *message) {
      QTest::newRow(name) << code << status << message;
    };
    const QByteArray measured = QByteArray(kFunction) + kBench;
    row("all kept",
        measured + "expect.no_compiles { case = 'c' } expect.templates { f, at_most = 1 } expect.code_bytes { f, below = 100000 }\n"
                   "expect.percentile { case = 'c', leg = 'warm', p = 50, below_ms = 60000 }\n",
        0, "all 4 met");
    row("a storm of templates", script("for size = 1, 4 do f(ones({ size })) end expect.templates { f, at_most = 3 }"), 1,
        "script.lua:3: expect.templates failed: expected at most 3 templates of f, got 4: ..., f32[2]; f32[3]; f32[4]");
    row("too much code", script("f(a) expect.code_bytes { f, below = 1 }"), 1,
        "script.lua:3: expect.code_bytes failed: expected each executable of f below 1 bytes, got ");
    row("a compile in the warm leg",
        script("bench { warmup = 0, time = 0.01, legs = { 'warm' }, { 'c', f, a } } expect.no_compiles { case = 'c' }"), 1,
        "expect.no_compiles failed: expected no compile in the samples of c (warm), got 1 of ");
    row("a median over its bound", measured + "expect.percentile { case = 'c', leg = 'cold', p = 50, below_ms = 0.0000001 }", 1,
        "expect.percentile failed: expected p50 of c (cold) below 1e-07 ms, got ");
    row("a check that fails",
        script(
            "bench { time = 0.01, legs = { 'cold', 'warm' }, { 'c', f, a, check = function(t) return expect.equal(t, a) end } }"),
        1, "bench.check failed: expected c to pass its check, got the check returned false");
    row("a case that never ran", measured + "expect.no_compiles { case = 'd' }", 1,
        "script.lua:4: expect.no_compiles: no case \"d\" was measured before; there is \"c\"");
    row("a function that never ran", script("expect.templates { f, at_most = 4 }"), 1,
        "script.lua:3: expect.templates: f has no executable yet");
    row("a bound that is no number", measured + "expect.percentile { case = 'c', leg = 'warm', p = 50, below_ms = 0/0 }", 1,
        "below_ms must be more than 0 and at most 86400000, which is a day, not ");
  }
  void budgetsDecideTheStatus() {
    QFETCH(QByteArray, code);
    QFETCH(int, status);
    QFETCH(QString, message);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(code);
    JS_COMPARE_STATUS(outcome, status);
    JS_VERIFY_CONTAINS(outcome.output + outcome.errors, message);
  }

  void aBrokenCaseHasNoSamplesAndTheOthersHave() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(
        script("bench { warmup = 0, time = 0.01, { 'broken', f, a, check = function() return false end }, { 'good', f, a } }"));
    JS_COMPARE_STATUS(outcome, 1);
    QCOMPARE(runner.query("SELECT group_concat(DISTINCT b.name) FROM call c JOIN bench_case b ON b.id = c.case_id"), "good");
    QCOMPARE(runner.query("SELECT count(*) FROM bench_leg"), "2");
  }

  void aBatchShowsBrokenBudgets() {
    const CliRunner runner;
    runner.write("storm.lua", script("for size = 1, 4 do f(ones({ size })) end\nexpect.templates { f, at_most = 3 }\n"));
    const CommandOutcome outcome =
        runner.run({"batch", "storm.lua", "-o", "results", "--junit", "j.xml", "--sarif", "s.sarif", "--seed", "7"});
    JS_COMPARE_STATUS(outcome, 1);
    const QByteArray junit = runner.read("j.xml");
    JS_VERIFY_CONTAINS(junit, "expect.templates");
    JS_VERIFY_CONTAINS(junit, "at most 3 templates of f");
    const nlohmann::json sarif = nlohmann::json::parse(runner.read("s.sarif").toStdString());
    bool isFound = false;
    for (const nlohmann::json &result : sarif.at("runs").at(0).at("results")) {
      const nlohmann::json &place = result.at("locations").at(0).at("physicalLocation");
      isFound = isFound || (result.at("message").at("text").get<std::string>().find("at most 3 templates") != std::string::npos &&
                            place.at("region").at("startLine") == 4);
    }
    QVERIFY(isFound);
  }

  void aSeedIsPrintedAndRecorded() {
    const CliRunner runner;
    const QByteArray code = script("bench { warmup = 0, time = 0.001, legs = { 'warm' }, { 'a', f, a }, { 'b', f, a }, "
                                   "{ 'c', f, a }, { 'd', f, a } }");
    JS_COMPARE_STATUS(runner.runScript(code), 0);
    QCOMPARE(runner.query("SELECT group_concat(case_id), max(seed) FROM (SELECT * FROM bench_leg ORDER BY position)"),
             "1,2,3,4|NULL");
    const CommandOutcome seeded = runner.runScript(code, {"--overwrite", "--seed", "3"});
    JS_COMPARE_STATUS(seeded, 0);
    JS_VERIFY_CONTAINS(seeded.errors, "Benches measure in an order shuffled with --seed 3");
    JS_VERIFY_CONTAINS(seeded.output, "The order of the legs was drawn; --seed 3 draws it again");
    const QString order = runner.query("SELECT group_concat(case_id), max(seed) FROM (SELECT * FROM bench_leg ORDER BY position)");
    QVERIFY(order.endsWith("|3") && order != "1,2,3,4|3");
    QVERIFY(runner.query("SELECT command_line FROM session").endsWith("--seed 3"));
    // The cases keep the script's order in the session, whatever was measured first.
    QCOMPARE(runner.query("SELECT group_concat(name, '') FROM bench_case"), "abcd");
    const CommandOutcome drawn = runner.runScript(code, {"--overwrite", "--seed", "random"});
    JS_COMPARE_STATUS(drawn, 0);
    QCOMPARE(runner.query("SELECT count(DISTINCT seed) FROM bench_leg WHERE seed IS NOT NULL"), "1");
  }

  void aSeedThatIsNoneIsRefused_data() {
    QTest::addColumn<QString>("seed");
    for (const char *seed : {"-1", "x", "1.5", "9223372036854775808", "Random", ""}) {
      QTest::newRow(seed) << seed;
    }
  }
  void aSeedThatIsNoneIsRefused() {
    QFETCH(QString, seed);
    const CliRunner runner;
    runner.write("script.lua", "print('on')");
    for (const char *command : {"run", "batch"}) {
      const CommandOutcome outcome = runner.run({command, "script.lua", "--seed", seed});
      JS_COMPARE_STATUS(outcome, 2);
      JS_VERIFY_CONTAINS(outcome.errors,
                         QString("--seed: takes a whole number from 0 to 9223372036854775807, or random, not '%1'").arg(seed));
    }
  }

  void whatALegIsToldOfIsInItsReport() {
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript(script("bench { warmup = 0, time = 9, max_samples = 5, { 'c', f, a } }")), 0);
    QCOMPARE(runner.query("SELECT group_concat(leg || is_capped || max_samples), min(overhead_ns) > 0 FROM "
                          "(SELECT * FROM bench_leg ORDER BY position)"),
             "cold15,warm15|1");
    const CommandOutcome report = runner.run({"report", "s.jitscope"});
    JS_VERIFY_CONTAINS(report.output, "It ended before its time: 5 samples are the most that are kept (max_samples)");
    JS_VERIFY_CONTAINS(report.output, "Measuring adds up to ");
    const CommandOutcome json = runner.run({"report", "s.jitscope", "--format", "json"});
    const nlohmann::json measuring =
        nlohmann::json::parse(json.output.toStdString()).at("cases").at(0).at("legs").at(1).at("measuring");
    QVERIFY(measuring.at("is_capped") == true && measuring.at("max_samples") == 5 && measuring.at("position") == 2);
  }
};

QTEST_GUILESS_MAIN(TestBudgets)
#include "tst_budgets.moc"
