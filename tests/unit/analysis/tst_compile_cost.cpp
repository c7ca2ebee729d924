// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/session_counts.h"
#include "analysis/statistics/steady_samples.h"
#include "analysis/summary.h"
#include "event/compile_cost.h"
#include "report/document/bench_text.h"
#include "report/reporter.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <map>

using namespace jitscope;
using event::Outcome;
using session::SessionReader;

namespace {

/// So many samples were served like this; no two numbers add up to a third by chance that matters here.
const std::map<Outcome, std::uint64_t> kSamples{{Outcome::Hit, 100}, {Outcome::Retrace, 1}, {Outcome::Disk, 2},
                                                {Outcome::Miss, 4},  {Outcome::Wait, 8},    {Outcome::Bypass, 16}};
constexpr std::uint64_t kPaid = 4 + 16;
constexpr std::uint64_t kHeldUp = kPaid + 8;
constexpr std::uint64_t kAll = 131;

/// A warm leg with samples of every outcome.
test::Recording everyOutcome() {
  test::Recording r;
  r.events.emplace_back(event::SectionEvent{base::SectionId(1), "all", 0});
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
  r.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[8]"});
  r.events.emplace_back(event::BenchCaseEvent{base::CaseId(1), 1, "c", "", base::FunctionId(1), 0, 1000, 1});
  std::uint64_t id = 0;
  for (const auto &[outcome, samples] : kSamples) {
    for (std::uint64_t i = 0; i < samples; ++i) {
      ++id;
      r.calls.push_back(test::asSample(test::makeCall(id, 1, 1, id * test::kMs, outcome, 0, 900), 1, event::Leg::Warm));
    }
  }
  return r;
}

} // namespace

