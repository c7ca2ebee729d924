// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/code/lower_test.h"

namespace {

using Axes = std::vector<std::int64_t>;

constexpr std::initializer_list<Op> kReductions{Op::ReduceSum, Op::ReduceMean, Op::ReduceMax, Op::ReduceMin, Op::ArgMax};

/// Every non-empty choice of axes.
std::vector<Axes> axisChoices(std::size_t rank) {
  std::vector<Axes> choices;
  for (unsigned bits = 1; bits < 1U << rank; ++bits) {
    Axes axes;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if ((bits >> axis & 1U) != 0) {
        axes.push_back(static_cast<std::int64_t>(axis));
      }
    }
    choices.push_back(axes);
  }
  return choices;
}

QString spelled(const Axes &axes) {
  QStringList parts;
  for (const std::int64_t axis : axes) {
    parts << QString::number(axis);
  }
  return parts.join(',');
}

} // namespace

Q_DECLARE_METATYPE(Axes)

class TestLowerReductions : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyAxisCombinationAgreesWithTheReference_data() {
    QTest::addColumn<Op>("op");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Axes>("axes");
    for (const Op op : kReductions) {
      for (const Shape &shape : {Shape{1}, Shape{33}, Shape{5, 7}, Shape{1, 31}, Shape{31, 1}, Shape{3, 4, 5}, Shape{2, 1, 3, 4}}) {
        for (const Axes &axes : axisChoices(shape.rank())) {
          QTest::newRow(qPrintable(text(nameOf(op)) + ' ' + text(toString(shape)) + " over " + spelled(axes)))
              << op << shape << axes;
        }
      }
    }
  }
  void everyAxisCombinationAgreesWithTheReference() {
    QFETCH(Op, op);
    QFETCH(Shape, shape);
    QFETCH(Axes, axes);
    const std::vector<graph::TensorType> types{typeOf(DType::F32, shape)};
    const testing::Body body = [&](GraphBuilder &b) { return std::vector{b.reduce(op, 0, axes).value()}; };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 11);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void everyDtypeAgreesWithTheReference_data() {
    QTest::addColumn<Op>("op");
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<int>("axis");
    for (const Op op : kReductions) {
      for (const DType dtype : testing::kAllDTypes) {
        for (const int axis : {0, 1}) {
          QTest::addRow("%s %s over %d", nameOf(op).data(), nameOf(dtype).data(), axis) << op << dtype << axis;
        }
      }
    }
  }
  void everyDtypeAgreesWithTheReference() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    QFETCH(int, axis);
    const auto values = testing::awkwardValues(dtype);
    // Coprime to the number of values, so that every row and column is another mixture, NaN and infinities included.
    const Shape shape{static_cast<std::int64_t>(values.size()) + 1, 41};
    const auto graph =
        graphOf({typeOf(dtype, shape)}, [&](GraphBuilder &b) { return std::vector{b.reduce(op, 0, Axes{axis}).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, {testing::repeating(dtype, shape, values)})), QString());
    const ReferenceArray moderate = testing::randomArray(dtype, shape, 4);
    QCOMPARE(text(checkAgainstReference(graph, {moderate})), QString());
  }

  void scalarsReduceToThemselves_data() {
    QTest::addColumn<Op>("op");
    QTest::addColumn<DType>("dtype");
    for (const Op op : kReductions) {
      for (const DType dtype : testing::kAllDTypes) {
        QTest::addRow("%s %s", nameOf(op).data(), nameOf(dtype).data()) << op << dtype;
      }
    }
  }
  void scalarsReduceToThemselves() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    const auto graph = graphOf({typeOf(dtype, {})}, [&](GraphBuilder &b) { return std::vector{b.reduce(op, 0, {}).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, {testing::randomArray(dtype, {}, 2)})), QString());
  }

  void reductionsOverNothingGiveTheIdentity_data() {
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Axes>("axes");
    QTest::newRow("everything") << Shape{0} << Axes{0};
    QTest::newRow("rows") << Shape{0, 4} << Axes{0};
    QTest::newRow("columns") << Shape{4, 0} << Axes{1};
    QTest::newRow("nothing left") << Shape{0, 4} << Axes{1};
  }
  void reductionsOverNothingGiveTheIdentity() {
    QFETCH(Shape, shape);
    QFETCH(Axes, axes);
    const std::vector<graph::TensorType> types{typeOf(DType::F64, shape)};
    const testing::Body body = [&](GraphBuilder &b) {
      return std::vector{b.reduce(Op::ReduceSum, 0, axes).value(), b.reduce(Op::ReduceMean, 0, axes).value()};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 1);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void reductionsOfExpressionsAgreeWithTheReference_data() {
    QTest::addColumn<Axes>("axes");
    QTest::newRow("rows") << Axes{0};
    QTest::newRow("columns") << Axes{1};
    QTest::newRow("all") << Axes{};
  }
  void reductionsOfExpressionsAgreeWithTheReference() {
    QFETCH(Axes, axes);
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {9, 33}), typeOf(DType::F64, {33}), typeOf(DType::F64, {33, 9})};
    const testing::Body body = [&](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, b.unary(Op::Exp, 0).value(), 1).value();
      const NodeIndex turned = b.binary(Op::Add, 0, b.transpose(2, {}).value()).value();
      return std::vector{b.reduce(Op::ReduceSum, product, axes).value(), b.reduce(Op::ArgMax, turned, axes).value(),
                         b.reduce(Op::ReduceMean, turned, axes).value(), b.reduce(Op::ReduceMin, turned, axes).value()};
    };
    testing::HarnessOptions options;
    options.lower.compile.veclib = false;
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 8);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs, options)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs, options)), QString());
  }

  void softmaxAgreesWithTheReference() {
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {17, 65})};
    const testing::Body body = [](GraphBuilder &b) {
      const NodeIndex most = b.reshape(b.reduce(Op::ReduceMax, 0, Axes{1}).value(), {-1, 1}).value();
      const NodeIndex power = b.unary(Op::Exp, b.binary(Op::Subtract, 0, most).value()).value();
      const NodeIndex total = b.reshape(b.reduce(Op::ReduceSum, power, Axes{1}).value(), {-1, 1}).value();
      return std::vector{b.binary(Op::Divide, power, total).value()};
    };
    testing::HarnessOptions options;
    options.lower.compile.veclib = false;
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 6);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs, options)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs, options)), QString());
  }

  void argMaxFindsTheFirstOfTheLargestInWhateverBlock_data() {
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<int>("count");
    for (const DType dtype : testing::kAllDTypes) {
      // Around one and two blocks of 512.
      for (const int count : {16, 511, 512, 513, 1300}) {
        QTest::addRow("%d %s", count, nameOf(dtype).data()) << dtype << count;
      }
    }
  }
  void argMaxFindsTheFirstOfTheLargestInWhateverBlock() {
    QFETCH(DType, dtype);
    QFETCH(int, count);
    const std::vector<graph::TensorType> types{typeOf(dtype, {count})};
    const testing::Body body = [](GraphBuilder &b) { return std::vector{b.reduce(Op::ArgMax, 0, {}).value()}; };
    const auto graph = graphOf(types, body);
    const auto compiled = testing::CompiledGraph::compile(graph);
    const auto open = testing::CompiledGraph::compile(graphOf(testing::dynamicTypes(types), body));
    QVERIFY(compiled.has_value());
    QVERIFY(open.has_value());
    const auto agrees = [&](const std::vector<ReferenceArray> &inputs) {
      const std::vector<ReferenceArray> expected = testing::evaluate(*graph, inputs);
      return testing::firstDifference((*compiled)->run(inputs).value(), expected) +
             testing::firstDifference((*open)->run(inputs).value(), expected);
    };
    // Every value stands everywhere among its equals and betters in some turn: ties, zeros of both signs, infinities and NaN.
    const auto values = testing::awkwardValues(dtype);
    for (std::size_t turn = 0; turn < values.size(); ++turn) {
      std::vector<ReferenceArray> inputs{testing::randomArray(dtype, {count}, turn)};
      for (const int place : {count - 1, count / 2, count / 3}) {
        inputs[0].bits[static_cast<std::size_t>(place)] = values[turn];
        QCOMPARE(text(agrees(inputs)), QString());
      }
      QCOMPARE(text(agrees({testing::repeating(dtype, {count}, {values[turn]})})), QString());
    }
  }

  void reductionsInBlocksAgreeWithTheReference_data() {
    QTest::addColumn<Axes>("axes");
    QTest::newRow("rows") << Axes{1};
    QTest::newRow("outer and inner") << Axes{0, 2};
    QTest::newRow("all") << Axes{};
  }
  void reductionsInBlocksAgreeWithTheReference() {
    QFETCH(Axes, axes);
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {3, 4, 700}), typeOf(DType::F64, {700})};
    // A mapped function may become vector code, so that it is computed ahead of the sums; and it is exact.
    const auto inner = graphOf(
        {typeOf(DType::F64, {})},
        [](GraphBuilder &b) { return std::vector{b.binary(Op::Add, b.binary(Op::Multiply, 0, 0).value(), b.number(0.1)).value()}; },
        "inner");
    const testing::Body body = [&](GraphBuilder &b) {
      const NodeIndex sum = b.binary(Op::Add, 0, 1).value();
      const NodeIndex mapped = b.map(inner, std::vector{sum}).value()[0];
      return std::vector{b.reduce(Op::ReduceSum, mapped, axes).value(), b.reduce(Op::ReduceMean, sum, axes).value(),
                         b.reduce(Op::ArgMax, mapped, axes).value(), b.reduce(Op::ReduceMax, sum, axes).value(),
                         b.reduce(Op::ArgMax, sum, axes).value()};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 8);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void vectorFunctionsUnderASumKeepItsOrder() {
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {2100}), typeOf(DType::F64, {2100})};
    const testing::Body body = [](GraphBuilder &b) {
      const NodeIndex power = b.unary(Op::Exp, 0).value();
      const NodeIndex large = b.binary(Op::Multiply, power, 1).value();
      return std::vector{b.reduce(Op::ReduceSum, large, {}).value()};
    };
    std::vector<ReferenceArray> inputs{testing::randomArray(DType::F64, {2100}, 8),
                                       testing::repeating(DType::F64, {2100}, {testing::bitsOf(DType::F64, 1)})};
    // Only in order does the smallest survive: the large ones cancel, and what was added between them would be lost.
    const auto set = [&](std::size_t place, double exponent, double factor) {
      inputs[0].bits[place] = testing::bitsOf(DType::F64, exponent);
      inputs[1].bits[place] = testing::bitsOf(DType::F64, factor);
    };
    set(0, 0, 1e300);
    set(2098, 0, -1e300);
    set(2099, -2, 1);
    // The functions are up to 4 ulp off.
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs, {}, 4)), QString());
  }

  void longSumsAddInOrder() {
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {100003})};
    const auto graph = graphOf(types, [](GraphBuilder &b) { return std::vector{b.reduce(Op::ReduceSum, 0, {}).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, testing::randomArrays(types, 3))), QString());
  }
};

QTEST_GUILESS_MAIN(TestLowerReductions)
#include "tst_lower_reductions.moc"
