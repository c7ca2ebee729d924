// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "graph/builder/builder.h"
#include "graph/constant.h"
#include "graph/shape_evaluation.h"
#include "graph/template.h"
#include "graph/text.h"

#include <algorithm>

using namespace jitscope;
using graph::DType;
using graph::GraphBuilder;
using graph::Op;
using graph::Shape;

Q_DECLARE_METATYPE(jitscope::graph::DType)

namespace {

GraphBuilder builderFor(std::vector<graph::TensorType> parameters, const std::string &name = "f") {
  return {name, 1, base::FunctionId(1), std::move(parameters)};
}

QString textOf(const graph::Graph &graph) { return QString::fromStdString(toText(graph)); }

} // namespace

class GraphBuilderTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void operandsPromoteToTheLaterDtype_data();
  void operandsPromoteToTheLaterDtype();
  void aPlainNumberTakesTheTensorsDtype();
  void aFractionTurnsAnIntegerTensorIntoF32();
  void trueDivisionOfIntegersIsAFloat();
  void comparisonsGivePred();
  void predIsNotSubtracted();
  void unusedOperationsAreDropped();
  void equalGraphsHashAlikeWhateverTheirNameAndLine();
  void differentGraphsHashDifferently_data();
  void differentGraphsHashDifferently();
  void capturesOfACalleeBecomeTheCallers();
  void reshapeWorksOutTheOpenSize();
  void reshapeRefusesAnotherCount();
  void sliceStaysInside();
  void concatRefusesOtherSizes();
  void dotNamesTheSizesThatDiffer();
  void maximumOverNothingIsRefused();
  void unknownSizesAreEvaluatedAtTheCall();
  void unknownSizesThatDoNotFitAreRefusedAtTheCall();
  void constantsSaturateAsConversionsDo();
  void signaturesReadAsInTheContract();
};

void GraphBuilderTest::operandsPromoteToTheLaterDtype_data() {
  QTest::addColumn<DType>("left");
  QTest::addColumn<DType>("right");
  const std::array dtypes{DType::Pred, DType::U8, DType::S32, DType::S64, DType::F32, DType::F64};
  for (const DType left : dtypes) {
    for (const DType right : dtypes) {
      QTest::addRow("%s+%s", nameOf(left).data(), nameOf(right).data()) << left << right;
    }
  }
}

void GraphBuilderTest::operandsPromoteToTheLaterDtype() {
  QFETCH(DType, left);
  QFETCH(DType, right);
  GraphBuilder builder = builderFor({{left, {2}}, {right, {2}}});
  const auto sum = builder.binary(Op::Add, 0, 1);
  QVERIFY(sum.has_value());
  QCOMPARE(builder.typeOf(*sum).dtype, std::max(left, right));
}

void GraphBuilderTest::aPlainNumberTakesTheTensorsDtype() {
  for (const DType dtype : {DType::F32, DType::F64}) {
    GraphBuilder builder = builderFor({{dtype, {3}}});
    const auto product = builder.binary(Op::Multiply, 0, builder.number(0.001));
    QCOMPARE(builder.typeOf(*product).dtype, dtype);
  }
  GraphBuilder builder = builderFor({{DType::U8, {3}}});
  QCOMPARE(builder.typeOf(*builder.binary(Op::Add, 0, builder.number(std::int64_t{1}))).dtype, DType::U8);
}

void GraphBuilderTest::aFractionTurnsAnIntegerTensorIntoF32() {
  GraphBuilder builder = builderFor({{DType::S64, {3}}});
  QCOMPARE(builder.typeOf(*builder.binary(Op::Multiply, 0, builder.number(0.5))).dtype, DType::F32);
}

void GraphBuilderTest::trueDivisionOfIntegersIsAFloat() {
  GraphBuilder builder = builderFor({{DType::S32, {3}}, {DType::S64, {3}}});
  QCOMPARE(builder.typeOf(*builder.binary(Op::Divide, 0, 0)).dtype, DType::F32);
  QCOMPARE(builder.typeOf(*builder.binary(Op::Divide, 0, 1)).dtype, DType::F64);
  QCOMPARE(builder.typeOf(*builder.binary(Op::FloorDivide, 0, 0)).dtype, DType::S32);
}

void GraphBuilderTest::comparisonsGivePred() {
  GraphBuilder builder = builderFor({{DType::F32, {3}}, {DType::S32, {3}}});
  const auto less = builder.binary(Op::Less, 0, 1);
  QCOMPARE(builder.typeOf(*less).dtype, DType::Pred);
}

void GraphBuilderTest::predIsNotSubtracted() {
  GraphBuilder builder = builderFor({{DType::Pred, {3}}});
  const auto difference = builder.binary(Op::Subtract, 0, 0);
  QVERIFY(!difference.has_value());
  QCOMPARE(QString::fromStdString(difference.error().message),
           QStringLiteral("subtract is not defined for pred; convert first, e.g. with as_type(\"s32\")"));
}

