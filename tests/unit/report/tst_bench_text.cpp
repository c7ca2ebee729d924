// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compare/case_comparison.h"
#include "analysis/summary.h"
#include "report/document/bench_text.h"
#include "report/reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

using namespace jitscope;
using analysis::CaseSummary;
using analysis::LegStatistics;

namespace {

LegStatistics makeLeg(event::Leg leg, const std::vector<std::uint64_t> &samples) {
  LegStatistics result;
  result.leg = leg;
  result.times = analysis::describe(samples);
  result.outcomes.add(event::Outcome::Hit, samples.size());
  return result;
}

CaseSummary makeCase(std::uint32_t id, std::uint32_t bench, std::string name, std::string input, std::vector<LegStatistics> legs) {
  CaseSummary result;
  result.bench.id = base::CaseId(id);
  result.bench.bench = bench;
  result.bench.name = std::move(name);
  result.bench.input = std::move(input);
  result.legs = std::move(legs);
  return result;
}

QString text(const std::string &value) { return QString::fromStdString(value); }

} // namespace

class TestBenchText : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void casesAreComparedWithinTheirBenchInputAndLeg() {
    const std::vector<CaseSummary> cases{
        makeCase(1, 1, "slow", "small", {makeLeg(event::Leg::Cold, {900}), makeLeg(event::Leg::Warm, {300'000, 300'000})}),
        makeCase(2, 1, "slow", "large", {makeLeg(event::Leg::Warm, {7000})}),
        makeCase(3, 1, "fast", "small", {makeLeg(event::Leg::Warm, {200'000, 200'000})}),
        makeCase(4, 2, "alone", "small", {makeLeg(event::Leg::Warm, {1})}),
    };
    const std::vector<analysis::CaseComparison> comparisons = analysis::compareCases(cases);
    // "large", the cold leg and the second bench have one case each: nothing to compare.
    QCOMPARE(comparisons.size(), std::size_t{1});
    const analysis::CaseComparison &comparison = comparisons.front();
    QCOMPARE(text(report::comparisonTitle(comparison)), "Comparison, warm, input small");
    QCOMPARE(comparison.lines.size(), std::size_t{2});
    QCOMPARE(comparison.lines[0].bench->bench.name, std::string("fast"));
    QCOMPARE(text(report::slowerText(comparison.lines[0])), "");
    QCOMPARE(text(report::slowerText(comparison.lines[1])), "1.50x slower +100 µs");
  }

  void casesThatTookNoTimeAreNotCompared() {
    const std::vector<CaseSummary> cases{makeCase(1, 1, "a", "", {makeLeg(event::Leg::Warm, {0, 0})}),
                                         makeCase(2, 1, "b", "", {makeLeg(event::Leg::Warm, {10})})};
    QVERIFY(analysis::compareCases(cases).empty());
  }

  void aLegThatCompiledNothingNeedsNoNote() { QCOMPARE(text(report::compileNote(makeLeg(event::Leg::Warm, {1, 2, 3}))), ""); }

  void evictionsDuringALegAreSaid() {
    LegStatistics leg = makeLeg(event::Leg::Warm, {1, 2, 3});
    QVERIFY(report::legNotes(leg).empty());
    leg.evictions = 1;
    QCOMPARE(text(report::legNotes(leg).front()), "The cache evicted an entry while it was measured");
    leg.evictions = 1200;
    QCOMPARE(text(report::legNotes(leg).front()), "The cache evicted 1,200 entries while it was measured");
  }

  void theSampleThatCompiledIsNamed() {
    LegStatistics leg = makeLeg(event::Leg::Cold, {1'000'000'000, 300'000, 300'000, 300'000});
    leg.outcomes = {};
    leg.outcomes.add(event::Outcome::Hit, 3);
    leg.outcomes.add(event::Outcome::Miss, 1);
    leg.longest = {base::CallId(17), 0, 1'000'000'000, 1};
    leg.longestOutcome = event::Outcome::Miss;
    leg.withoutCompiles = analysis::describe(std::vector<std::uint64_t>{300'000, 300'000, 300'000});
    // (1,000,000,000 - 300,000) / 300,000 = 3332.3; average 250.225 ms, deviation 499.85 ms.
    QCOMPARE(
        text(report::compileNote(leg)),
        "Sample 1 of 4 compiled and took 1.00 s, as long as 3,333 calls without a compile. Without it: average 300 µs instead of "
        "250 ms, deviation ±0.0 % instead of ±199.8 %, maximum 300 µs instead of 1.00 s; the median is 300 µs either way");
  }

  void aLegOfNothingButCompilesSaysSo() {
    LegStatistics leg = makeLeg(event::Leg::Cold, {500, 600});
    leg.outcomes = {};
    leg.outcomes.add(event::Outcome::Bypass, 2);
    QCOMPARE(text(report::compileNote(leg)), "Each of its 2 samples compiled");
  }

  void severalCompilesAreCounted() {
    LegStatistics leg = makeLeg(event::Leg::Warm, {100, 100, 5000, 4000});
    leg.outcomes = {};
    leg.outcomes.add(event::Outcome::Hit, 2);
    leg.outcomes.add(event::Outcome::Miss, 1);
    leg.outcomes.add(event::Outcome::Wait, 1);
    leg.longest = {base::CallId(9), 0, 5000, 3};
    leg.longestOutcome = event::Outcome::Miss;
    leg.withoutCompiles = analysis::describe(std::vector<std::uint64_t>{100, 100});
    const QString note = text(report::compileNote(leg));
    QVERIFY2(
        note.startsWith("2 of 4 samples compiled or waited for a compile; the longest of them, sample 3, took 5.00 µs, as long "
                        "as 88 calls without a compile. Without them: average 100 ns"),
        qPrintable(note));
  }

  void aLegThatWasMeasuredAsUsualNeedsNoNote() {
    LegStatistics leg = makeLeg(event::Leg::Warm, {10'000, 10'000});
    leg.measuring.position = 1;
    leg.measuring.overheadNs = 24;
    leg.measuring.maxSamples = 2'000'000;
    QVERIFY(report::legNotes(leg).empty());
  }

  void whatIsUnusualAboutMeasuringIsSaid() {
    LegStatistics leg = makeLeg(event::Leg::Warm, {120, 120, 120, 120, 120, 120});
    leg.outcomes = {};
    leg.outcomes.add(event::Outcome::Hit, 3);
    leg.outcomes.add(event::Outcome::Retrace, 2);
    leg.outcomes.add(event::Outcome::Disk, 1);
    leg.measuring.callsPerSample = 1000;
    leg.measuring.clockStepNs = 20'000;
    leg.measuring.isCapped = true;
    leg.measuring.maxSamples = 6;
    leg.measuring.overheadNs = 24;
    const std::vector<std::string> expected{
        "3 of 6 samples found no code in memory: 2 retraced, 1 loaded from disk",
        "A call is too short for the clock, which goes in steps of 20.0 µs: a sample is the mean of 1,000 in a row",
        "It ended before its time: 6 samples are the most that are kept (max_samples)",
        "Of its median of 120 ns measuring takes 24 ns, 20.0 %"};
    QCOMPARE(text(fmt::format("{}", fmt::join(report::legNotes(leg), "\n"))), text(fmt::format("{}", fmt::join(expected, "\n"))));
  }

  void aBenchSaysWhatMeasuringCostsAndItsSeed() {
    std::vector<CaseSummary> cases{makeCase(1, 1, "a", "", {makeLeg(event::Leg::Cold, {10}), makeLeg(event::Leg::Warm, {10})}),
                                   makeCase(2, 2, "b", "", {makeLeg(event::Leg::Warm, {10})})};
    QVERIFY(report::benchNotes(cases, 1).empty());
    cases[0].legs[0].measuring.overheadNs = 23;
    cases[0].legs[1].measuring.overheadNs = 24;
    cases[0].legs[1].measuring.seed = 0;
    QCOMPARE(text(fmt::format("{}", fmt::join(report::benchNotes(cases, 1), "\n"))),
             "Measuring adds up to 24 ns to a sample\nThe order of the legs was drawn; --seed 0 draws it again");
    QVERIFY(report::benchNotes(cases, 2).empty());
  }

  void intervalsDoNotGoBelowNothing() {
    QCOMPARE(text(report::intervalText(analysis::Interval{-5e6, 2e6})), "0 ns to 2.00 ms");
    QCOMPARE(text(report::intervalText(std::nullopt)), "too few samples");
  }

  void extendedStatisticsAreShownOnRequest() {
    analysis::Summary summary;
    summary.cases = {makeCase(1, 1, "one\nline", "", {makeLeg(event::Leg::Warm, {10, 20, 20})})};
    report::ReportOptions options;
    const QString brief = text(report::makeReporter("text", options)->render(summary));
    options.density = report::Density::Extended;
    const QString extended = text(report::makeReporter("text", options)->render(summary));
    QVERIFY(!brief.contains("Mode"));
    QVERIFY(extended.contains("Mode") && extended.contains("Sample size") && extended.contains("too few samples"));
    QVERIFY(extended.contains("one\\nline"));
  }
};

QTEST_GUILESS_MAIN(TestBenchText)
#include "tst_bench_text.moc"
