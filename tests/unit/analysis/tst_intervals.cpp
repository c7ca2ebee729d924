// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of intervals, shifts and break-even that need no other implementation.
#include <QtTest>

#include "analysis/statistics/break_even.h"
#include "analysis/statistics/intervals.h"
#include "analysis/statistics/median_shift.h"
#include "analysis/statistics/rank_test.h"
#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace jitscope::analysis;
using Samples = std::vector<std::uint64_t>;

namespace {

Samples uniformSamples(std::mt19937_64 &random, std::size_t count) {
  std::uniform_int_distribution<std::uint64_t> draw(1, 1'000'000);
  Samples samples(count);
  std::ranges::generate(samples, [&] { return draw(random); });
  std::ranges::sort(samples);
  return samples;
}

} // namespace

class TestIntervals : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void mediansNeedSixSamplesForAnInterval() {
    // 1 - 2 / 2^n is the confidence of all samples: 93.75 % for five, 96.9 % for six.
    QVERIFY(!percentileRanks(5, 50));
    const std::optional<OrderInterval> ranks = percentileRanks(6, 50);
    QVERIFY(ranks);
    QCOMPARE(ranks->lower, std::size_t{1});
    QCOMPARE(ranks->upper, std::size_t{6});
  }

  void the99thPercentileNeeds368Samples() {
    // 0.99^n <= 0.025.
    QVERIFY(!percentileRanks(367, 99));
    QVERIFY(percentileRanks(368, 99));
  }

  void nothingIsClaimedOfNothing() {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}}) {
      QVERIFY(!percentileRanks(size, 50));
      QVERIFY(!meanInterval(10, 0, size));
    }
    QVERIFY(!percentileRanks(1000, 0));
    QVERIFY(!percentileRanks(1000, 100));
    QVERIFY(!percentileInterval({}, 50));
    QVERIFY(!medianShift({}, Samples{1}));
    QVERIFY(!medianShift(Samples{1}, {}));
    QVERIFY(!medianShift(Samples{0, 0, 0}, Samples{1, 2, 3}));
    QCOMPARE(medianNoise({}), 0.0);
    QCOMPARE(mannWhitney({}, Samples{1}).pValue, 1.0);
    QVERIFY(holm({}).empty());
  }

  /// The true median of the distribution lies in at least 95 % of the intervals; 2000 draws may fall short by three deviations.
  void intervalsHoldTheTruthAsOftenAsTheySay_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<double>("p");
    QTest::newRow("median of 30") << 30 << 50.0;
    QTest::newRow("median of 101") << 101 << 50.0;
    QTest::newRow("p90 of 80") << 80 << 90.0;
    QTest::newRow("p99 of 700") << 700 << 99.0;
  }
  void intervalsHoldTheTruthAsOftenAsTheySay() {
    QFETCH(int, size);
    QFETCH(double, p);
    std::mt19937_64 random(7);
    constexpr int kDraws = 2000;
    int held = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::optional<Interval> interval = percentileInterval(uniformSamples(random, static_cast<std::size_t>(size)), p);
      QVERIFY(interval);
      held += interval->contains(p * 10'000) ? 1 : 0;
    }
    QVERIFY2(held >= kDraws * 0.935, qPrintable(QString::number(held)));
  }

  void chancesOfABootstrapPercentileAreOne_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<double>("p");
    QTest::newRow("one") << 1 << 50.0;
    QTest::newRow("two") << 2 << 50.0;
    QTest::newRow("many") << 1'000'000 << 50.0;
    QTest::newRow("tail") << 1000 << 99.0;
  }
  void chancesOfABootstrapPercentileAreOne() {
    QFETCH(int, size);
    QFETCH(double, p);
    const BootstrapPercentile distribution = bootstrapPercentile(static_cast<std::size_t>(size), p);
    QVERIFY(distribution.firstIndex + distribution.weights.size() <= static_cast<std::size_t>(size));
    const double sum = std::accumulate(distribution.weights.begin(), distribution.weights.end(), 0.0);
    QVERIFY(std::abs(sum - 1) < 1e-9);
    QVERIFY(std::ranges::all_of(distribution.weights, [](double weight) { return weight >= 0; }));
  }

  void aShiftOfEqualSamplesIsNone() {
    const std::optional<MedianShift> shift = medianShift(Samples(50, 700), Samples(80, 700));
    QVERIFY(shift);
    QCOMPARE(shift->ratio, 1.0);
    QVERIFY(std::abs(shift->ratioInterval.lower - 1) < 1e-6 && std::abs(shift->ratioInterval.upper - 1) < 1e-6);
    QCOMPARE(mannWhitney(Samples(50, 700), Samples(80, 700)).pValue, 1.0);
  }

  void aFifthSlowerIsFoundAsSuch() {
    std::mt19937_64 random(11);
    std::normal_distribution<double> draw(100'000, 3000);
    Samples base(400);
    std::ranges::generate(base, [&] { return static_cast<std::uint64_t>(draw(random)); });
    Samples slower(400);
    std::ranges::generate(slower, [&] { return static_cast<std::uint64_t>(1.2 * draw(random)); });
    std::ranges::sort(base);
    std::ranges::sort(slower);
    const std::optional<MedianShift> shift = medianShift(base, slower);
    QVERIFY(shift);
    QVERIFY(shift->ratioInterval.contains(1.2));
    QVERIFY(shift->ratioInterval.lower > 1.18 && shift->ratioInterval.upper < 1.22);
    const RankTest test = mannWhitney(base, slower);
    QVERIFY(test.pValue < 1e-6);
    QVERIFY(test.secondIsLarger > 0.95);
  }

  void noiseIsWhatOnePartStraysByAtMost() {
    Samples steady(100, 1000);
    QCOMPARE(medianNoise(steady), 0.0);
    std::fill(steady.begin() + 30, steady.begin() + 40, 1100);
    QCOMPARE(medianNoise(steady), 0.1);
    // The order matters, not only the values: spread evenly, the same samples have no part of their own.
    Samples spread(100, 1000);
    for (std::size_t i = 0; i < 10; ++i) {
      spread[i * 10] = 1100;
    }
    QCOMPARE(medianNoise(spread), 0.0);
  }

  void aCompileIsPaidBackWhenCallsHaveSavedIt() {
    QCOMPARE(breakEvenCalls({1000, 10}, {0, 20}).value_or(0), std::uint64_t{100});
    QCOMPARE(breakEvenCalls({1001, 10}, {0, 20}).value_or(0), std::uint64_t{101});
    QCOMPARE(breakEvenCalls({0, 10}, {500, 20}).value_or(0), std::uint64_t{1});
    QVERIFY(!breakEvenCalls({1000, 20}, {0, 20}));
    QVERIFY(!breakEvenCalls({1000, 30}, {0, 20}));
    QCOMPARE(callsWorth(1'000'000, 300).value_or(0), std::uint64_t{3334});
    QVERIFY(!callsWorth(1000, 0));
  }
};

QTEST_GUILESS_MAIN(TestIntervals)
#include "tst_intervals.moc"
