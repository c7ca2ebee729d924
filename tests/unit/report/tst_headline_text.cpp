// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"
#include "report/document/headline_text.h"

#include <QtTest>

using namespace jitscope;

class TestHeadlineText : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void saysWhatCompilingCost_data() {
    QTest::addColumn<qulonglong>("calls");
    QTest::addColumn<qulonglong>("compiles");
    QTest::addColumn<qulonglong>("traceNs");
    QTest::addColumn<qulonglong>("optimizeNs");
    QTest::addColumn<qulonglong>("totalNs");
    QTest::addColumn<qulonglong>("durationNs");
    QTest::addColumn<QString>("text");
    const qulonglong s = 1'000'000'000;
    QTest::newRow("one phase dominates") << 7814ULL << 10ULL << 5 * s << s / 4 << 5 * s + s / 2 << 22 * s
                                         << "10 compiles in 7,814 calls took 5.50 s of 22.0 s (25.0 %), 90.9 % of it in trace";
    QTest::newRow("no phase dominates") << 2ULL << 1ULL << s << s << 2 * s << 4 * s
                                        << "1 compile in 2 calls took 2.00 s of 4.00 s (50.0 %)";
    QTest::newRow("ahead of time") << 0ULL << 3ULL << 0ULL << 0ULL << s << 0ULL << "3 compiles took 1.00 s";
    QTest::newRow("threads overlap") << 9ULL << 8ULL << 0ULL << 0ULL << 8 * s << 5 * s
                                     << "8 compiles in 9 calls took 8.00 s of 5.00 s";
    QTest::newRow("hits only") << 5ULL << 0ULL << 0ULL << 0ULL << 0ULL << s << "5 calls, and nothing was compiled";
    QTest::newRow("nothing") << 0ULL << 0ULL << 0ULL << 0ULL << 0ULL << s << "Nothing was called or compiled";
  }
  void saysWhatCompilingCost() {
    QFETCH(qulonglong, calls);
    QFETCH(qulonglong, compiles);
    QFETCH(qulonglong, traceNs);
    QFETCH(qulonglong, optimizeNs);
    QFETCH(qulonglong, totalNs);
    QFETCH(qulonglong, durationNs);
    analysis::CompileTotals totals;
    totals.compiles = compiles;
    totals.times.traceNs = traceNs;
    totals.times.optimizeNs = optimizeNs;
    totals.times.totalNs = totalNs;
    QTEST(QString::fromStdString(report::headlineText(calls, totals, durationNs)), "text");
  }
};

QTEST_GUILESS_MAIN(TestHeadlineText)
#include "tst_headline_text.moc"
