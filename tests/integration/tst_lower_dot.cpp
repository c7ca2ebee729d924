// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/code/lower_test.h"

#include <cmath>

namespace {

const std::vector<std::pair<Shape, Shape>> kShapes{
    {{0}, {0}},       {{1}, {1}},       {{5}, {5}},          {{33}, {33}},        {{3, 4}, {4}},
    {{4}, {4, 3}},    {{1, 1}, {1, 1}}, {{3, 3}, {3, 3}},    {{7, 31}, {31, 2}},  {{65, 67}, {67, 33}},
    {{0, 3}, {3, 4}}, {{3, 0}, {0, 4}}, {{3, 4}, {4, 0}},    {{2, 3, 4}, {4, 5}}, {{2, 3, 4}, {4, 5, 6}},
    {{6}, {6, 2, 3}}, {{2, 3, 6}, {6}}, {{1, 50}, {50, 40}}, {{40, 50}, {50, 1}}};

/// Blas adds up in another order: within the usual bound of a sum, whatever the order.
QString differenceWithinRounding(const std::vector<ReferenceArray> &actual, const ReferenceArray &left, const ReferenceArray &right,
                                 const graph::Graph &graph) {
  const DType dtype = left.dtype;
  ReferenceArray absoluteLeft = left;
  ReferenceArray absoluteRight = right;
  for (ReferenceArray *array : {&absoluteLeft, &absoluteRight}) {
    for (std::uint64_t &bits : array->bits) {
      bits = testing::bitsOf(dtype, std::abs(testing::numberOf(dtype, bits)));
    }
  }
  const std::vector<ReferenceArray> expected = testing::evaluate(graph, {left, right});
  const std::vector<ReferenceArray> magnitude = testing::evaluate(graph, {absoluteLeft, absoluteRight});
  const double epsilon = dtype == DType::F32 ? std::ldexp(1, -24) : std::ldexp(1, -53);
  const auto terms = static_cast<double>(right.shape[0] + 1);
  if (actual[0].shape != expected[0].shape) {
    return text(toString(actual[0].shape)) + " instead of " + text(toString(expected[0].shape));
  }
  for (std::size_t i = 0; i < expected[0].bits.size(); ++i) {
    const double is = testing::numberOf(dtype, actual[0].bits[i]);
    const double shouldBe = testing::numberOf(dtype, expected[0].bits[i]);
    if (!(std::abs(is - shouldBe) <= 2 * terms * epsilon * testing::numberOf(dtype, magnitude[0].bits[i]))) {
      return QString("element %1: %2 instead of %3").arg(i).arg(is).arg(shouldBe);
    }
  }
  return {};
}

} // namespace

