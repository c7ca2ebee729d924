// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/statistics.h"

#include <QTest>

#include <vector>

using namespace jitscope::analysis;
using Samples = std::vector<std::uint64_t>;
Q_DECLARE_METATYPE(Samples)

namespace {

bool isNear(double actual, double expected) { return std::abs(actual - expected) <= 1e-9 * std::max(1.0, std::abs(expected)); }

/// i * i mod 997 + 5 for i below 100: no order, few repeats.
Samples hundred() {
  Samples samples;
  for (std::uint64_t i = 0; i < 100; ++i) {
    samples.push_back(i * i % 997 + 5);
  }
  return samples;
}

} // namespace

class TestStatistics : public QObject {
  Q_OBJECT

private Q_SLOTS:
  /// Expected values by Python 3.11: statistics.mean, stdev and quantiles(n=100, method='exclusive'), which is R's type 6 except
  /// that Python extrapolates beyond the samples where R and Benchee stop at the smallest and largest.
  void agreesWithAnIndependentComputation_data() {
    QTest::addColumn<Samples>("samples");
    QTest::addColumn<double>("average");
    QTest::addColumn<double>("deviation");
    QTest::addColumn<double>("p25");
    QTest::addColumn<double>("median");
    QTest::addColumn<double>("p75");
    QTest::addColumn<double>("p90");
    QTest::addColumn<double>("p95");
    QTest::addColumn<double>("p99");
    QTest::newRow("four") << Samples{30, 10, 40, 20} << 25.0 << 12.909944487358056 << 12.5 << 25.0 << 37.5 << 40.0 << 40.0 << 40.0;
    QTest::newRow("five") << Samples{15, 20, 35, 40, 50} << 32.0 << 14.404860290887934 << 17.5 << 35.0 << 45.0 << 50.0 << 50.0
                          << 50.0;
    QTest::newRow("ten") << Samples{3, 6, 7, 8, 8, 10, 13, 15, 16, 20} << 10.6 << 5.253570214625479 << 6.75 << 9.0 << 15.25 << 19.6
                         << 20.0 << 20.0;
    QTest::newRow("a hundred") << hundred() << 437.08 << 299.48992597009965 << 153.5 << 417.0 << 687.0 << 864.3 << 943.15 << 982.83;
  }
  void agreesWithAnIndependentComputation() {
    QFETCH(Samples, samples);
    const Statistics statistics = describe(samples);
    QCOMPARE(statistics.sampleSize, static_cast<std::uint64_t>(samples.size()));
    QCOMPARE(statistics.first, samples.front());
    const auto check = [](const char *column, double actual) {
      QVERIFY2(isNear(actual, *static_cast<const double *>(QTest::qData(column, qMetaTypeId<double>()))), column);
    };
    check("average", statistics.average);
    check("deviation", statistics.deviation);
    check("p25", statistics.p25);
    check("median", statistics.median);
    check("p75", statistics.p75);
    check("p90", statistics.p90);
    check("p95", statistics.p95);
    check("p99", statistics.p99);
    QVERIFY(isNear(statistics.perSecond, 1e9 / statistics.average));
    QVERIFY(isNear(statistics.deviationRatio, statistics.deviation / statistics.average));
  }

  /// The example in the documentation of Statistex, which Benchee computes with.
  void agreesWithBenchee() {
    const Statistics statistics = describe(Samples{200, 400, 400, 400, 500, 500, 500, 700, 900});
    QCOMPARE(statistics.average, 500.0);
    QCOMPARE(statistics.deviation, 200.0);
    QCOMPARE(statistics.deviationRatio, 0.4);
    QCOMPARE(statistics.median, 500.0);
    QCOMPARE(statistics.p25, 400.0);
    QCOMPARE(statistics.p75, 600.0);
    QCOMPARE(statistics.minimum, std::uint64_t{200});
    QCOMPARE(statistics.maximum, std::uint64_t{900});
    QCOMPARE(statistics.perSecond, 2e6);
    // 400 and 500 occur three times each: the smaller is told.
    QCOMPARE(statistics.mode.value_or(0), std::uint64_t{400});
    // The fences are 100 and 900; what lies on a fence is inside.
    QCOMPARE(statistics.outliers(), std::uint64_t{0});
  }