void GraphBuilderTest::unusedOperationsAreDropped() {
  GraphBuilder builder = builderFor({{DType::F32, {3}}, {DType::F32, {3}}});
  const auto used = builder.binary(Op::Add, 0, 1);
  QVERIFY(builder.unary(Op::Exp, *used).has_value());
  const auto graph = builder.finish({*used});
  QVERIFY(graph.has_value());
  QCOMPARE(textOf(**graph), QStringLiteral("function f\n"
                                           "  %0: f32[3] = parameter 0\n"
                                           "  %1: f32[3] = parameter 1\n"
                                           "  %2: f32[3] = add %0, %1\n"
                                           "  return %2\n"));
}

void GraphBuilderTest::equalGraphsHashAlikeWhateverTheirNameAndLine() {
  GraphBuilder one("one", 3, base::FunctionId(1), {{DType::F32, {3}}});
  GraphBuilder two("two", 99, base::FunctionId(2), {{DType::F32, {3}}});
  two.setLine(101);
  const auto first = one.finish({*one.unary(Op::Sin, 0)});
  const auto second = two.finish({*two.unary(Op::Sin, 0)});
  QVERIFY((*first)->structuralHash() == (*second)->structuralHash());
}

void GraphBuilderTest::differentGraphsHashDifferently_data() {
  QTest::addColumn<int>("variant");
  for (int variant = 0; variant < 6; ++variant) {
    QTest::addRow("variant %d", variant) << variant;
  }
}

void GraphBuilderTest::differentGraphsHashDifferently() {
  QFETCH(int, variant);
  const auto build = [](int which) {
    GraphBuilder builder = builderFor({{which == 1 ? DType::F64 : DType::F32, which == 2 ? Shape{4} : Shape{3}}});
    const graph::NodeIndex first = *builder.unary(which == 3 ? Op::Cos : Op::Sin, 0);
    const graph::NodeIndex second = *builder.binary(Op::Multiply, first, builder.number(which == 4 ? 2.0 : 3.0));
    return (*builder.finish(which == 5 ? std::vector{second, first} : std::vector{second}))->structuralHash();
  };
  for (int other = 0; other < 6; ++other) {
    QCOMPARE(build(variant) == build(other), variant == other);
  }
}

void GraphBuilderTest::capturesOfACalleeBecomeTheCallers() {
  graph::Tensor weights;
  weights.dtype = DType::F32;
  weights.shape = Shape{3};
  GraphBuilder inner("inner", 1, base::FunctionId(1), {{DType::F32, {3}}});
  const graph::NodeIndex captured = inner.capture(weights);
  QCOMPARE(inner.capture(weights), captured);
  const auto callee = inner.finish({*inner.binary(Op::Multiply, 0, captured)});
  QVERIFY(callee.has_value());
  GraphBuilder outer("outer", 2, base::FunctionId(2), {{DType::F32, {3}}});
  const std::array arguments{graph::NodeIndex{0}};
  const auto results = outer.call(*callee, arguments);
  QVERIFY(results.has_value());
  const auto graph = outer.finish(*results);
  QVERIFY(graph.has_value());
  QCOMPARE((*graph)->captures().size(), std::size_t{1});
  QCOMPARE((*graph)->inputCount(), std::size_t{2});
  const auto &nodes = (*graph)->nodes();
  const auto call = std::ranges::find(nodes, Op::Call, &graph::Node::op);
  QVERIFY(call != nodes.end());
  QCOMPARE(call->callee().name(), std::string("inner"));
}

void GraphBuilderTest::reshapeWorksOutTheOpenSize() {
  GraphBuilder builder = builderFor({{DType::F32, {4, 6}}});
  QCOMPARE(QString::fromStdString(toString(builder.typeOf(*builder.reshape(0, Shape{8, -1})))), QStringLiteral("f32[8,3]"));
}

void GraphBuilderTest::reshapeRefusesAnotherCount() {
  GraphBuilder builder = builderFor({{DType::F32, {9}}});
  QCOMPARE(QString::fromStdString(builder.reshape(0, Shape{3, 4}).error().message),
           QStringLiteral("reshape of f32[9] to [3,4]: 9 elements cannot become 12"));
  QVERIFY(!builder.reshape(0, Shape{-1, -1}).has_value());
  QVERIFY(!builder.reshape(0, Shape{2, -1}).has_value());
}

void GraphBuilderTest::sliceStaysInside() {
  GraphBuilder builder = builderFor({{DType::F32, {4, 4}}});
  const std::vector<std::int64_t> starts{1, 2};
  QVERIFY(builder.slice(0, starts, std::vector<std::int64_t>{3, 2}).has_value());
  QVERIFY(builder.slice(0, starts, std::vector<std::int64_t>{0, 0}).has_value());
  QVERIFY(!builder.slice(0, starts, std::vector<std::int64_t>{4, 1}).has_value());
  QVERIFY(!builder.slice(0, std::vector<std::int64_t>{INT64_MAX, 0}, std::vector<std::int64_t>{1, 1}).has_value());
}

