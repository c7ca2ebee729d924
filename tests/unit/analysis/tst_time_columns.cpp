// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/statistics/time_columns.h"
#include "session/rows/call_spans.h"
#include "support/sessions/session_samples.h"

#include <numeric>
#include <random>

using namespace jitscope;
using analysis::BusyColumns;
using analysis::MarkCells;
using analysis::MarkColumns;
using analysis::TimeColumns;
using analysis::TimelineMark;
using event::Outcome;
using session::CallSpan;

namespace {

CallSpan spanOf(std::uint64_t start, std::uint64_t lastStart, std::uint32_t calls, std::uint64_t least, std::uint64_t most) {
  return {1, base::CallId(1), base::CallId(calls), start, lastStart, calls, least, most, most * calls};
}

} // namespace

class TestTimeColumns : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void columnsShareTheRangeEvenly_data() {
    QTest::addColumn<quint64>("ns");
    QTest::addColumn<quint32>("column");
    QTest::newRow("first") << quint64{1000} << 0U;
    QTest::newRow("end of the first") << quint64{1099} << 0U;
    QTest::newRow("second") << quint64{1100} << 1U;
    QTest::newRow("last") << quint64{1999} << 9U;
    QTest::newRow("before") << quint64{5} << 0U;
    QTest::newRow("after") << quint64{5000} << 9U;
  }
  void columnsShareTheRangeEvenly() {
    QFETCH(quint64, ns);
    QFETCH(quint32, column);
    const TimeColumns columns({1000, 2000}, 10);
    QCOMPARE(columns.columnOf(ns), column);
  }

  void positionAndMomentAreInverse() {
    const TimeColumns columns({12'345, 9'876'543'210}, 1290);
    for (double position = 0; position <= 1290; position += 17.3) {
      QVERIFY(std::abs(columns.positionOf(columns.nsAt(position)) - position) < 1e-6);
    }
  }

  void anEmptyRangeHasOneNanosecond() {
    const TimeColumns columns({7, 7}, 0);
    QCOMPARE(columns.count(), 1U);
    QCOMPARE(columns.range().lengthNs(), std::uint64_t{1});
    QCOMPARE(columns.columnOf(7), 0U);
  }

  void aColumnKeepsMinimumMaximumAndCount() {
    MarkColumns marks(TimeColumns({0, 1000}, 10));
    marks.add(spanOf(110, 120, 5, 30, 70), Outcome::Hit);
    marks.add(spanOf(150, 190, 7, 20, 60), Outcome::Hit);
    marks.add(spanOf(130, 130, 1, 900, 900), Outcome::Miss);
    const std::vector<TimelineMark> found = marks.marks();
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0], (TimelineMark{150, 20, 70, 12, Outcome::Hit, base::CallId(1)}));
    QCOMPARE(found[1], (TimelineMark{150, 900, 900, 1, Outcome::Miss, base::CallId(1)}));
  }

  void aWideSpanLosesNoCall() {
    MarkColumns marks(TimeColumns({0, 1000}, 10));
    marks.add(spanOf(50, 649, 32, 10, 20), Outcome::Hit);
    const std::vector<TimelineMark> found = marks.marks();
    QCOMPARE(found.size(), std::size_t{7});
    QCOMPARE(std::accumulate(found.begin(), found.end(), std::uint64_t{0},
                             [](std::uint64_t sum, const TimelineMark &mark) { return sum + mark.calls; }),
             std::uint64_t{32});
  }

  void spansOutsideOfTheRangeDoNotShow() {
    MarkColumns marks(TimeColumns({1000, 2000}, 10));
    marks.add(spanOf(100, 999, 3, 1, 1), Outcome::Hit);
    marks.add(spanOf(2000, 2100, 3, 1, 1), Outcome::Hit);
    QVERIFY(marks.marks().empty());
  }

  void callsInOnePlaceBecomeOneMark() {
    MarkCells cells(TimeColumns({0, 1000}, 10));
    cells.add(base::CallId(1), 110, 1000, Outcome::Hit);
    cells.add(base::CallId(2), 120, 1010, Outcome::Hit);
    cells.add(base::CallId(3), 120, 1000, Outcome::Miss);
    cells.add(base::CallId(4), 120, 2000, Outcome::Hit);
    cells.add(base::CallId(5), 420, 1000, Outcome::Hit); // three columns on
    QCOMPARE(cells.marks().size(), std::size_t{4});
    QCOMPARE(cells.marks()[0], (TimelineMark{110, 1000, 1010, 2, Outcome::Hit, base::CallId(1)}));
  }

  void aCallOfNoTimeHasAMark() {
    MarkCells cells(TimeColumns({0, 1000}, 10));
    cells.add(base::CallId(1), 110, 0, Outcome::Hit);
    QCOMPARE(cells.marks().size(), std::size_t{1});
  }

  void busyTimeIsSpreadOverItsColumns() {
    BusyColumns busy(TimeColumns({0, 1000}, 10));
    busy.add(150, 350, 200); // half of column 1, all of column 2, half of column 3
    busy.add(500, 600, 25);  // a quarter of column 5
    busy.add(-100, 50, 150); // began before
    busy.add(980, 2000, 1020);
    const std::vector<float> expected{0.5F, 0.5F, 1, 0.5F, 0, 0.25F, 0, 0, 0, 0.2F};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      QVERIFY2(std::abs(busy.shares()[i] - expected[i]) < 1e-5F, qPrintable(QStringLiteral("column %1").arg(i)));
    }
  }

  /// Whatever the calls: spans hold each of them once, within bounds, and never mix lanes.
  void spansCondenseWithoutLoss() {
    std::mt19937_64 random(7);
    session::CallSpanBuilder builder;
    std::vector<event::CallEvent> calls;
    std::vector<std::uint32_t> contexts;
    std::uint64_t now = 0;
    for (std::uint64_t id = 1; id <= 5000; ++id) {
      event::CallEvent call =
          test::makeCall(id, 1 + static_cast<std::uint32_t>(random() % 3), 1, now, Outcome::Hit, 0, random() % 1000);
      call.thread = static_cast<std::uint32_t>(random() % 2);
      now += id % 1000 == 0 ? 50'000'000 : random() % 500'000;
      calls.push_back(call);
      contexts.push_back(call.templateId.value * 2 + call.thread);
    }
    std::uint64_t counted = 0;
    std::uint64_t total = 0;
    for (const CallSpan &span : builder.condense(calls, contexts)) {
      counted += span.calls;
      total += span.totalNs;
      QVERIFY(span.calls <= session::kCallsPerSpan);
      QVERIFY(span.lastStartNs - span.startNs <= session::kSpanNs);
      const std::uint32_t thread = calls[span.firstId.value - 1].thread;
      std::uint32_t calledThere = 0;
      for (std::uint64_t id = span.firstId.value; id <= span.lastId.value; ++id) {
        const event::CallEvent &call = calls[id - 1];
        if (call.thread == thread) {
          ++calledThere;
          QVERIFY(call.totalNs() >= span.minNs && call.totalNs() <= span.maxNs);
        }
      }
      QCOMPARE(calledThere, span.calls);
    }
    QCOMPARE(counted, std::uint64_t{5000});
    QCOMPARE(total, std::accumulate(calls.begin(), calls.end(), std::uint64_t{0},
                                    [](std::uint64_t sum, const event::CallEvent &call) { return sum + call.totalNs(); }));
  }
};

QTEST_GUILESS_MAIN(TestTimeColumns)
#include "tst_time_columns.moc"
