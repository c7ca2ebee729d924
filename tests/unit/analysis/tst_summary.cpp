// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/session_overview.h"
#include "analysis/function_summary.h"
#include "analysis/statistics/case_statistics.h"
#include "analysis/summary.h"
#include "report/document/bench_text.h"
#include "session/file/database.h"
#include "session/session_reader.h"
#include "session/session_writer.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <map>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

using namespace jitscope;
using namespace jitscope::analysis;
using event::Outcome;
using test::kMs;

class TestSummary : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("sample.jitscope").toStdString();
    std::filesystem::remove(m_path);
  }

  // The numbers below are computed by hand from test::sampleRecording().

  void callsAreCountedByOutcome() {
    const Summary summary = summaryOf(test::sampleRecording());
    QCOMPARE(summary.calls, std::uint64_t{21});
    QCOMPARE(summary.outcomes.size(), std::size_t{4});
    const OutcomeSummary &hits = summary.outcomes[0];
    QVERIFY(hits.outcome == Outcome::Hit);
    QCOMPARE(hits.count, std::uint64_t{15});
    // 40 + 900 + 42 in section 2, 900 + 800 + 700 cold, 500 + 510 + … + 570 + 1000 warm, in µs.
    QCOMPARE(hits.totalNs, std::uint64_t{8'662'000});
    QCOMPARE(hits.medianNs, 550'000.0);
    QCOMPARE(hits.maximumNs, std::uint64_t{1'000'000});
    const OutcomeSummary &misses = summary.outcomes[2];
    QVERIFY(misses.outcome == Outcome::Miss);
    QCOMPARE(misses.count, std::uint64_t{4});
    // Of 4.006, 1004.05, 1005 and 1005 ms.
    QCOMPARE(misses.medianNs, 1'004'525'000.0);
    QCOMPARE(misses.maximumNs, 1005 * kMs);
  }

  void anOverviewTellsWhatASessionHolds() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    {
      const auto reader = session::SessionReader::open(m_path);
      JS_VERIFY_RESULT(reader);
      const base::Result<SessionOverview> overview = readSessionOverview((*reader)->database());
      JS_VERIFY_RESULT(overview);
      QVERIFY(overview->hasRecords);
      QCOMPARE(overview->outcomes.total(), std::uint64_t{21});
      QCOMPARE(overview->outcomes[Outcome::Hit], std::uint64_t{15});
      QCOMPARE(overview->outcomes[Outcome::Miss], std::uint64_t{4});
      QCOMPARE(overview->pipelines, std::vector<std::string>{"deferred"});
    }
    std::filesystem::remove(m_path);
    test::Recording empty;
    empty.events.emplace_back(event::SectionEvent{base::SectionId(1), "", 0});
    JS_VERIFY_RESULT(test::writeSession(m_path, empty));
    const auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    const base::Result<SessionOverview> overview = readSessionOverview((*reader)->database());
    JS_VERIFY_RESULT(overview);
    QVERIFY(!overview->hasRecords);
    QCOMPARE(overview->outcomes.total(), std::uint64_t{0});
    QVERIFY(overview->pipelines.empty());
  }

  void compilesAreSummedByPhase() {
    const Summary summary = summaryOf(test::sampleRecording());
    QCOMPARE(summary.compiles, std::uint64_t{4});
    QCOMPARE(summary.compileTimes.traceNs, 3000 * kMs);
    QCOMPARE(summary.compileTimes.optimizeNs, 8 * kMs);
    QCOMPARE(summary.compileTimes.totalNs, 3016 * kMs);
    QCOMPARE(summary.compileTimes.betweenNs(), kMs);
  }

  void theMostExpensiveMissesComeWithTheirReason() {
    const Summary summary = summaryOf(test::sampleRecording(), {.misses = 2});
    QCOMPARE(summary.misses.size(), std::size_t{2});
    const MissSummary &miss = summary.misses[1];
    QCOMPARE(miss.functionName, std::string("Matmul.dot"));
    QCOMPARE(miss.functionLine, 2);
    QCOMPARE(miss.signature, std::string("f32[256,256], f32[256,256]"));
    QVERIFY(miss.reason == event::MissReason::NewShape);
    QCOMPARE(miss.nearestSignature, std::string("f32[64,64], f32[64,64]"));
    QVERIFY(miss.difference.starts_with("arg 0 dim 0: 64 -> 256"));
    QCOMPARE(miss.callId.value, std::uint64_t{4});
    QCOMPARE(miss.callTotalNs, 1005 * kMs);
    QCOMPARE(miss.section, std::string("miss, hit and a new shape"));
    QCOMPARE(miss.times.traceNs, 1000 * kMs);
  }

  void sectionsHaveTheirOwnCalls() {
    const Summary summary = summaryOf(test::sampleRecording());
    QCOMPARE(summary.sections.size(), std::size_t{3});
    const SectionSummary &section = summary.sections[1];
    QCOMPARE(section.name, std::string("miss, hit and a new shape"));
    QCOMPARE(section.calls, std::uint64_t{5});
    QCOMPARE(section.outcomes[Outcome::Miss], std::uint64_t{2});
    QCOMPARE(section.outcomes[Outcome::Hit], std::uint64_t{3});
    QCOMPARE(section.compiles, std::uint64_t{2});
    QCOMPARE(section.compileNs, 2008 * kMs);
    QCOMPARE(section.callNs, std::uint64_t{2'010'032'000});
  }

  void templatesBelongToTheirFunctions() {
    const Summary summary = summaryOf(test::sampleRecording());
    QCOMPARE(summary.functions.size(), std::size_t{2});
    QCOMPARE(summary.functions[0].name, std::string("multiply"));
    QVERIFY(summary.functions[0].eager);
    const FunctionSummary &dot = summary.functions[1];
    QCOMPARE(dot.templates.size(), std::size_t{3});
    const TemplateSummary &large = dot.templates[1];
    QCOMPARE(large.signature, std::string("f32[256,256], f32[256,256]"));
    QCOMPARE(large.calls, std::uint64_t{6});
    QCOMPARE(large.outcomes[Outcome::Hit], std::uint64_t{4});
    QCOMPARE(large.compiles, std::uint64_t{2});
    QCOMPARE(large.compileNs, 2008 * kMs);
    QCOMPARE(large.codeBytes, std::uint64_t{2048});
    QCOMPARE(large.hitRate(), 4.0 / 6.0);
  }

  void coldAndWarmAreNeverPooledAndWarmUpIsNoSample() {
    test::Recording recording = test::sampleRecording();
    // The same case cold and warm: the f64 case's samples become warm samples of case 1.
    for (event::CallEvent &call : recording.calls) {
      if (call.caseId.value == 2) {
        call.caseId = base::CaseId(1);
      }
    }
    const Summary summary = summaryOf(recording);
    QCOMPARE(summary.cases.size(), std::size_t{1});
    QCOMPARE(summary.cases[0].functionName, std::string("Matmul.dot"));
    QCOMPARE(summary.cases[0].legs.size(), std::size_t{2});
    const LegStatistics &cold = summary.cases[0].legs[0];
    const LegStatistics &warm = summary.cases[0].legs[1];
    QVERIFY(cold.leg == event::Leg::Cold);
    QCOMPARE(cold.times.sampleSize, std::uint64_t{4});
    QCOMPARE(cold.times.first, 1005 * kMs);
    QVERIFY(cold.firstOutcome == Outcome::Miss);
    QCOMPARE(cold.first.id.value, std::uint64_t{7});
    QCOMPARE(cold.longest.id.value, std::uint64_t{7});
    QVERIFY(cold.longestOutcome == Outcome::Miss);
    QCOMPARE(cold.outcomes[Outcome::Miss], std::uint64_t{1});
    QCOMPARE(cold.times.median, 850'000.0);
    QVERIFY(warm.leg == event::Leg::Warm);
    QCOMPARE(warm.times.sampleSize, std::uint64_t{9});
    QCOMPARE(warm.times.first, std::uint64_t{500'000});
    QVERIFY(warm.firstOutcome == Outcome::Hit);
    QCOMPARE(warm.longest.id.value, std::uint64_t{20});
    QCOMPARE(warm.times.median, 540'000.0);
    QCOMPARE(warm.times.highOutliers, std::uint64_t{1});
    QCOMPARE(warm.outcomes[Outcome::Retrace], std::uint64_t{0});
  }

  void theRestIsTotalled() {
    const Summary summary = summaryOf(test::sampleRecording());
    QCOMPARE(summary.evictions.size(), std::size_t{2});
    QCOMPARE(summary.evictions[1].reason, event::EvictionReason::Entries);
    QCOMPARE(summary.evictions[1].count, std::uint64_t{2});
    QCOMPARE(summary.evictions[1].codeBytes, std::uint64_t{3072});
    QCOMPARE(summary.memory.tensorPeakBytes, std::uint64_t{1'572'864});
    QCOMPARE(summary.memory.cacheEntriesPeak, std::uint64_t{4});
    QCOMPARE(summary.expectations.size(), std::size_t{2});
    QCOMPARE(summary.expectationsFailed, std::uint64_t{1});
    QCOMPARE(summary.warnings.lines.size(), std::size_t{1});
    QCOMPARE(summary.retrievals.size(), std::size_t{1});
    QCOMPARE(summary.retrievals[0].count, std::uint64_t{1});
    QVERIFY(summary.session.status == record::SessionStatus::Finished);
  }

  void anEmptySessionHasAnEmptySummary() {
    const Summary summary = summaryOf({});
    QCOMPARE(summary.calls, std::uint64_t{0});
    QVERIFY(summary.outcomes.empty());
    QVERIFY(summary.cases.empty());
    QVERIFY(summary.misses.empty());
  }

  void callsOutsideEverySectionAreKept() {
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
    recording.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), ""});
    recording.calls.push_back(test::makeCall(1, 1, 0, 5, Outcome::Bypass, 0, 10));
    const Summary summary = summaryOf(recording);
    QCOMPARE(summary.sections.size(), std::size_t{1});
    QVERIFY(!summary.sections[0].id.isValid());
    QCOMPARE(summary.sections[0].calls, std::uint64_t{1});
  }

  void theFirstSampleIsTheOneThatStartedFirst() {
    test::Recording recording = test::sampleRecording();
    // Another thread's call, with a later id though it began before all others.
    recording.calls.push_back(test::asSample(test::makeCall(30, 4, 3, 1, Outcome::Wait, 0, 123'900), 2, event::Leg::Warm));
    const Summary summary = summaryOf(recording);
    const LegStatistics &warm = summary.cases[1].legs[0];
    QCOMPARE(warm.first.id.value, std::uint64_t{30});
    QVERIFY(warm.firstOutcome == Outcome::Wait);
    QCOMPARE(warm.times.first, std::uint64_t{124'000});
    QCOMPARE(warm.times.sampleSize, std::uint64_t{10});
  }

  void callsAreCountedWithoutReadingEach_data() {
    QTest::addColumn<Selection>("selection");
    QTest::newRow("all") << Selection{};
    QTest::newRow("a range") << Selection{.range = TimeRange{1025 * kMs, 6015 * kMs}};
    QTest::newRow("a section") << Selection{.sectionId = base::SectionId(2)};
    QTest::newRow("an outcome") << Selection{.outcome = Outcome::Hit};
    QTest::newRow("a template") << Selection{.templateId = base::TemplateId(1)};
    QTest::newRow("hits of a range") << Selection{.range = TimeRange{1025 * kMs, 6015 * kMs}, .outcome = Outcome::Hit};
  }
  void callsAreCountedWithoutReadingEach() {
    QFETCH(Selection, selection);
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    using Key = std::pair<std::uint32_t, Outcome>;
    std::map<Key, std::pair<std::uint64_t, std::uint64_t>> read;
    const auto groups = readCallGroups((*reader)->database(), selection);
    JS_VERIFY_RESULT(groups);
    for (const CallGroup &group : *groups) {
      auto &[calls, totalNs] = read[{group.templateId.value, group.outcome}];
      calls += group.totalsNs.size();
      totalNs += group.sumNs;
    }
    QVERIFY(!read.empty());
    for (const char *spans : {"as they were written", "lost"}) {
      std::map<Key, std::pair<std::uint64_t, std::uint64_t>> counted;
      const auto all = readTemplateCalls((*reader)->database(), selection);
      JS_VERIFY_RESULT(all);
      for (const TemplateCalls &some : *all) {
        auto &[calls, totalNs] = counted[{some.templateId.value, some.outcome}];
        calls += some.calls;
        totalNs += some.totalNs;
      }
      QVERIFY2(counted == read, spans);
      reader->reset();
      auto database = session::Database::open(m_path, session::Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(database->execute("DELETE FROM call_span"));
      database->close();
      reader = session::SessionReader::open(m_path);
      JS_VERIFY_RESULT(reader);
    }
  }

  void statisticsAreStoredInTheSession() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    for (int round = 0; round < 2; ++round) { // doing it again replaces them
      auto database = session::Database::open(m_path, session::Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(storeCaseStatistics(m_path, *database));
      auto reader = session::SessionReader::open(m_path);
      JS_VERIFY_RESULT(reader);
      std::map<std::string, double> warm;
      auto select = (*reader)->database().prepare("SELECT name, value FROM case_statistic WHERE case_id = 2 AND leg = 'warm'");
      JS_VERIFY_RESULT(select);
      while (select->step().value_or(false)) {
        warm.emplace(select->text(0), select->real(1));
      }
      // No value occurs twice, hence no mode; nine samples give intervals of average and median, and none of far percentiles.
      QCOMPARE(warm.size(), std::size_t{23});
      QCOMPARE(warm["sample_size"], 9.0);
      QCOMPARE(warm["median"], 540'000.0);
      QCOMPARE(warm["maximum"], 1'000'000.0);
      QCOMPARE(warm["p99"], 1'000'000.0);
      QCOMPARE(warm["compiles"], 0.0);
      QVERIFY(std::abs(warm["average"] - 5'280'000.0 / 9) < 1e-6);
      // Ranks 2 and 8 of nine: 1 - 2 (1 + 9) / 2^9 is 96.1 %.
      QCOMPARE(warm["median_lower"], 510'000.0);
      QCOMPARE(warm["median_upper"], 570'000.0);
      QVERIFY(!warm.contains("p99_upper"));
      QCOMPARE(*(*reader)->database().queryInteger("SELECT count(DISTINCT leg) FROM case_statistic").value(), std::int64_t{2});
    }
    QVERIFY(!std::filesystem::exists(m_path + "-wal"));
    QVERIFY(!std::filesystem::exists(m_path + "-journal"));
  }

  void samplesThatCompiledAreSetApart() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    const auto groups = readCallGroups((*reader)->database());
    JS_VERIFY_RESULT(groups);
    const auto statistics = legStatistics(**reader, *groups);
    JS_VERIFY_RESULT(statistics);
    const std::vector<LegStatistics> &legs = *statistics;
    QCOMPARE(legs.size(), std::size_t{2});
    const LegStatistics &cold = legs[0];
    QCOMPARE(cold.outcomes.heldUpByCompile(), std::uint64_t{1});
    QVERIFY(cold.withoutCompiles);
    QCOMPARE(cold.withoutCompiles->sampleSize, std::uint64_t{3});
    QCOMPARE(cold.withoutCompiles->median, 800'000.0);
    QCOMPARE(cold.withoutCompiles->maximum, std::uint64_t{900'000});
    QCOMPARE(cold.withoutCompiles->first, std::uint64_t{900'000});
    QCOMPARE(cold.compileExtraNs(), 1'004'200'000.0);
    QCOMPARE(cold.callsUntilPaidBack().value_or(0), std::uint64_t{1256}); // 1004.2 ms of 0.8 ms each
    // Nothing was compiled in the warm leg: it is settled as it stands.
    QVERIFY(!legs[1].withoutCompiles);
    QVERIFY(!legs[1].callsUntilPaidBack());
    QCOMPARE(legs[1].steadyState().sampleSize, std::uint64_t{9});
  }

  void theOptimizerIsSummarizedForTheSelectedCompiles() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::studiedRecording()));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    const auto all = summarize(**reader);
    JS_VERIFY_RESULT(all);
    QCOMPARE(all->optimizer.pipelines, (std::vector<std::string>{"per-function", "deferred"}));
    QCOMPARE(all->optimizer.passTotal.durationNs, std::uint64_t{270'000});
    QCOMPARE(all->optimizer.remarks, std::uint64_t{4});
    QVERIFY(all->only.empty());
    // The second of the two compiles began at 6120 ms.
    const Selection later{.range = TimeRange{6115 * kMs, 7000 * kMs}};
    const auto some = summarize(**reader, {.selection = later});
    JS_VERIFY_RESULT(some);
    QVERIFY(some->selection == later);
    QCOMPARE(some->only, std::vector<std::string>{"from 6.115 to 7 s"});
    QCOMPARE(some->optimizer.pipelines, std::vector<std::string>{"deferred"});
    QCOMPARE(some->optimizer.passTotal.durationNs, std::uint64_t{150'000});
    QCOMPARE(some->optimizer.passTotal.runs, std::uint64_t{2});
    QCOMPARE(some->optimizer.remarks, std::uint64_t{2});
    QCOMPARE(some->optimizer.loops.vectorized, std::uint64_t{1});
    QCOMPARE(some->optimizer.loops.innermost, std::uint64_t{1});
    QCOMPARE(some->optimizer.work.size(), std::size_t{1});
    QCOMPARE(some->optimizer.work[0].compiles, std::uint64_t{1});
    // Hits compiled nothing.
    const auto hits = summarize(**reader, {.selection = {.outcome = Outcome::Hit}});
    JS_VERIFY_RESULT(hits);
    QVERIFY(hits->optimizer.passes.empty() && hits->optimizer.work.empty() && hits->optimizer.studies.empty());
    QCOMPARE(hits->optimizer.remarks, std::uint64_t{0});
  }

  void evictionsCountForTheLegInWhoseTimeTheyFall() {
    constexpr std::uint64_t kWarmBeginNs = 6010 * kMs;
    constexpr std::uint64_t kWarmEndNs = 6019 * kMs;
    test::Recording recording = test::sampleRecording();
    for (const std::uint64_t atNs : {kWarmBeginNs - 1, kWarmBeginNs, kWarmBeginNs + kMs, kWarmEndNs, kWarmEndNs + 1}) {
      recording.events.emplace_back(event::EvictionEvent{atNs, base::TemplateId(1), event::EvictionReason::Entries, 1024});
    }
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    const auto groups = readCallGroups((*reader)->database());
    JS_VERIFY_RESULT(groups);
    const auto legs = legStatistics(**reader, *groups);
    JS_VERIFY_RESULT(legs);
    QCOMPARE(legs->size(), std::size_t{2});
    QCOMPARE(legs->front().evictions, std::uint64_t{0});
    QCOMPARE(legs->back().endNs, kWarmEndNs);
    QCOMPARE(legs->back().evictions, std::uint64_t{3});
  }

  void samplesKeepTheirNumbersUnderASelection() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    const auto legsOf = [&](const Selection &selection) {
      const auto groups = readCallGroups((*reader)->database(), selection);
      return groups ? legStatistics(**reader, *groups).value_or(std::vector<LegStatistics>{}) : std::vector<LegStatistics>{};
    };
    const std::vector<LegStatistics> all = legsOf({});
    QVERIFY(!all.empty());
    QVERIFY(all[0].hasFirst());
    QCOMPARE(all[0].samplesTaken, std::uint64_t{4});
    QCOMPARE(report::firstText(all[0]), std::string("1.00 s"));
    // The first sample, which compiled, began before.
    const std::vector<LegStatistics> later = legsOf({.range = TimeRange{3000 * kMs, 7000 * kMs}});
    QVERIFY(!later.empty());
    QVERIFY(!later[0].hasFirst());
    QCOMPARE(later[0].times.sampleSize, std::uint64_t{3});
    QCOMPARE(later[0].samplesTaken, std::uint64_t{4});
    QCOMPARE(later[0].longest.sampleNumber, std::uint64_t{2});
    QCOMPARE(report::firstText(later[0]), std::string("left out"));
    QCOMPARE(report::firstOutcomeText(later[0]), std::string("-"));
    const std::vector<LegStatistics> missed = legsOf({.outcome = Outcome::Miss});
    QVERIFY(!missed.empty());
    QVERIFY(missed[0].hasFirst());
  }

  void groupsThatGrowAreThoseThatAreReadAtOnce_data() {
    QTest::addColumn<bool>("onlyHits");
    QTest::addColumn<bool>("onlySamples");
    QTest::newRow("everything") << false << false;
    QTest::newRow("a selection") << true << false;
    QTest::newRow("samples") << false << true;
    QTest::newRow("a selection of samples") << true << true;
  }
  void groupsThatGrowAreThoseThatAreReadAtOnce() {
    QFETCH(bool, onlyHits);
    QFETCH(bool, onlySamples);
    const test::Recording whole = test::complete(test::sampleRecording());
    const std::span<const event::CallEvent> calls(whole.calls);
    auto writer = session::SessionWriter::create(m_path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    std::vector<std::size_t> order(calls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // A call of a case that takes longer than the one that begins after it comes later.
    std::swap(order[calls.size() - 5], order[calls.size() - 4]);
    JS_VERIFY_RESULT((*writer)->write({whole.events, calls.first(1)}));
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    Selection selection;
    if (onlyHits) {
      selection.outcome = Outcome::Hit;
    }
    CallGroups growing(selection, onlySamples ? CallGroups::Of::Samples : CallGroups::Of::AllCalls);
    for (std::size_t at = 1; at <= calls.size(); ++at) {
      JS_VERIFY_RESULT(growing.update((*reader)->database()));
      if (at < calls.size()) {
        JS_VERIFY_RESULT((*writer)->write({{}, calls.subspan(order[at], 1)}));
      }
    }
    auto expected = readCallGroups((*reader)->database(), selection);
    JS_VERIFY_RESULT(expected);
    const auto isOther = [](const CallGroup &group) { return !group.caseId.isValid() || group.phase != event::CallPhase::Sample; };
    if (onlySamples) {
      QVERIFY(std::erase_if(*expected, isOther) > 0);
    }
    std::vector<CallGroup> grown = growing.all();
    std::erase_if(grown, [](const CallGroup &group) { return group.totalsNs.empty(); });
    QVERIFY(!grown.empty());
    QCOMPARE(grown.size(), expected->size());
    for (std::size_t i = 0; i < grown.size(); ++i) {
      const CallGroup &one = grown[i];
      const CallGroup &other = (*expected)[i];
      QVERIFY(one.templateId == other.templateId && one.sectionId == other.sectionId && one.caseId == other.caseId);
      QVERIFY(one.leg == other.leg && one.outcome == other.outcome && one.process == other.process);
      QCOMPARE(one.totalsNs, other.totalsNs);
      QCOMPARE(one.sumNs, other.sumNs);
      QCOMPARE(one.endNs, other.endNs);
      QCOMPARE(one.samplesOfLeg, other.samplesOfLeg);
      QVERIFY(one.first.id == other.first.id && one.first.sampleNumber == other.first.sampleNumber);
      QVERIFY(one.longest.id == other.longest.id && one.longest.sampleNumber == other.longest.sampleNumber);
    }
  }

  void functionsAreReadWithoutACall() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto database = session::Database::open(m_path, session::Database::Access::ReadWrite);
    JS_VERIFY_RESULT(database);
    JS_VERIFY_RESULT(database->execute("DELETE FROM call_record; DELETE FROM call_span"));
    database->close();
    auto reader = session::SessionReader::open(m_path, {.verifyUpToBytes = 0, .repair = false});
    JS_VERIFY_RESULT(reader);
    const auto functions = readFunctions(**reader, {});
    JS_VERIFY_RESULT(functions);
    const auto callsOf = [](std::uint64_t sum, const FunctionSummary &function) {
      return std::accumulate(function.templates.begin(), function.templates.end(), sum,
                             [](std::uint64_t calls, const TemplateSummary &entry) { return calls + entry.calls; });
    };
    QCOMPARE(std::accumulate(functions->begin(), functions->end(), std::uint64_t{0}, callsOf), std::uint64_t{21});
  }

  /// Contexts hold sums of their calls, which templates are counted by; outcomes are counted by the calls themselves. They agree
  /// only within one state of the session.
  void aSummaryIsOfOneState() {
    constexpr std::uint64_t kCalls = 1000;
    const test::Recording whole = test::complete(test::sampleRecording());
    auto writer = session::SessionWriter::create(m_path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({whole.events, whole.calls}));
    std::atomic<bool> isWritten = false;
    std::atomic<bool> hasFailed = false;
    std::thread thread([&] {
      for (std::uint64_t i = 1; i <= kCalls; ++i) {
        event::CallEvent call = test::makeCall(whole.calls.back().id.value + i, 1, 2, 7000 * kMs + i, Outcome::Hit, 0, 100);
        call.thread = static_cast<std::uint32_t>(i); // a context of its own
        hasFailed = hasFailed || !(*writer)->write({{}, std::span(&call, 1)});
      }
      isWritten = true;
    });
    auto reader = session::SessionReader::open(m_path);
    std::vector<std::string> problems;
    for (bool isLast = false; reader && !isLast;) {
      isLast = isWritten;
      const auto summary = summarize(**reader);
      if (!summary) {
        problems.push_back(summary.error().message);
        continue;
      }
      std::uint64_t calls = 0;
      for (const FunctionSummary &function : summary->functions) {
        for (const TemplateSummary &entry : function.templates) {
          calls += entry.calls;
        }
      }
      if (calls != summary->calls || (isLast && calls != whole.calls.size() + kCalls)) {
        problems.push_back("of " + std::to_string(summary->calls) + " calls templates have " + std::to_string(calls));
      }
    }
    thread.join();
    JS_VERIFY_RESULT(reader);
    QVERIFY(!hasFailed);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
  }

  void statisticsOfNoSessionAreAnError() {
    session::Database none;
    JS_COMPARE_ERROR(storeCaseStatistics(m_path, none), base::ErrorCode::StorageOpen);
  }

private:
  Summary summaryOf(const test::Recording &recording, const SummaryOptions &options = {}) {
    std::filesystem::remove(m_path);
    const base::Result<void> written = test::writeSession(m_path, recording);
    const auto reader = session::SessionReader::open(m_path);
    if (!written || !reader) {
      QTest::qFail("the sample could not be written and read", __FILE__, __LINE__);
      return {};
    }
    base::Result<Summary> summary = summarize(**reader, options);
    if (!summary) {
      QTest::qFail(test::messageOf(summary).constData(), __FILE__, __LINE__);
      return {};
    }
    return *std::move(summary);
  }

  QTemporaryDir m_folder;
  std::string m_path;
};

QTEST_GUILESS_MAIN(TestSummary)
#include "tst_summary.moc"
