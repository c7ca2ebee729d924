// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/code/lower_test.h"

namespace {

HarnessOptions withVeclib(bool veclib) {
  HarnessOptions options;
  options.lower.compile.veclib = veclib;
  return options;
}

void addRow(Op op, DType dtype) { QTest::newRow(qPrintable(text(nameOf(op)) + ' ' + text(nameOf(dtype)))) << op << dtype; }

void addOpColumns() {
  QTest::addColumn<Op>("op");
  QTest::addColumn<DType>("dtype");
}

/// Rows for every operation and dtype that the builder lets pass.
void addRows(Op first, Op last, const std::function<bool(GraphBuilder &, Op)> &isAllowed) {
  addOpColumns();
  for (int op = static_cast<int>(first); op <= static_cast<int>(last); ++op) {
    for (const DType dtype : testing::kAllDTypes) {
      GraphBuilder probe("probe", 1, base::FunctionId(1), {typeOf(dtype, {2}), typeOf(dtype, {2})});
      if (isAllowed(probe, static_cast<Op>(op))) {
        addRow(static_cast<Op>(op), dtype);
      }
    }
  }
}

} // namespace

class TestLowerElementwise : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void unaryOperationsAgreeWithTheReference_data() {
    addRows(Op::Negate, Op::Floor, [](GraphBuilder &probe, Op op) { return probe.unary(op, 0).has_value(); });
  }
  void unaryOperationsAgreeWithTheReference() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    const auto values = testing::awkwardValues(dtype);
    const ReferenceArray input = testing::repeating(dtype, {static_cast<std::int64_t>(values.size()) + 3}, values);
    const auto graph = graphOf({typeOf(dtype, input.shape)}, [&](GraphBuilder &b) { return std::vector{b.unary(op, 0).value()}; });
    // Without libmvec these are the very functions that the reference calls.
    QCOMPARE(text(checkAgainstReference(graph, {input}, withVeclib(false))), QString());
  }

  void binaryOperationsAgreeWithTheReference_data() {
    addRows(Op::Add, Op::NotEqual, [](GraphBuilder &probe, Op op) { return probe.binary(op, 0, 1).has_value(); });
  }
  void binaryOperationsAgreeWithTheReference() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    const auto [left, right] = testing::allPairs(dtype, testing::awkwardValues(dtype));
    const auto graph = graphOf({typeOf(dtype, left.shape), typeOf(dtype, right.shape)},
                               [&](GraphBuilder &b) { return std::vector{b.binary(op, 0, 1).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, {left, right}, withVeclib(false))), QString());
  }

  void binaryOperationsOnScalarsAgreeWithTheReference_data() { binaryOperationsAgreeWithTheReference_data(); }
  void binaryOperationsOnScalarsAgreeWithTheReference() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    const auto graph =
        graphOf({typeOf(dtype, {}), typeOf(dtype, {})}, [&](GraphBuilder &b) { return std::vector{b.binary(op, 0, 1).value()}; });
    const auto compiled = testing::CompiledGraph::compile(graph, withVeclib(false));
    QVERIFY(compiled.has_value());
    const auto [left, right] = testing::allPairs(dtype, testing::awkwardValues(dtype));
    for (std::size_t i = 0; i < left.bits.size(); ++i) {
      const std::vector<ReferenceArray> inputs{{dtype, {}, {left.bits[i]}}, {dtype, {}, {right.bits[i]}}};
      QCOMPARE(text(testing::firstDifference((*compiled)->run(inputs).value(), testing::evaluate(*graph, inputs))), QString());
    }
  }

  void conversionsAgreeWithTheReference_data() {
    QTest::addColumn<DType>("from");
    QTest::addColumn<DType>("to");
    for (const DType from : testing::kAllDTypes) {
      for (const DType to : testing::kAllDTypes) {
        QTest::newRow(qPrintable(text(nameOf(from)) + " to " + text(nameOf(to)))) << from << to;
      }
    }
  }
  void conversionsAgreeWithTheReference() {
    QFETCH(DType, from);
    QFETCH(DType, to);
    const ReferenceArray input = testing::repeating(from, {67}, testing::awkwardValues(from));
    const auto graph = graphOf({typeOf(from, {67})}, [&](GraphBuilder &b) { return std::vector{b.convert(0, to).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, {input})), QString());
  }

  /// The bound that the README states for libmvec.
  void vectorFunctionsStayWithinFourUlps_data() {
    addOpColumns();
    for (const Op op : {Op::Exp, Op::Log, Op::Sin, Op::Cos, Op::Tanh, Op::Power}) {
      addRow(op, DType::F32);
      addRow(op, DType::F64);
    }
  }
  void vectorFunctionsStayWithinFourUlps() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    ReferenceArray left = testing::randomArray(dtype, {4099}, 7);
    ReferenceArray right = testing::randomArray(dtype, {4099}, 8);
    if (op == Op::Log || op == Op::Power) {
      for (std::uint64_t &bits : left.bits) {
        bits = testing::bitsOf(dtype, std::abs(testing::numberOf(dtype, bits)));
      }
    }
    const auto graph = graphOf({typeOf(dtype, left.shape), typeOf(dtype, left.shape)}, [&](GraphBuilder &b) {
      return std::vector{op == Op::Power ? b.binary(op, 0, 1).value() : b.unary(op, 0).value()};
    });
    QCOMPARE(text(checkAgainstReference(graph, {left, right}, withVeclib(true), 4)), QString());
  }

  void vectorFunctionsKeepSpecialValues_data() {
    addOpColumns();
    for (const Op op : {Op::Exp, Op::Log, Op::Sin, Op::Cos, Op::Tanh, Op::Sigmoid, Op::Power}) {
      addRow(op, DType::F32);
      addRow(op, DType::F64);
    }
  }
  void vectorFunctionsKeepSpecialValues() {
    QFETCH(Op, op);
    QFETCH(DType, dtype);
    auto [left, right] = testing::allPairs(dtype, testing::awkwardValues(dtype));
    const auto graph = graphOf({typeOf(dtype, left.shape), typeOf(dtype, left.shape)}, [&](GraphBuilder &b) {
      return std::vector{op == Op::Power ? b.binary(op, 0, 1).value() : b.unary(op, 0).value()};
    });
    QCOMPARE(text(checkAgainstReference(graph, {left, right}, withVeclib(true), op == Op::Sigmoid ? 8 : 4)), QString());
  }

  void selectTakesElementsByTheCondition_data() {
    QTest::addColumn<DType>("dtype");
    for (const DType dtype : testing::kAllDTypes) {
      QTest::newRow(qPrintable(text(nameOf(dtype)))) << dtype;
    }
  }
  void selectTakesElementsByTheCondition() {
    QFETCH(DType, dtype);
    const std::vector<graph::TensorType> types{typeOf(DType::Pred, {33}), typeOf(dtype, {33}), typeOf(dtype, {})};
    const auto graph = graphOf(types, [](GraphBuilder &b) { return std::vector{b.select(0, 1, 2).value()}; });
    QCOMPARE(text(checkAgainstReference(graph, testing::randomArrays(types, 3))), QString());
  }

  void shapesBroadcastAsInNumPy_data() {
    QTest::addColumn<Shape>("left");
    QTest::addColumn<Shape>("right");
    const std::vector<std::pair<Shape, Shape>> pairs{{{}, {}},
                                                     {{}, {5}},
                                                     {{7}, {}},
                                                     {{1}, {31}},
                                                     {{33}, {1}},
                                                     {{3, 1}, {1, 4}},
                                                     {{3, 4}, {4}},
                                                     {{4}, {3, 4}},
                                                     {{3, 4}, {3, 1}},
                                                     {{1, 1}, {5, 6}},
                                                     {{2, 3, 4}, {4}},
                                                     {{2, 3, 4}, {3, 1}},
                                                     {{2, 1, 4}, {3, 1}},
                                                     {{1, 3, 1}, {2, 1, 4}},
                                                     {{0}, {1}},
                                                     {{0, 3}, {3}},
                                                     {{2, 0}, {1}},
                                                     {{1000}, {1000}},
                                                     {{2, 1, 3, 1}, {1, 5, 1, 7}},
                                                     {{1}, {1, 1}},
                                                     {{8, 1, 6, 1}, {7, 1, 5}},
                                                     {{2, 2, 2, 2, 2, 2, 2, 2}, {2}}};
    for (const auto &[left, right] : pairs) {
      QTest::newRow(qPrintable(text(toString(left) + " and " + toString(right)))) << left << right;
    }
  }
  void shapesBroadcastAsInNumPy() {
    QFETCH(Shape, left);
    QFETCH(Shape, right);
    const std::vector<graph::TensorType> types{typeOf(DType::F64, left), typeOf(DType::F64, right)};
    const testing::Body body = [](GraphBuilder &b) {
      const NodeIndex difference = b.binary(Op::Subtract, 0, 1).value();
      return std::vector{difference, b.binary(Op::Multiply, difference, 1).value()};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 5);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    // The same with sizes that are known at the call only.
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void chainsOfEverySizeAgreeWithTheReference_data() {
    QTest::addColumn<int>("size");
    for (const int size : {0, 1, 2, 7, 8, 31, 33, 1000}) {
      QTest::newRow(qPrintable(QString::number(size))) << size;
    }
  }
  void chainsOfEverySizeAgreeWithTheReference() {
    QFETCH(int, size);
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {size}), typeOf(DType::F32, {size})};
    const testing::Body body = [](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, 0, 1).value();
      const NodeIndex root = b.unary(Op::Sqrt, b.unary(Op::Abs, product).value()).value();
      const NodeIndex sum = b.binary(Op::Add, root, product).value();
      return std::vector{sum, b.binary(Op::Less, sum, root).value(), product, sum};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 9);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }

  void integerPowersAgreeForConstantExponents_data() {
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<int>("exponent");
    for (const DType dtype : {DType::U8, DType::S32, DType::S64}) {
      for (const int exponent : {-3, -2, -1, 0, 1, 2, 3, 10, 63, 64}) {
        if (dtype == DType::U8 && exponent < 0) {
          continue; // u8 cannot hold it
        }
        QTest::newRow(qPrintable(text(nameOf(dtype)) + " to the " + QString::number(exponent))) << dtype << exponent;
      }
    }
  }
  void integerPowersAgreeForConstantExponents() {
    QFETCH(DType, dtype);
    QFETCH(int, exponent);
    const ReferenceArray input = testing::repeating(dtype, {35}, testing::awkwardValues(dtype));
    const auto graph = graphOf({typeOf(dtype, {35})}, [&](GraphBuilder &b) {
      return std::vector{b.binary(Op::Power, 0, b.number(std::int64_t{exponent})).value()};
    });
    QCOMPARE(text(checkAgainstReference(graph, {input})), QString());
  }

  void everyOptimizationLevelGivesTheSame_data() {
    QTest::addColumn<int>("opt");
    for (const int opt : {0, 1, 2, 3}) {
      QTest::newRow(qPrintable(QString::number(opt))) << opt;
    }
  }
  void everyOptimizationLevelGivesTheSame() {
    QFETCH(int, opt);
    HarnessOptions options = withVeclib(false);
    options.lower.compile.opt = opt;
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {5, 33}), typeOf(DType::F64, {33})};
    const auto graph = graphOf(types, [](GraphBuilder &b) {
      const NodeIndex sum = b.binary(Op::Add, b.unary(Op::Tanh, 0).value(), 1).value();
      return std::vector{b.binary(Op::Modulo, sum, 1).value(), b.binary(Op::FloorDivide, sum, 1).value()};
    });
    QCOMPARE(text(checkAgainstReference(graph, testing::randomArrays(types, 1), options)), QString());
  }

  void fastMathKeepsNaNAndInfinity() {
    HarnessOptions options;
    options.lower.compile.fastMath = true;
    const auto [left, right] = testing::allPairs(DType::F32, testing::awkwardValues(DType::F32));
    const auto graph = graphOf({typeOf(DType::F32, left.shape), typeOf(DType::F32, left.shape)}, [](GraphBuilder &b) {
      return std::vector{b.binary(Op::NotEqual, 0, 0).value(), b.binary(Op::Maximum, 0, 1).value(),
                         b.binary(Op::Less, 0, 1).value()};
    });
    QCOMPARE(text(checkAgainstReference(graph, {left, right}, options, 1)), QString());
  }

  void longChainsNeedNoDeepStack() {
    const auto graph = graphOf({typeOf(DType::F64, {3})}, [](GraphBuilder &b) {
      NodeIndex value = 0;
      for (int i = 0; i < 3000; ++i) {
        value = b.binary(Op::Add, value, 0).value();
      }
      return std::vector{value};
    });
    HarnessOptions options;
    options.lower.compile.opt = 1;
    QCOMPARE(text(checkAgainstReference(graph, {testing::randomArray(DType::F64, {3}, 1)}, options)), QString());
  }
};

QTEST_GUILESS_MAIN(TestLowerElementwise)
#include "tst_lower_elementwise.moc"