class TestCompileCost : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_path = m_folder.filePath("s.jitscope").toStdString();
    std::filesystem::remove(m_path);
    JS_VERIFY_RESULT(test::writeSession(m_path, everyOutcome()));
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    m_reader = *std::move(reader);
  }
  void cleanup() { m_reader.reset(); }

  void anOutcomeSaysWhatACompileCostIt_data() {
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("paid");
    QTest::addColumn<bool>("heldUp");
    QTest::newRow("hit") << static_cast<int>(Outcome::Hit) << false << false;
    QTest::newRow("retrace") << static_cast<int>(Outcome::Retrace) << false << false;
    QTest::newRow("disk") << static_cast<int>(Outcome::Disk) << false << false;
    QTest::newRow("miss") << static_cast<int>(Outcome::Miss) << true << true;
    QTest::newRow("wait") << static_cast<int>(Outcome::Wait) << false << true;
    QTest::newRow("bypass") << static_cast<int>(Outcome::Bypass) << true << true;
  }
  void anOutcomeSaysWhatACompileCostIt() {
    QFETCH(int, outcome);
    QTEST(event::paidForCompile(static_cast<Outcome>(outcome)), "paid");
    QTEST(event::heldUpByCompile(static_cast<Outcome>(outcome)), "heldUp");
    // The view tells the same to those who ask in SQL.
    const std::string of = " FROM outcome WHERE name = '" + std::string(QTest::currentDataTag()) + "'";
    QCOMPARE(number("SELECT paid" + of) == 1, event::paidForCompile(static_cast<Outcome>(outcome)));
    QCOMPARE(number("SELECT held_up" + of) == 1, event::heldUpByCompile(static_cast<Outcome>(outcome)));
  }

  void sqlCountsWhatThePredicatesDo() {
    QCOMPARE(event::paidForCompileSql(), std::string("outcome IN ('miss', 'bypass')"));
    QCOMPARE(event::heldUpByCompileSql("c.outcome"), std::string("c.outcome IN ('miss', 'wait', 'bypass')"));
    QCOMPARE(number("SELECT count(*) FROM call WHERE " + event::paidForCompileSql()), kPaid);
    QCOMPARE(number("SELECT count(*) FROM call WHERE " + event::heldUpByCompileSql()), kHeldUp);
    QCOMPARE(number("SELECT count(*) FROM call c JOIN outcome o ON o.name = c.outcome WHERE o.paid"), kPaid);
    QCOMPARE(number("SELECT count(*) FROM call c JOIN outcome o ON o.name = c.outcome WHERE o.held_up"), kHeldUp);
    QCOMPARE(number("SELECT count(*) FROM outcome"), std::uint64_t{6});
  }

  void everybodyCountsAlike() {
    const auto summary = analysis::summarize(*m_reader, {});
    JS_VERIFY_RESULT(summary);
    const analysis::LegStatistics &leg = summary->cases.at(0).legs.at(0);
    QCOMPARE(leg.outcomes.paidForCompile(), kPaid);
    QCOMPARE(leg.outcomes.heldUpByCompile(), kHeldUp);
    QVERIFY(leg.withoutCompiles);
    QCOMPARE(leg.withoutCompiles->sampleSize, kAll - kHeldUp);
    const analysis::TemplateSummary &entry = summary->functions.at(0).templates.at(0);
    QCOMPARE(entry.outcomes.paidForCompile(), kPaid);
    QCOMPARE(entry.outcomes.others(), kAll - 100 - kPaid);
    std::map<std::string, double> rows;
    for (const auto &[name, value] : analysis::statisticRows(leg)) {
      rows.emplace(name, value);
    }
    QCOMPARE(rows.at("compiles"), static_cast<double>(kPaid));
    QCOMPARE(rows.at("held_up"), static_cast<double>(kHeldUp));
    QCOMPARE(rows.at("steady_sample_size"), static_cast<double>(kAll - kHeldUp));
    const auto samples = analysis::readSteadySamples(m_reader->database());
    JS_VERIFY_RESULT(samples);
    QCOMPARE(samples->at(0).heldUpNs.size(), std::size_t{kHeldUp});
    QCOMPARE(samples->at(0).steadyNs.size(), std::size_t{kAll - kHeldUp});
    const auto counts = analysis::readSessionCounts(*m_reader);
    JS_VERIFY_RESULT(counts);
    QCOMPARE(counts->at({analysis::Count::PaidCalls, "", false}), kPaid);
    QCOMPARE(std::string(nameOf(analysis::Count::PaidCalls)), std::string("calls that compiled"));
  }

  void everyFormatCountsAlike() {
    const auto summary = analysis::summarize(*m_reader, {});
    JS_VERIFY_RESULT(summary);
    const auto json = nlohmann::json::parse(report::makeReporter("json")->render(*summary));
    for (const nlohmann::json &place :
         {json["calls"], json["cases"][0]["legs"][0], json["functions"][0]["templates"][0], json["sections"][0]}) {
      QCOMPARE(place["paid_for_compile"].get<std::uint64_t>(), kPaid);
      QCOMPARE(place["held_up_by_compile"].get<std::uint64_t>(), kHeldUp);
    }
    const QStringList csv = QString::fromStdString(report::makeReporter("csv")->render(*summary)).split('\n');
    const auto cell = [&csv](qsizetype row, const char *column) {
      return csv.at(row).trimmed().split(',').at(csv.at(0).trimmed().split(',').indexOf(column));
    };
    QCOMPARE(cell(1, "compiled_samples"), QString::number(kPaid));
    QCOMPARE(cell(1, "held_up_samples"), QString::number(kHeldUp));
    QCOMPARE(cell(2, "sample_size"), QString::number(kAll - kHeldUp));
    QCOMPARE(cell(2, "held_up_samples"), "0");
    QVERIFY(report::compileNote(summary->cases.at(0).legs.at(0)).starts_with("28 of 131 samples compiled or waited for a compile"));
    report::ReportOptions wide;
    wide.width = 200;
    const QString text = QString::fromStdString(report::makeReporter("text", wide)->render(*summary));
    // Calls, hits, and those that compiled: in the table of templates as in that of the benchmark.
    QVERIFY2(text.contains(QRegularExpression("f32\\[8\\] +131 +100 +20 ")), qPrintable(text));
    QVERIFY2(text.contains(QRegularExpression("Compiled +Outliers")), qPrintable(text));
    QVERIFY2(!text.contains("Misses"), qPrintable(text));
  }

  void aLegThatOnlyWaitedDidNotCompile() {
    analysis::LegStatistics leg;
    leg.leg = event::Leg::Warm;
    leg.outcomes.add(Outcome::Wait, 1);
    leg.times = analysis::describe(std::vector<std::uint64_t>{500});
    QCOMPARE(report::compileNote(leg), std::string("Its one sample waited for a compile"));
    leg.outcomes.add(Outcome::Bypass, 2);
    QCOMPARE(report::compileNote(leg), std::string("Each of its 3 samples compiled or waited for a compile"));
  }

private:
  std::uint64_t number(const std::string &sql) {
    const auto value = m_reader->database().queryInteger(sql);
    return value ? static_cast<std::uint64_t>(value->value_or(-1)) : std::uint64_t(-2);
  }

  QTemporaryDir m_folder;
  std::filesystem::path m_path;
  std::unique_ptr<SessionReader> m_reader;
};

QTEST_GUILESS_MAIN(TestCompileCost)
#include "tst_compile_cost.moc"
