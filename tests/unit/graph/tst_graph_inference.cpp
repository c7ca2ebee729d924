// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "graph/inference.h"

using namespace jitscope;
using graph::Shape;

Q_DECLARE_METATYPE(jitscope::graph::Shape)

namespace {
constexpr std::int64_t kAny = graph::kDynamic;
}

class InferenceTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void broadcastFollowsNumPy_data();
  void broadcastFollowsNumPy();
  void broadcastRefusesUnequalSizes();
  void axesCountFromEitherEnd();
  void axesOutsideAreNamed();
  void anAxisMayNotBeNamedTwice();
  void byteSizeRefusesWhatOverflows();
  void emptyTensorsHaveNoBytesHoweverLargeTheRest();
};

void InferenceTest::broadcastFollowsNumPy_data() {
  QTest::addColumn<Shape>("left");
  QTest::addColumn<Shape>("right");
  QTest::addColumn<Shape>("result");
  // Rows 1 to 6 are the examples of NumPy's user guide, "Broadcasting".
  QTest::newRow("image by channel") << Shape{256, 256, 3} << Shape{3} << Shape{256, 256, 3};
  QTest::newRow("four axes") << Shape{8, 1, 6, 1} << Shape{7, 1, 5} << Shape{8, 7, 6, 5};
  QTest::newRow("scalar-like") << Shape{5, 4} << Shape{1} << Shape{5, 4};
  QTest::newRow("row") << Shape{5, 4} << Shape{4} << Shape{5, 4};
  QTest::newRow("inner one") << Shape{15, 3, 5} << Shape{15, 1, 5} << Shape{15, 3, 5};
  QTest::newRow("missing axis") << Shape{15, 3, 5} << Shape{3, 1} << Shape{15, 3, 5};
  QTest::newRow("scalar") << Shape{2, 3} << Shape{} << Shape{2, 3};
  QTest::newRow("empty stretches nothing") << Shape{0, 3} << Shape{1, 3} << Shape{0, 3};
  QTest::newRow("empty against one") << Shape{0} << Shape{1} << Shape{0};
  QTest::newRow("unknown meets known") << Shape{kAny} << Shape{4} << Shape{4};
  QTest::newRow("unknown meets one") << Shape{kAny, kAny} << Shape{1} << Shape{kAny, kAny};
  QTest::newRow("unknown meets unknown") << Shape{kAny} << Shape{kAny} << Shape{kAny};
}

void InferenceTest::broadcastFollowsNumPy() {
  QFETCH(Shape, left);
  QFETCH(Shape, right);
  QFETCH(Shape, result);
  const auto forwards = graph::broadcastShapes(left, right);
  const auto backwards = graph::broadcastShapes(right, left);
  QVERIFY(forwards.has_value());
  QVERIFY(backwards.has_value());
  QCOMPARE(QString::fromStdString(toString(*forwards)), QString::fromStdString(toString(result)));
  QCOMPARE(QString::fromStdString(toString(*backwards)), QString::fromStdString(toString(result)));
}

void InferenceTest::broadcastRefusesUnequalSizes() {
  const auto shape = graph::broadcastShapes(Shape{2, 3}, Shape{2, 4});
  QVERIFY(!shape.has_value());
  QCOMPARE(shape.error().code, base::ErrorCode::ScriptShape);
  QCOMPARE(QString::fromStdString(shape.error().message),
           QStringLiteral("shapes [2,3] and [2,4] do not broadcast: sizes 3 and 4 on axis 1 from the end"));
}

void InferenceTest::axesCountFromEitherEnd() {
  const std::vector<std::int64_t> axes{-1, 0};
  const auto normal = graph::normalizeAxes(axes, 3);
  QVERIFY(normal.has_value());
  QCOMPARE(*normal, (std::vector<std::uint32_t>{0, 2}));
  const auto all = graph::normalizeAxes({}, 3);
  QCOMPARE(*all, (std::vector<std::uint32_t>{0, 1, 2}));
}

void InferenceTest::axesOutsideAreNamed() {
  const auto axis = graph::normalizeAxis(3, 3);
  QVERIFY(!axis.has_value());
  QVERIFY(axis.error().message.find("axis 3") != std::string::npos);
  const auto scalar = graph::normalizeAxis(0, 0);
  QCOMPARE(QString::fromStdString(scalar.error().message), QStringLiteral("axis 0 of a scalar, which has none"));
}

void InferenceTest::anAxisMayNotBeNamedTwice() {
  const std::vector<std::int64_t> axes{1, -1};
  const auto normal = graph::normalizeAxes(axes, 2);
  QVERIFY(!normal.has_value());
  QCOMPARE(QString::fromStdString(normal.error().message), QStringLiteral("axis 1 is named twice"));
}

void InferenceTest::byteSizeRefusesWhatOverflows() {
  QVERIFY(!graph::checkedByteSize(graph::DType::F64, Shape{std::int64_t{1} << 31, std::int64_t{1} << 31}).has_value());
  QVERIFY(!graph::checkedByteSize(graph::DType::U8, Shape{-2}).has_value());
  QCOMPARE(*graph::checkedByteSize(graph::DType::F32, Shape{64, 64}), std::int64_t{16384});
}

void InferenceTest::emptyTensorsHaveNoBytesHoweverLargeTheRest() {
  QCOMPARE(*graph::checkedByteSize(graph::DType::F64, Shape{0, std::int64_t{1} << 40}), std::int64_t{0});
  QVERIFY(!graph::checkedByteSize(graph::DType::F64, Shape{0, std::int64_t{1} << 62, 8}).has_value());
}

QTEST_GUILESS_MAIN(InferenceTest)
#include "tst_graph_inference.moc"
