// SPDX-License-Identifier: GPL-3.0-or-later
// `jitscope batch` as a CI job has it: scripts that pass, fail, hang and die; shards; baselines.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/report_schemas.h"
#include "support/sanitizers.h"

#include <nlohmann/json.hpp>

using namespace jitscope;
using test::CliRunner;
using test::CommandOutcome;

namespace {

constexpr const char *kGood = "local f = fn('f', function(a) return a * 2 end)\n"
                              "local a = ones({ 64 }, 'f32')\n"
                              "expect.outcome(time('first', f, a), 'miss')\n";
constexpr const char *kBad = "local f = fn('f', function(a) return a * 2 end)\n"
                             "expect.outcome(time('first', f, ones({ 4 }, 'f32')), 'hit')\n";
constexpr const char *kBench = "local f = fn('f', function(a) return a:dot(a) end)\n"
                               "local a = ones({ 96, 96 }, 'f32')\n"
                               "bench { warmup = 0.02, time = 0.1, legs = { 'warm' }, { 'f', f, a } }\n";

} // namespace

class TestBatch : public QObject {
  Q_OBJECT

  std::unique_ptr<CliRunner> m_cli;

  [[nodiscard]] CommandOutcome batch(const QStringList &arguments, const test::ChildConditions &conditions = {}) const {
    return CliRunner::end(*m_cli->start(QStringList{"batch"} + arguments, conditions), {}, 120'000);
  }
  [[nodiscard]] static nlohmann::json jsonOf(const CommandOutcome &outcome) {
    return nlohmann::json::parse(outcome.output.toStdString(), nullptr, false);
  }

private Q_SLOTS:
  void init() {
    m_cli = std::make_unique<CliRunner>();
    m_cli->write("good.lua", kGood);
  }

  void scriptsThatPassAreDone() {
    m_cli->write("also.lua", kGood);
    const CommandOutcome outcome = batch({"good.lua", "also.lua", "--jobs", "2"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "All 2 passed");
    JS_VERIFY_CONTAINS(outcome.errors, "good.lua: passed");
    QCOMPARE(QDir(m_cli->path("jitscope-batch")).entryList(QDir::Files, QDir::Name),
             (QStringList{"also.jitscope", "also.log", "good.jitscope", "good.log"}));
  }

  void eachFailureIsItsOwn() {
    m_cli->write("bad.lua", kBad);
    m_cli->write("broken.lua", "local x = (");
    m_cli->write("hang.lua", "while true do end");
    const char *const kTimeout = test::kIsSanitized ? "15" : "4"; // for each, also on a busy machine
    const CommandOutcome outcome = batch({"bad.lua", "broken.lua", "hang.lua", "good.lua", "--timeout", kTimeout, "--junit",
                                          "j.xml", "--sarif", "s.sarif", "--json"});
    JS_COMPARE_STATUS(outcome, 1);
    const nlohmann::json json = jsonOf(outcome);
    QVERIFY2(json.is_object(), outcome.description().constData());
    const auto stateOf = [&json](std::size_t index) { return json["scripts"][index]["state"].get<std::string>(); };
    QCOMPARE(stateOf(0), std::string("finished"));
    QVERIFY(json["scripts"][0]["failed"].get<bool>());
    QCOMPARE(stateOf(1), std::string("failed"));
    QVERIFY(json["scripts"][1]["message"].get<std::string>().find("broken.lua:") != std::string::npos);
    QCOMPARE(stateOf(2), std::string("timed out"));
    QCOMPARE(stateOf(3), std::string("finished"));
    QVERIFY(!json["scripts"][3]["failed"].get<bool>());
    QCOMPARE(test::JunitSchema::problem(m_cli->read("j.xml")), QString());
    QCOMPARE(test::SarifSchema::problem(nlohmann::json::parse(m_cli->read("s.sarif").toStdString())), std::string());
  }

  void aScriptWhoseProcessDiesTakesNothingWithIt() {
    m_cli->write("dies.lua", "while true do end");
    const CommandOutcome outcome = batch({"dies.lua", "good.lua", "--json"}, {.maxCpuSeconds = 2});
    JS_COMPARE_STATUS(outcome, 1);
    const nlohmann::json json = jsonOf(outcome);
    QCOMPARE(json["scripts"][0]["state"].get<std::string>(), std::string("crashed"));
    QVERIFY(json["scripts"][0]["message"].get<std::string>().find("signal") != std::string::npos);
    QCOMPARE(json["scripts"][1]["state"].get<std::string>(), std::string("finished"));
  }

  void whatCannotBeRunIsSaidBeforeAnythingRuns_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing script") << QStringList{"good.lua", "missing.lua"} << "missing.lua does not exist; nothing was run";
    QTest::newRow("empty folder") << QStringList{"cache"} << "has no graph scripts";
    QTest::newRow("shard of none") << QStringList{"good.lua", "--shard", "0/2"} << "--shard takes I/N, such as 2/4";
    QTest::newRow("shard beyond") << QStringList{"good.lua", "--shard", "3/2"} << "--shard takes I/N, such as 2/4";
    QTest::newRow("no shard") << QStringList{"good.lua", "--shard", "half"} << "--shard takes I/N, such as 2/4";
    QTest::newRow("baseline that is no session")
        << QStringList{"good.lua", "--baseline", "good.lua"} << "it is not a Jitscope session; nothing was run";
    QTest::newRow("missing baseline") << QStringList{"good.lua", "--baseline", "nowhere"}
                                      << "nowhere does not exist; nothing was run";
    QTest::newRow("threshold") << QStringList{"good.lua", "--threshold", "much"} << "percentage such as 5%";
    QTest::newRow("no jobs") << QStringList{"good.lua", "--jobs", "0"} << "jobs";
  }
  void whatCannotBeRunIsSaidBeforeAnythingRuns() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CommandOutcome outcome = batch(arguments);
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, message);
    QVERIFY(!QFile::exists(m_cli->path("jitscope-batch/good.jitscope")));
  }

  void shardsTogetherAreAllScripts() {
    for (const char *name : {"a.lua", "b.lua", "c.lua"}) {
      m_cli->write(name, kGood);
    }
    const QStringList scripts{"a.lua", "b.lua", "c.lua", "good.lua"};
    JS_COMPARE_STATUS(batch(scripts + QStringList{"-o", "whole"}), 0);
    JS_COMPARE_STATUS(batch(scripts + QStringList{"-o", "s1", "--shard", "1/3"}), 0);
    JS_COMPARE_STATUS(batch(scripts + QStringList{"-o", "s2", "--shard", "2/3"}), 0);
    JS_COMPARE_STATUS(batch(scripts + QStringList{"-o", "s3", "--shard", "3/3"}), 0);
    const auto sessionsIn = [this](const QStringList &folders) {
      QStringList sessions;
      for (const QString &folder : folders) {
        for (const QString &name : QDir(m_cli->path(folder)).entryList({"*.jitscope"}, QDir::Files, QDir::Name)) {
          sessions += folder + "/" + name;
        }
      }
      return sessions;
    };
    QCOMPARE(sessionsIn({"s1", "s2", "s3"}).size(), 4);
    JS_COMPARE_STATUS(m_cli->run(QStringList{"merge"} + sessionsIn({"s1", "s2", "s3"}) + QStringList{"-o", "shards.jitscope"}), 0);
    JS_COMPARE_STATUS(m_cli->run(QStringList{"merge"} + sessionsIn({"whole"}) + QStringList{"-o", "whole.jitscope"}), 0);
    for (const char *table : {"call", "compile", "template", "function", "section", "expectation", "merged_session"}) {
      const QByteArray sql = QByteArray("SELECT count(*) FROM ") + table;
      QCOMPARE(CliRunner::query(m_cli->path("shards.jitscope"), sql), CliRunner::query(m_cli->path("whole.jitscope"), sql));
    }
    QCOMPARE(CliRunner::query(m_cli->path("shards.jitscope"), "SELECT count(*) FROM compile"), "8"); // ones() and f, four times
  }

  void aShardWithoutScriptsIsNoFailure() {
    const CommandOutcome outcome = batch({"good.lua", "--shard", "2/2"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "This shard has no scripts");
  }

  void oneMoreTemplateThanInTheBaselineFails() {
    JS_COMPARE_STATUS(batch({"good.lua", "-o", "base"}), 0);
    // Without benchmarks counts are what there is to compare; the same again is all right.
    JS_COMPARE_STATUS(batch({"good.lua", "-o", "same", "--baseline", "base"}), 0);
    m_cli->write("good.lua", QByteArray(kGood) + "f(ones({ 65 }, 'f32'))\n");
    const CommandOutcome outcome = batch({"good.lua", "-o", "more", "--baseline", "base", "--json"});
    JS_COMPARE_STATUS(outcome, 1);
    const nlohmann::json comparison = jsonOf(outcome)["scripts"][0]["comparison"];
    bool isNamed = false;
    for (const nlohmann::json &count : comparison["counts"]) {
      isNamed = isNamed || (count["count"] == "templates" && count["function"] == "f" && count["base"] == 1 &&
                            count["contender"] == 2 && count["verdict"] == "worse");
    }
    QVERIFY(isNamed);
  }

  /// Slower by far more than any machine is noisy: confirmed by each repetition.
  void aSlowerScriptFailsOnceItIsConfirmed() {
    m_cli->write("bench.lua", kBench);
    JS_COMPARE_STATUS(batch({"bench.lua", "-o", "base"}), 0);
    m_cli->write("bench.lua",
                 QByteArray(kBench).replace("return a:dot(a)", "local r = a for i = 1, 40 do r = r:dot(a) end return r"));
    const CommandOutcome outcome = batch({"bench.lua", "-o", "slow", "--baseline", "base", "--confirm", "1"});
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.output, "1 of 1 leg slower");
    JS_VERIFY_CONTAINS(outcome.errors, "measuring again (1 of 1)");
    QVERIFY(QFile::exists(m_cli->path("slow/again/bench-1.jitscope")));
    // The session of the repetition is not taken for a baseline whose script is missing.
    const CommandOutcome next = batch({"bench.lua", "-o", "next", "--baseline", "slow", "--threshold", "1000%"});
    JS_COMPARE_STATUS(next, 0);
  }

  void whatIsNoLongerMeasuredIsNotCalledGood() {
    m_cli->write("gone.lua", kGood);
    JS_COMPARE_STATUS(batch({"good.lua", "gone.lua", "-o", "base"}), 0);
    const CommandOutcome outcome = batch({"good.lua", "-o", "now", "--baseline", "base"});
    JS_COMPARE_STATUS(outcome, 3);
    JS_VERIFY_CONTAINS(outcome.output, "gone.jitscope, but the batch has no script of that name");
  }

  void aNewScriptIsSaidToBeNew() {
    JS_COMPARE_STATUS(batch({"good.lua", "-o", "base"}), 0);
    m_cli->write("fresh.lua", kGood);
    const CommandOutcome outcome = batch({"good.lua", "fresh.lua", "-o", "now", "--baseline", "base"});
    JS_COMPARE_STATUS(outcome, 0);
    JS_VERIFY_CONTAINS(outcome.output, "new: there is no");
    // Where all are new, nothing was compared.
    JS_COMPARE_STATUS(batch({"fresh.lua", "-o", "now", "--baseline", "cache"}), 3);
  }

  void aBaselineThatIsNoSessionFailsItsScript() {
    QDir(m_cli->folder()).mkdir("base");
    m_cli->write("base/good.jitscope", "not a session");
    const CommandOutcome outcome = batch({"good.lua", "-o", "now", "--baseline", "base"});
    JS_COMPARE_STATUS(outcome, 1);
    JS_VERIFY_CONTAINS(outcome.output, "it cannot be compared");
  }

  void reportsThatCannotBeWrittenLeaveNoHalf() {
    m_cli->write("j.xml", "the one of yesterday");
    const CommandOutcome outcome = batch({"good.lua", "--junit", "no/such/folder.xml"});
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "the folder no/such does not exist");
    JS_COMPARE_STATUS(batch({"good.lua", "--html", "index.html", "--markdown", "m.md", "--junit", "j.xml"}), 0);
    QVERIFY(m_cli->read("index.html").contains("href=\"jitscope-batch/good.html\""));
    QVERIFY(m_cli->read("jitscope-batch/good.html").startsWith("<!DOCTYPE html>"));
    QVERIFY(m_cli->read("m.md").startsWith("# Batch"));
  }
};

QTEST_GUILESS_MAIN(TestBatch)
#include "tst_batch.moc"
