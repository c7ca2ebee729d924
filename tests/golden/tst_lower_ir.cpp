// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/code/lower_test.h"
#include "support/scripts/chain_graph.h"

namespace {

/// The IR of the linked functions, and what LLVM's default pipeline makes of it.
struct Ir {
  QString before;
  QString after;
};

Ir irOf(const GraphPointer &graph, const HarnessOptions &options = {}) {
  const auto compiled = testing::CompiledGraph::compile(graph, options);
  if (!compiled) {
    qFatal("%s", describe(compiled.error()).c_str());
  }
  return {QString::fromStdString((*compiled)->irBefore()), QString::fromStdString((*compiled)->irAfter())};
}

/// The text of the function whose symbol starts with `name`, up to its closing brace.
QString functionIn(const QString &ir, const QString &name) {
  const qsizetype place = ir.indexOf(QRegularExpression("define [^\n]*@" + name + "_[0-9a-f]+\\("));
  return place < 0 ? QString() : ir.mid(place, ir.indexOf("\n}\n", place) - place);
}

qsizetype loopsIn(const QString &function) { return function.count(QRegularExpression("%i\\d* = phi i64")); }

std::vector<graph::TensorType> vectors(DType dtype, std::int64_t size, std::size_t count) {
  return std::vector<graph::TensorType>(count, typeOf(dtype, {size}));
}

} // namespace

