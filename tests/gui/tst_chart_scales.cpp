// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "ui/charts/ticks.h"
#include "ui/charts/time_zoom.h"

using namespace jitscope;
using analysis::TimeRange;
using charts::Tick;

class TestChartScales : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void momentsAreRound_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("seconds") << 0.0 << 10e9 << QStringList{"0 s", "2 s", "4 s", "6 s", "8 s", "10 s"};
    QTest::newRow("parts of seconds") << 1.0e9 << 1.2e9 << QStringList{"1.00 s", "1.05 s", "1.10 s", "1.15 s", "1.20 s"};
    QTest::newRow("microseconds") << 0.0 << 2000.0 << QStringList{"0.0 µs", "0.5 µs", "1.0 µs", "1.5 µs", "2.0 µs"};
    QTest::newRow("late and close") << 5'000'000'100.0 << 5'000'000'200.0
                                    << QStringList{"5.00000010 s", "5.00000012 s", "5.00000014 s",
                                                   "5.00000016 s", "5.00000018 s", "5.00000020 s"};
    QTest::newRow("nothing") << 5.0 << 5.0 << QStringList{};
  }
  void momentsAreRound() {
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(QStringList, labels);
    QStringList found;
    for (const Tick &tick : charts::timeTicks(from, to, 5)) {
      found << tick.label;
      QVERIFY(tick.value >= from - 1e-3 && tick.value <= to + 1e-3);
    }
    QCOMPARE(found, labels);
  }

  void durationsStandAtPowersOfTen() {
    QStringList found;
    for (const Tick &tick : charts::durationTicks(350, 2.5e6)) {
      found << tick.label;
    }
    QCOMPARE(found, (QStringList{"100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms"}));
    // 0 has no logarithm, and one value alone still needs two lines.
    QCOMPARE(charts::durationTicks(0, 0).size(), std::size_t{2});
    QCOMPARE(charts::durationLevel(0), 0.0);
  }

  void percentilesAreStretchedTowardsTheEnd() {
    QVERIFY(std::abs(charts::percentileLevel(90) - 1) < 1e-9);
    QVERIFY(std::abs(charts::percentileLevel(99) - 2) < 1e-9);
    QVERIFY(std::abs(charts::percentileLevel(99.9) - 3) < 1e-9);
    for (const double p : {0.0, 12.5, 50.0, 99.0, 99.95}) {
      QVERIFY(std::abs(charts::percentileAtLevel(charts::percentileLevel(p)) - p) < 1e-9);
    }
  }

  void countsAndBytesReachTheirMost() {
    QVERIFY(charts::countTicks(37, 5).back().value >= 37);
    QVERIFY(charts::countTicks(0, 5).size() >= 2);
    const std::vector<Tick> bytes = charts::byteTicks(3.5 * 1024 * 1024, 4);
    QVERIFY(bytes.back().value >= 3.5 * 1024 * 1024);
    QCOMPARE(bytes[1].label, QStringLiteral("1.00 MiB"));
  }

  void zoomingKeepsTheAnchor_data() {
    QTest::addColumn<double>("factor");
    QTest::newRow("in") << 0.75;
    QTest::newRow("out") << 1.0 / 0.75;
  }
  void zoomingKeepsTheAnchor() {
    QFETCH(double, factor);
    const TimeRange limits{0, 10'000'000'000};
    const TimeRange before{4'000'000'000, 5'000'000'000};
    const double anchor = 4.3e9;
    const TimeRange after = charts::zoomed(before, factor, anchor, limits);
    const auto shareOf = [anchor](const TimeRange &range) {
      return (anchor - static_cast<double>(range.fromNs)) / static_cast<double>(range.lengthNs());
    };
    QVERIFY(std::abs(shareOf(before) - shareOf(after)) < 1e-6);
    QVERIFY(std::abs(static_cast<double>(after.lengthNs()) / 1e9 - factor) < 1e-6);
  }

  void rangesStayWithinTheSession() {
    const TimeRange limits{0, 1'000'000};
    QCOMPARE(charts::zoomed({0, 1'000'000}, 8, 100, limits), limits);
    QCOMPARE(charts::panned({0, 500'000}, -1, limits), (TimeRange{0, 500'000}));
    QCOMPARE(charts::panned({0, 500'000}, 9, limits), (TimeRange{500'000, 1'000'000}));
    TimeRange range = limits;
    for (int i = 0; i < 100; ++i) {
      range = charts::zoomed(range, 0.5, 700'000, limits);
      QVERIFY(range.lengthNs() >= charts::kShortestRangeNs);
    }
    QVERIFY(range.contains(700'000));
    // A session without length can be looked at, too.
    QCOMPARE(charts::zoomed({0, 0}, 0.5, 0, {0, 0}).lengthNs(), charts::kShortestRangeNs);
  }
};

QTEST_GUILESS_MAIN(TestChartScales)
#include "tst_chart_scales.moc"