void GraphBuilderTest::concatRefusesOtherSizes() {
  GraphBuilder builder = builderFor({{DType::F32, {2, 3}}, {DType::F64, {2, 4}}});
  const std::array both{graph::NodeIndex{0}, graph::NodeIndex{1}};
  const auto joined = builder.concat(both, -1);
  QVERIFY(joined.has_value());
  QCOMPARE(QString::fromStdString(toString(builder.typeOf(*joined))), QStringLiteral("f64[2,7]"));
  QVERIFY(!builder.concat(both, 0).has_value());
}

void GraphBuilderTest::dotNamesTheSizesThatDiffer() {
  GraphBuilder builder = builderFor({{DType::F32, {2, 3}}, {DType::F32, {4, 5}}});
  QCOMPARE(QString::fromStdString(builder.dot(0, 1).error().message),
           QStringLiteral("dot of f32[2,3] and f32[4,5]: the last size of the left (3) and the first of the right (4) differ"));
}

void GraphBuilderTest::maximumOverNothingIsRefused() {
  GraphBuilder builder = builderFor({{DType::F32, {0, 3}}});
  QVERIFY(!builder.reduce(Op::ReduceMax, 0, {}).has_value());
  QVERIFY(builder.reduce(Op::ReduceSum, 0, {}).has_value());
  QVERIFY(builder.reduce(Op::ReduceMax, 0, std::vector<std::int64_t>{1}).has_value());
}

void GraphBuilderTest::unknownSizesAreEvaluatedAtTheCall() {
  GraphBuilder builder = builderFor({{DType::F32, Shape::dynamic(2)}, {DType::F32, Shape::dynamic(1)}});
  const auto sum = builder.binary(Op::Add, 0, 1);
  const auto total = builder.reduce(Op::ReduceSum, *sum, std::vector<std::int64_t>{1});
  const auto graph = builder.finish({*total});
  QVERIFY(graph.has_value());
  QVERIFY(!(*graph)->isStatic());
  const std::array inputs{Shape{5, 7}, Shape{1}};
  const auto sizes = graph::evaluateShapes(**graph, inputs);
  QVERIFY(sizes.has_value());
  // Parameters [5,7] and [1], their sum [5,7], its row sums [5].
  QCOMPARE(*sizes, (std::vector<std::int64_t>{5, 7, 1, 5, 7, 5}));
}

void GraphBuilderTest::unknownSizesThatDoNotFitAreRefusedAtTheCall() {
  GraphBuilder builder = builderFor({{DType::F32, Shape::dynamic(1)}, {DType::F32, Shape::dynamic(1)}}, "adder");
  builder.setLine(7);
  const auto graph = builder.finish({*builder.binary(Op::Add, 0, 1)});
  const std::array inputs{Shape{5}, Shape{6}};
  const auto sizes = graph::evaluateShapes(**graph, inputs);
  QVERIFY(!sizes.has_value());
  QCOMPARE(sizes.error().context, (std::vector<std::string>{"in adder at line 7"}));
}

void GraphBuilderTest::constantsSaturateAsConversionsDo() {
  QCOMPARE(graph::constantBits(DType::U8, 300.0), std::uint64_t{255});
  QCOMPARE(graph::constantBits(DType::U8, -1.5), std::uint64_t{0});
  QCOMPARE(graph::constantBits(DType::S32, std::nan("")), std::uint64_t{0});
  QCOMPARE(graph::constantBits(DType::S64, 1e300), static_cast<std::uint64_t>(INT64_MAX));
  QCOMPARE(graph::constantBits(DType::S64, -9223372036854775808.0), static_cast<std::uint64_t>(INT64_MIN));
  QCOMPARE(graph::constantBits(DType::S32, -2.9), std::uint64_t{0xFFFFFFFE});
  QCOMPARE(graph::constantBits(DType::Pred, std::nan("")), std::uint64_t{1});
}

void GraphBuilderTest::signaturesReadAsInTheContract() {
  const graph::Template exact{{graph::TensorType{DType::F32, {64, 64}, false}, graph::TensorType{DType::F32, {64, 64}, false}}};
  QCOMPARE(QString::fromStdString(signatureOf(exact)), QStringLiteral("f32[64,64], f32[64,64]"));
  const graph::Template mixed{
      {graph::TensorType{DType::F64, {}, true}, graph::StaticValue{"\"relu\""}, graph::TensorType{DType::Pred, {}, false}}};
  QCOMPARE(QString::fromStdString(signatureOf(mixed)), QStringLiteral("float, \"relu\", pred[]"));
  QCOMPARE(QString::fromStdString(signatureOf(withDynamicSizes(exact))), QStringLiteral("f32[?,?], f32[?,?]"));
}

QTEST_GUILESS_MAIN(GraphBuilderTest)
#include "tst_graph_builder.moc"