class TestLowerDot : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void loopsAgreeExactlyWithTheReference_data() {
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<Shape>("left");
    QTest::addColumn<Shape>("right");
    for (const DType dtype : testing::kAllDTypes) {
      for (const auto &[left, right] : kShapes) {
        QTest::newRow(qPrintable(text(nameOf(dtype)) + ' ' + text(toString(left) + " · " + toString(right))))
            << dtype << left << right;
      }
    }
  }
  void loopsAgreeExactlyWithTheReference() {
    QFETCH(DType, dtype);
    QFETCH(Shape, left);
    QFETCH(Shape, right);
    HarnessOptions options;
    options.lower.smallDot = 1 << 30;
    const std::vector<graph::TensorType> types{typeOf(dtype, left), typeOf(dtype, right)};
    const auto graph = graphOf(types, [](GraphBuilder &b) { return std::vector{b.dot(0, 1).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, testing::randomArrays(types, 1), options)), QString());
  }

  void blasAgreesWithinRounding_data() {
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<Shape>("left");
    QTest::addColumn<Shape>("right");
    QTest::addColumn<bool>("isDynamic");
    for (const DType dtype : {DType::F32, DType::F64}) {
      for (const auto &[left, right] : kShapes) {
        for (const bool isDynamic : {false, true}) {
          QTest::newRow(qPrintable(text(nameOf(dtype)) + ' ' + text(toString(left) + " · " + toString(right)) +
                                   (isDynamic ? ", sizes open" : "")))
              << dtype << left << right << isDynamic;
        }
      }
    }
  }
  void blasAgreesWithinRounding() {
    QFETCH(DType, dtype);
    QFETCH(Shape, left);
    QFETCH(Shape, right);
    QFETCH(bool, isDynamic);
    HarnessOptions options;
    options.lower.smallDot = 0;
    const std::vector<graph::TensorType> types{typeOf(dtype, left), typeOf(dtype, right)};
    const auto graph =
        graphOf(isDynamic ? testing::dynamicTypes(types) : types, [](GraphBuilder &b) { return std::vector{b.dot(0, 1).value()}; });
    const auto compiled = testing::CompiledGraph::compile(graph, options);
    QVERIFY2(compiled.has_value(), compiled ? "" : describe(compiled.error()).c_str());
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 2);
    const auto actual = (*compiled)->run(inputs);
    QVERIFY2(actual.has_value(), actual ? "" : describe(actual.error()).c_str());
    QCOMPARE(differenceWithinRounding(*actual, inputs[0], inputs[1], *graph), QString());
  }

  void transposedOperandsAreReadInPlace_data() {
    QTest::addColumn<bool>("left");
    QTest::addColumn<bool>("right");
    QTest::addColumn<int>("smallDot");
    for (const int smallDot : {0, 1 << 30}) {
      const char *way = smallDot == 0 ? "blas" : "loops";
      QTest::addRow("left, %s", way) << true << false << smallDot;
      QTest::addRow("right, %s", way) << false << true << smallDot;
      QTest::addRow("both, %s", way) << true << true << smallDot;
    }
  }
  void transposedOperandsAreReadInPlace() {
    QFETCH(bool, left);
    QFETCH(bool, right);
    QFETCH(int, smallDot);
    HarnessOptions options;
    options.lower.smallDot = smallDot;
    const std::vector<graph::TensorType> types{typeOf(DType::F64, left ? Shape{20, 10} : Shape{10, 20}),
                                               typeOf(DType::F64, right ? Shape{30, 20} : Shape{20, 30})};
    const auto graph = graphOf(types, [&](GraphBuilder &b) {
      const NodeIndex a = left ? b.transpose(0, {}).value() : 0;
      const NodeIndex c = right ? b.transpose(1, {}).value() : 1;
      return std::vector{b.dot(a, c).value()};
    });
    const auto compiled = testing::CompiledGraph::compile(graph, options);
    QVERIFY(compiled.has_value());
    // No element is moved first: there is nothing to write but the result.
    QCOMPARE(text((*compiled)->irBefore()).count("getelementptr inbounds i8"), 0);
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 3);
    const std::vector<ReferenceArray> expected = testing::evaluate(*graph, inputs);
    const std::vector<ReferenceArray> actual = (*compiled)->run(inputs).value();
    for (std::size_t i = 0; i < expected[0].bits.size(); ++i) {
      const double difference =
          testing::numberOf(DType::F64, actual[0].bits[i]) - testing::numberOf(DType::F64, expected[0].bits[i]);
      QVERIFY(std::abs(difference) < 1e-12);
    }
  }

  void expressionsAroundItAgreeWithTheReference() {
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {5, 6}), typeOf(DType::F32, {6, 7}), typeOf(DType::F32, {7})};
    const testing::Body body = [](GraphBuilder &b) {
      const NodeIndex left = b.unary(Op::Abs, 0).value();
      const NodeIndex product = b.dot(left, b.transpose(b.transpose(1, {}).value(), {}).value()).value();
      const NodeIndex shifted = b.binary(Op::Add, product, 2).value();
      const NodeIndex clipped = b.binary(Op::Maximum, shifted, b.number(0.0)).value();
      return std::vector{clipped, b.dot(clipped, 2).value(), b.dot(2, 2).value(), left};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 4);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void notANumberSpreadsThroughBlas() {
    HarnessOptions options;
    options.lower.smallDot = 0;
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {20, 30}), typeOf(DType::F32, {30, 1})};
    std::vector<ReferenceArray> inputs = testing::randomArrays(types, 5);
    inputs[0].bits[0] = testing::bitsOf(DType::F32, std::nan(""));
    for (std::uint64_t &bits : inputs[1].bits) {
      bits = 0;
    }
    const auto graph = graphOf(types, [](GraphBuilder &b) { return std::vector{b.dot(0, 1).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, inputs, options)), QString());
  }
};

QTEST_GUILESS_MAIN(TestLowerDot)
#include "tst_lower_dot.moc"
