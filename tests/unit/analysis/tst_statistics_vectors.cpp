// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics held against R: tests/support/statistics/statistics_vectors.json was written by the R script beside it.
#include <QtTest>

#include "analysis/statistics/median_shift.h"
#include "analysis/statistics/rank_test.h"
#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

using namespace jitscope::analysis;
using nlohmann::json;
using Samples = std::vector<std::uint64_t>;

namespace {

json readVectors() {
  std::ifstream stream(JITSCOPE_SOURCE_DIR "/tests/support/statistics/statistics_vectors.json");
  return json::parse(stream, nullptr, false);
}

Samples samplesOf(const json &values) {
  Samples samples;
  for (const json &value : values) {
    samples.push_back(static_cast<std::uint64_t>(value.get<double>()));
  }
  return samples;
}

Samples ascending(const json &values) {
  Samples samples = samplesOf(values);
  std::ranges::sort(samples);
  return samples;
}

bool isNear(double actual, double expected, double relative = 1e-9) {
  return std::abs(actual - expected) <= relative * std::max(1e-300, std::abs(expected)) + 1e-15;
}

} // namespace

#define VERIFY_NEAR(actual, expected, relative)                                                                                    \
  do {                                                                                                                             \
    const double nearActual = (actual);                                                                                            \
    const double nearExpected = (expected);                                                                                        \
    QVERIFY2(isNear(nearActual, nearExpected, relative),                                                                           \
             qPrintable(QString("%1 is %2, R has %3").arg(#actual).arg(nearActual, 0, 'g', 17).arg(nearExpected, 0, 'g', 17)));    \
  } while (false)

class TestStatisticsVectors : public QObject {
  Q_OBJECT

  json m_vectors;

  void addRows(const char *list) {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_vectors[list].size(); ++i) {
      const std::string name = m_vectors[list][i].value("name", std::to_string(i));
      QTest::newRow(name.c_str()) << static_cast<int>(i);
    }
  }
  const json &row(const char *list) {
    QFETCH(int, index);
    return m_vectors[list][static_cast<std::size_t>(index)];
  }
  static void checkInterval(const std::optional<Interval> &actual, const json &expected) {
    QCOMPARE(actual.has_value(), !expected.is_null());
    if (actual) {
      VERIFY_NEAR(actual->lower, expected[0].get<double>(), 1e-9);
      VERIFY_NEAR(actual->upper, expected[1].get<double>(), 1e-9);
    }
  }

private Q_SLOTS:
  void initTestCase() {
    m_vectors = readVectors();
    QVERIFY(m_vectors.is_object());
    QVERIFY(m_vectors["sets"].size() >= 8 && m_vectors["pairs"].size() >= 7 && m_vectors["holm"].size() >= 5);
  }

  void descriptionsAgreeWithR_data() { addRows("sets"); }
  void descriptionsAgreeWithR() {
    const json &expected = row("sets");
    const Statistics actual = describe(samplesOf(expected["samples"]));
    VERIFY_NEAR(actual.average, expected["average"].get<double>(), 1e-12);
    VERIFY_NEAR(actual.deviation, expected["deviation"].get<double>(), 1e-9);
    const json &percentiles = expected["percentiles"];
    VERIFY_NEAR(actual.p25, percentiles[0].get<double>(), 1e-12);
    VERIFY_NEAR(actual.median, percentiles[1].get<double>(), 1e-12);
    VERIFY_NEAR(actual.p75, percentiles[2].get<double>(), 1e-12);
    VERIFY_NEAR(actual.p90, percentiles[3].get<double>(), 1e-12);
    VERIFY_NEAR(actual.p95, percentiles[4].get<double>(), 1e-12);
    VERIFY_NEAR(actual.p99, percentiles[5].get<double>(), 1e-12);
    QCOMPARE(actual.mode.has_value(), !expected["mode"].is_null());
    if (actual.mode) {
      QCOMPARE(static_cast<double>(*actual.mode), expected["mode"].get<double>());
    }
    QCOMPARE(actual.lowOutliers, expected["low_outliers"].get<std::uint64_t>());
    QCOMPARE(actual.highOutliers, expected["high_outliers"].get<std::uint64_t>());
    checkInterval(actual.averageInterval, expected["average_interval"]);
    checkInterval(actual.medianInterval, expected["median_interval"]);
    checkInterval(actual.p90Interval, expected["p90_interval"]);
    checkInterval(actual.p99Interval, expected["p99_interval"]);
  }

  void rankTestsAgreeWithR_data() { addRows("pairs"); }
  void rankTestsAgreeWithR() {
    const json &expected = row("pairs");
    const Samples base = ascending(expected["base"]);
    const Samples contender = ascending(expected["contender"]);
    const RankTest actual = mannWhitney(base, contender);
    QCOMPARE(actual.u, expected["w"].get<double>());
    VERIFY_NEAR(actual.pValue, expected["p"].get<double>(), 1e-9);
    // The other way round it is the same test.
    const RankTest mirrored = mannWhitney(contender, base);
    QCOMPARE(mirrored.u, static_cast<double>(base.size() * contender.size()) - actual.u);
    VERIFY_NEAR(mirrored.pValue, actual.pValue, 1e-9);
    VERIFY_NEAR(mirrored.secondIsLarger, 1 - actual.secondIsLarger, 1e-9);
  }

  void adjustmentsAgreeWithR_data() { addRows("holm"); }
  void adjustmentsAgreeWithR() {
    const json &expected = row("holm");
    const std::vector<double> actual = holm(expected["p"].get<std::vector<double>>());
    QCOMPARE(actual.size(), expected["adjusted"].size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      VERIFY_NEAR(actual[i], expected["adjusted"][i].get<double>(), 1e-9);
    }
  }

  /// R drew 40,000 resamples; what is computed without drawing lies within the chance that leaves.
  void shiftsAgreeWithResamplingInR_data() { addRows("shifts"); }
  void shiftsAgreeWithResamplingInR() {
    const json &expected = row("shifts");
    const std::optional<MedianShift> shift = medianShift(ascending(expected["base"]), ascending(expected["contender"]));
    QVERIFY(shift);
    VERIFY_NEAR(shift->ratio, expected["ratio"].get<double>(), 1e-12);
    VERIFY_NEAR(shift->ratioInterval.lower, expected["interval"][0].get<double>(), 0.004);
    VERIFY_NEAR(shift->ratioInterval.upper, expected["interval"][1].get<double>(), 0.004);
  }
};

QTEST_GUILESS_MAIN(TestStatisticsVectors)
#include "tst_statistics_vectors.moc"