class TestLowerIr : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void fusedChainIsOneLoopWithoutMemoryInBetween() {
    const GraphPointer graph = graphOf(vectors(DType::F32, 1000, 3), [](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, 0, 1).value();
      const NodeIndex sum = b.binary(Op::Add, product, 2).value();
      const NodeIndex root = b.unary(Op::Sqrt, sum).value();
      return std::vector{b.binary(Op::Divide, root, product).value(), sum};
    });
    const QString function = functionIn(irOf(graph).before, "f");
    QCOMPARE(loopsIn(function), 1);
    QCOMPARE(function.count(" load "), 3);
    QCOMPARE(function.count(" store "), 2);
    // The shared product is computed once.
    QCOMPARE(function.count(" fmul "), 1);
    QVERIFY(!function.contains("alloca"));
  }

  void axesThatNobodyTellsApartShareALoop() {
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {4, 5, 6, 7}), typeOf(DType::F32, {4, 5, 6, 7}),
                                               typeOf(DType::F32, {6, 7})};
    const auto loops = [&](const testing::Body &body) { return loopsIn(functionIn(irOf(graphOf(types, body)).before, "f")); };
    QCOMPARE(loops([](GraphBuilder &b) { return std::vector{b.binary(Op::Add, 0, 1).value()}; }), 1);
    QCOMPARE(loops([](GraphBuilder &b) { return std::vector{b.binary(Op::Add, 0, 2).value()}; }), 2);
    QCOMPARE(
        loops([](GraphBuilder &b) { return std::vector{b.reduce(Op::ReduceSum, 0, std::vector<std::int64_t>{2, 3}).value()}; }), 2);
  }

  void singlyReadExpressionIsComputedInsideOfItsReduction() {
    const GraphPointer graph = graphOf(vectors(DType::F64, 1000, 2), [](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, b.unary(Op::Sqrt, 0).value(), 1).value();
      return std::vector{b.reduce(Op::ReduceSum, product, {}).value()};
    });
    const QString function = functionIn(irOf(graph).before, "f");
    QCOMPARE(loopsIn(function), 1);
    QVERIFY(!function.contains(" store "));
  }

  void libraryFunctionsUnderASumAreComputedInBlocks() {
    const GraphPointer graph = graphOf(vectors(DType::F64, 10000, 2), [](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, b.unary(Op::Exp, 0).value(), 1).value();
      return std::vector{b.reduce(Op::ReduceSum, product, {}).value()};
    });
    const Ir ir = irOf(graph);
    // One loop over the blocks; in it one that computes and one that adds.
    QCOMPARE(loopsIn(functionIn(ir.before, "f")), 3);
    QVERIFY(ir.after.contains(QRegularExpression("call [^\n]*@_ZGV[bcde]N\\d+v_exp\\(")));
    HarnessOptions options;
    options.lower.compile.veclib = false;
    QCOMPARE(loopsIn(functionIn(irOf(graph, options).before, "f")), 1);
    options.lower.compile.veclib = true;
    options.lower.compile.loopVectorize = false;
    QCOMPARE(loopsIn(functionIn(irOf(graph, options).before, "f")), 1);
  }

  void argMaxComparesInVectors() {
    const GraphPointer graph =
        graphOf(vectors(DType::F32, 10000, 1), [](GraphBuilder &b) { return std::vector{b.reduce(Op::ArgMax, 0, {}).value()}; });
    const Ir ir = irOf(graph);
    // One loop over the blocks; in it one for the largest and one for its place.
    QCOMPARE(loopsIn(functionIn(ir.before, "f")), 3);
    QVERIFY(ir.after.contains("@llvm.vector.reduce.fmaximum."));
    QVERIFY(ir.after.contains("@llvm.vector.reduce.umin."));
    QVERIFY(!functionIn(ir.before, "f").contains("alloca"));
  }

  void columnsAreSummedInMemoryRowByRow() {
    const GraphPointer graph = graphOf({typeOf(DType::F32, {1000, 1000})}, [](GraphBuilder &b) {
      return std::vector{b.reduce(Op::ReduceSum, 0, std::vector<std::int64_t>{0}).value()};
    });
    // A row that was unrolled whole would be kept in registers, of which there are too few.
    const QString after = irOf(graph).after;
    QVERIFY2(after.count(" fadd <") > 0 && after.count(" fadd <") <= 16, qPrintable(QString::number(after.count(" fadd <"))));
  }

  void reductionsOfOneExpressionShareItsLoop() {
    const GraphPointer graph = graphOf(vectors(DType::F64, 1000, 2), [](GraphBuilder &b) {
      const NodeIndex product = b.binary(Op::Multiply, 0, 1).value();
      return std::vector{b.reduce(Op::ReduceSum, product, {}).value(), b.reduce(Op::ReduceMax, product, {}).value()};
    });
    const QString function = functionIn(irOf(graph).before, "f");
    QCOMPARE(loopsIn(function), 1);
    QCOMPARE(function.count(" fmul "), 1);
  }

  void repeatedExpensiveExpressionIsComputedOnceForEachElement() {
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {500}), typeOf(DType::F32, {300, 500})};
    const GraphPointer graph =
        graphOf(types, [](GraphBuilder &b) { return std::vector{b.binary(Op::Add, b.unary(Op::Exp, 0).value(), 1).value()}; });
    const QString function = functionIn(irOf(graph).before, "f");
    // One loop for the 500 exponentials, two for the sum.
    QCOMPARE(loopsIn(function), 3);
    QVERIFY(function.indexOf("@llvm.exp") < function.indexOf(" fadd "));
  }

  void scalarFunctionsTouchNoMemory() {
    const GraphPointer inner = graphOf(
        {typeOf(DType::F64, {}), typeOf(DType::Pred, {})},
        [](GraphBuilder &b) { return std::vector{b.select(1, 0, b.unary(Op::Negate, 0).value()).value(), NodeIndex{1}}; }, "inner");
    const GraphPointer graph = graphOf({typeOf(DType::F64, {10}), typeOf(DType::Pred, {10})},
                                       [&](GraphBuilder &b) { return b.map(inner, std::vector<NodeIndex>{0, 1}).value(); });
    HarnessOptions options;
    options.linksFunctions = false;
    const QString ir = irOf(graph, options).before;
    const QRegularExpression signature(
        "define { double, i1 } @inner_[0-9a-f]+\\(double noundef %in0, i1 noundef zeroext %in1\\) #(\\d+)");
    const QRegularExpressionMatch match = signature.match(ir);
    QVERIFY2(match.hasMatch(), qPrintable(ir));
    QVERIFY(QRegularExpression("attributes #" + match.captured(1) + " = \\{ [^\n]*nounwind willreturn memory\\(none\\)")
                .match(ir)
                .hasMatch());
  }

  void debugLocationsPointAtTheScript() {
    const GraphPointer graph = graphOf(
        vectors(DType::F32, 100, 2),
        [](GraphBuilder &b) {
          b.setLine(12);
          const NodeIndex product = b.binary(Op::Multiply, 0, 1).value();
          b.setLine(13);
          return std::vector{b.unary(Op::Sqrt, product).value()};
        },
        "scale", 11);
    HarnessOptions options;
    options.lower.scriptPath = "/somewhere/model.lua";
    const QString ir = irOf(graph, options).before;
    QVERIFY(ir.contains("!DIFile(filename: \"model.lua\", directory: \"/somewhere\")"));
    QVERIFY(QRegularExpression("!DISubprogram\\(name: \"scale\", [^\n]*line: 11").match(ir).hasMatch());
    const auto lineOf = [&](const QString &instruction) {
      const QRegularExpressionMatch place = QRegularExpression(instruction + "[^\n]*, !dbg !(\\d+)").match(ir);
      return QRegularExpression("!" + place.captured(1) + " = !DILocation\\(line: (\\d+)").match(ir).captured(1);
    };
    QCOMPARE(lineOf(" fmul "), "12");
    QCOMPARE(lineOf("@llvm.sqrt.f32"), "13");
  }

  void irIsTheSameEveryTime() {
    const auto make = [] {
      return irOf(graphOf({typeOf(DType::F32, {30, 40}), typeOf(DType::F32, {40})}, [](GraphBuilder &b) {
        const NodeIndex sum = b.binary(Op::Add, 0, 1).value();
        return std::vector{b.dot(sum, b.transpose(sum, {}).value()).value(), b.reduce(Op::ReduceSum, sum, {}).value()};
      }));
    };
    QCOMPARE(make().before, make().before);
  }

  void strictArithmeticCarriesNoFastMathFlags() {
    const GraphPointer graph = graphOf(vectors(DType::F32, 100, 2), [](GraphBuilder &b) {
      return std::vector{b.binary(Op::Add, b.binary(Op::Multiply, 0, 1).value(), 1).value()};
    });
    QVERIFY(irOf(graph).before.contains(" fmul float"));
    QVERIFY(!irOf(graph).after.contains("llvm.fma"));
    HarnessOptions options;
    options.lower.compile.fastMath = true;
    QVERIFY(irOf(graph, options).before.contains(" fmul reassoc nsz arcp contract afn float"));
  }

  void loopsVectorize_data() {
    QTest::addColumn<bool>("isDynamic");
    QTest::newRow("sizes known") << false;
    QTest::newRow("sizes open") << true;
  }
  void loopsVectorize() {
    QFETCH(bool, isDynamic);
    const auto types = [&](const std::vector<graph::TensorType> &list) { return isDynamic ? testing::dynamicTypes(list) : list; };
    const QRegularExpression wideAdd("fadd <\\d+ x float>");
    const auto after = [&](const std::vector<graph::TensorType> &list, const testing::Body &body) {
      return irOf(graphOf(types(list), body)).after;
    };
    QVERIFY(after(vectors(DType::F32, 1000000, 3), [](GraphBuilder &b) {
              return std::vector{b.binary(Op::Add, b.binary(Op::Multiply, 0, 1).value(), 2).value()};
            }).contains(wideAdd));
    QVERIFY(after({typeOf(DType::F32, {1000, 1000})}, [](GraphBuilder &b) {
              return std::vector{b.reduce(Op::ReduceSum, 0, std::vector<std::int64_t>{0}).value()};
            }).contains(wideAdd));
    QVERIFY(after({typeOf(DType::F32, {1000, 1000}), typeOf(DType::F32, {1000})}, [](GraphBuilder &b) {
              return std::vector{b.binary(Op::Add, 0, 1).value()};
            }).contains(wideAdd));
    // Maxima vectorize though they pass NaN on.
    QVERIFY(after(vectors(DType::F32, 100000, 1), [](GraphBuilder &b) {
              return std::vector{b.reduce(Op::ReduceMax, 0, {}).value()};
            }).contains(QRegularExpression("llvm.maximum.v\\d+f32")));
  }

  void libraryFunctionsVectorize_data() {
    QTest::addColumn<int>("op");
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QString>("function");
    const std::vector<std::pair<Op, QString>> functions{{Op::Exp, "exp"}, {Op::Log, "log"},   {Op::Sin, "sin"},
                                                        {Op::Cos, "cos"}, {Op::Tanh, "tanh"}, {Op::Sigmoid, "exp"}};
    for (const auto &[op, name] : functions) {
      QTest::newRow(qPrintable(name + " f64 for " + QString::fromUtf8(nameOf(op).data())))
          << static_cast<int>(op) << static_cast<int>(DType::F64) << "_ZGV[bd]N\\dv_" + name + "\\(";
      QTest::newRow(qPrintable(name + " f32 for " + QString::fromUtf8(nameOf(op).data())))
          << static_cast<int>(op) << static_cast<int>(DType::F32) << "_ZGV[bd]N\\dv_" + name + "f\\(";
    }
  }
  void libraryFunctionsVectorize() {
    QFETCH(int, op);
    QFETCH(int, dtype);
    QFETCH(QString, function);
    const GraphPointer graph = graphOf(vectors(static_cast<DType>(dtype), 10000, 1),
                                       [&](GraphBuilder &b) { return std::vector{b.unary(static_cast<Op>(op), 0).value()}; });
    const QRegularExpression call("call [^\n]*@" + function);
    QVERIFY(irOf(graph).after.contains(call));
    HarnessOptions options;
    options.lower.compile.veclib = false;
    QVERIFY(!irOf(graph, options).after.contains(call));
  }

  // Codegen of loops over them would take time in the cube of the length of the chain, and more.
  void scratchOfCalleesIsNoSumOfAllTheirCallersSizes() {
    const QRegularExpression hidden("= call ptr @llvm.launder.invariant.group");
    const QString open = irOf(test::chainGraph(4, test::kRunTimeElements)).before;
    for (const char *caller : {"link2", "link3", "link4"}) {
      const QString function = functionIn(open, caller);
      QCOMPARE(function.count(hidden), 1);
      QVERIFY(function.contains(QRegularExpression("call void @link\\d_[0-9a-f]+\\([^\n]*ptr %\\w+, ptr %\\w+\\)")));
    }
    QVERIFY(!irOf(test::chainGraph(4, test::kLoopElements)).before.contains(hidden));
  }

  void mapVectorizesOnceItsFunctionIsInlined() {
    const GraphPointer inner = graphOf(
        {typeOf(DType::F64, {}), typeOf(DType::F64, {}), typeOf(DType::F64, {})},
        [](GraphBuilder &b) {
          const NodeIndex ratio = b.binary(Op::Divide, 0, 1).value();
          const NodeIndex left = b.binary(Op::Divide, ratio, 1).value();
          const NodeIndex right = b.binary(Op::Divide, b.binary(Op::Multiply, ratio, 2).value(), 1).value();
          return std::vector{b.unary(Op::Exp, left).value(), b.unary(Op::Exp, right).value()};
        },
        "inner");
    const GraphPointer graph = graphOf(vectors(DType::F64, 10000, 3),
                                       [&](GraphBuilder &b) { return b.map(inner, std::vector<NodeIndex>{0, 1, 2}).value(); });
    QVERIFY(irOf(graph).after.contains(QRegularExpression("call [^\n]*@_ZGV[bd]N\\dv_exp\\(")));
  }
};

QTEST_GUILESS_MAIN(TestLowerIr)
#include "tst_lower_ir.moc"