  void noSamplesGiveZeros() {
    const Statistics statistics = describe({});
    QCOMPARE(statistics.sampleSize, std::uint64_t{0});
    QCOMPARE(statistics.average, 0.0);
    QCOMPARE(statistics.deviation, 0.0);
    QCOMPARE(statistics.perSecond, 0.0);
    QCOMPARE(statistics.p99, 0.0);
    QVERIFY(!statistics.mode);
    QCOMPARE(percentile({}, 50), 0.0);
  }

  void oneSampleIsEveryPercentile() {
    const Statistics statistics = describe(Samples{42});
    QCOMPARE(statistics.average, 42.0);
    QCOMPARE(statistics.deviation, 0.0);
    QCOMPARE(statistics.median, 42.0);
    QCOMPARE(statistics.p25, 42.0);
    QCOMPARE(statistics.p99, 42.0);
    QCOMPARE(statistics.minimum, std::uint64_t{42});
    QCOMPARE(statistics.maximum, std::uint64_t{42});
    QVERIFY(!statistics.mode);
    QCOMPARE(statistics.outliers(), std::uint64_t{0});
  }

  void equalSamplesDoNotDeviate() {
    const Statistics statistics = describe(Samples(1000, 123'456'789));
    QCOMPARE(statistics.average, 123'456'789.0);
    QCOMPARE(statistics.deviation, 0.0);
    QCOMPARE(statistics.median, 123'456'789.0);
    QCOMPARE(statistics.mode.value_or(0), std::uint64_t{123'456'789});
    QCOMPARE(statistics.outliers(), std::uint64_t{0});
  }

  void samplesOfNoTimeGiveNoRate() {
    const Statistics statistics = describe(Samples{0, 0});
    QCOMPARE(statistics.perSecond, 0.0);
    QCOMPARE(statistics.deviationRatio, 0.0);
  }

  void largeTimesKeepTheirDeviation() {
    // An hour, give or take a nanosecond: squares of these leave 64 bits, and naive sums lose the deviation.
    constexpr std::uint64_t kHour = 3'600'000'000'000;
    const Statistics statistics = describe(Samples{kHour - 1, kHour, kHour + 1});
    QCOMPARE(statistics.average, static_cast<double>(kHour));
    QVERIFY(isNear(statistics.deviation, 1.0));
  }

  void outliersBeyondTheFencesAreCountedOnTheirSide() {
    // p25 = 515, p75 = 565 (by Python as above): fences 440 and 640.
    const Statistics high = describe(Samples{500, 510, 520, 530, 540, 550, 560, 570, 1000});
    QCOMPARE(high.p25, 515.0);
    QCOMPARE(high.p75, 565.0);
    QCOMPARE(high.highOutliers, std::uint64_t{1});
    QCOMPARE(high.lowOutliers, std::uint64_t{0});
    const Statistics low = describe(Samples{1, 510, 520, 530, 540, 550, 560, 570, 580});
    QCOMPARE(low.lowOutliers, std::uint64_t{1});
    QCOMPARE(low.highOutliers, std::uint64_t{0});
  }

  void oneMissAmongManyMovesTheMaximumAndNotThe99thPercentile() {
    Samples samples(199, 100);
    samples.front() = 1'000'000;
    const Statistics statistics = describe(samples);
    QCOMPARE(statistics.p99, 100.0);
    QCOMPARE(statistics.maximum, std::uint64_t{1'000'000});
    QCOMPARE(statistics.first, std::uint64_t{1'000'000});
    QCOMPARE(statistics.highOutliers, std::uint64_t{1});
  }

  void percentilesStayWithinTheSamples_data() {
    QTest::addColumn<double>("p");
    QTest::addColumn<double>("expected");
    QTest::newRow("below nothing") << -5.0 << 10.0;
    QTest::newRow("nothing") << 0.0 << 10.0;
    QTest::newRow("below the first") << 19.0 << 10.0;
    QTest::newRow("the first") << 20.0 << 10.0;
    QTest::newRow("between") << 30.0 << 15.0;
    QTest::newRow("the last") << 80.0 << 40.0;
    QTest::newRow("all") << 100.0 << 40.0;
    QTest::newRow("beyond all") << 250.0 << 40.0;
  }
  void percentilesStayWithinTheSamples() {
    QFETCH(double, p);
    QFETCH(double, expected);
    QVERIFY(isNear(percentile(Samples{10, 20, 30, 40}, p), expected));
  }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
