// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "graph/builder/builder.h"
#include "graph/shape_evaluation.h"
#include "lower/compile_options.h"
#include "lower/plan/scratch_plan.h"
#include "lower/target.h"

#include <llvm/Target/TargetMachine.h>

using namespace jitscope;
using graph::DType;
using graph::GraphBuilder;
using graph::NodeIndex;
using graph::Op;
using graph::Shape;
using lower::CompileOptions;

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

/// The turned sum of two matrices times itself, and the total of the sum: wants the sum and its transposition in memory.
std::shared_ptr<const graph::Graph> matrixFunction(const Shape &shape) {
  GraphBuilder b("f", 1, base::FunctionId(1), {{DType::F32, shape, false}, {DType::F32, shape, false}});
  const NodeIndex sum = b.binary(Op::Add, 0, 1).value();
  const NodeIndex flat = b.reshape(b.transpose(sum, {}).value(), {-1}).value();
  return b.finish({b.dot(flat, flat).value(), b.reduce(Op::ReduceSum, sum, {}).value()}).value();
}

} // namespace

class TestLowerOptions : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void optionsHaveOneSpelling() {
    QCOMPARE(text(toText(CompileOptions{})), "pipeline=deferred opt=3 slp=on loop_vectorize=on veclib=on fast_math=off cpu=native");
  }

  void differencesNameOldAndNewValues() {
    const CompileOptions before;
    CompileOptions after;
    QCOMPARE(text(differenceOf(before, after)), QString());
    QVERIFY(before == after);
    after.opt = 2;
    after.slp = false;
    after.pipeline = "separate";
    QCOMPARE(text(differenceOf(before, after)), "pipeline: deferred -> separate; opt: 3 -> 2; slp: on -> off");
    QVERIFY(!(before == after));
  }

  void nativeIsThisMachineWithItsFeatures() {
    const auto spec = lower::hostTarget();
    QVERIFY(spec.has_value());
    QVERIFY(!spec->cpu.empty() && spec->cpu != "native");
    QVERIFY(spec->features.starts_with("+") || spec->features.starts_with("-"));
    QVERIFY(lower::checkRunsHere(*spec).has_value());
    QVERIFY(lower::createTargetMachine(*spec, 3).has_value());
    QCOMPARE(*spec, lower::hostTarget("native").value());
  }

  void unknownCpusAreRefusedWithTheNearestNames() {
    const auto spec = lower::hostTarget("skylack");
    QVERIFY(!spec.has_value());
    QCOMPARE(spec.error().code, base::ErrorCode::CompileTarget);
    QVERIFY2(spec.error().message.starts_with("unknown cpu \"skylack\"; did you mean skylake, "), spec.error().message.c_str());
    QVERIFY(!lower::hostTarget("").has_value());
  }

  void cpusThisMachineIsNotCannotRunHere() {
    QVERIFY(lower::checkRunsHere(lower::hostTarget("x86-64").value()).has_value());
    auto spec = lower::hostTarget("x86-64").value();
    spec.features = "+amx-fp16,+avx10.1-512,+fma4";
    const auto runs = lower::checkRunsHere(spec);
    // No CPU has both: fma4 was AMD's and is gone.
    QVERIFY(!runs.has_value());
    QVERIFY(QString::fromStdString(runs.error().message).contains("fma4"));
    spec.triple = "aarch64-unknown-linux-gnu";
    QVERIFY(!lower::checkRunsHere(spec).has_value());
  }

  void machinesForUnknownTriplesAreRefused() {
    const auto machine = lower::createTargetMachine({"pdp11-unknown-unknown", "", ""}, 2);
    QVERIFY(!machine.has_value());
    QCOMPARE(machine.error().code, base::ErrorCode::CompileTarget);
  }

  void scratchOfKnownSizesIsANumber() {
    // 100 x 100 floats are 40,000 bytes; the sum and its transposition live at the same time.
    const lower::ScratchPlan plan = lower::planScratch(*matrixFunction({100, 100}));
    QCOMPARE(lower::scratchBytes(plan), std::int64_t{80000});
    // Small arrays need none: they are on the stack.
    QCOMPARE(lower::scratchBytes(lower::planScratch(*matrixFunction({3, 3}))), std::int64_t{0});
  }

  void scratchOfOpenSizesFollowsTheSizes() {
    const auto graph = matrixFunction(Shape::dynamic(2));
    const lower::ScratchPlan plan = lower::planScratch(*graph);
    const auto bytesFor = [&](std::int64_t rows, std::int64_t columns) {
      const std::vector<Shape> shapes(2, Shape{rows, columns});
      return lower::scratchBytes(plan, graph::evaluateShapes(*graph, shapes).value());
    };
    QCOMPARE(bytesFor(100, 100), std::int64_t{80000});
    // Rounded up to whole cache lines.
    QCOMPARE(bytesFor(1, 1), std::int64_t{128});
    QCOMPARE(bytesFor(0, 7), std::int64_t{0});
  }

  void buffersThatAreNeverAliveTogetherShareMemory() {
    GraphBuilder b("f", 1, base::FunctionId(1), {{DType::F64, {1000}, false}});
    NodeIndex value = 0;
    for (int i = 0; i < 10; ++i) {
      // Each step wants the whole of the step before.
      const NodeIndex total = b.reduce(Op::ReduceSum, value, {}).value();
      value = b.binary(Op::Subtract, value, total).value();
    }
    const auto graph = b.finish({b.reduce(Op::ReduceMax, value, {}).value()}).value();
    QCOMPARE(lower::scratchBytes(lower::planScratch(*graph)), std::int64_t{2 * 8000});
  }

  void calleesWorkBehindTheirCaller() {
    const auto inner = matrixFunction({100, 100});
    GraphBuilder b("outer", 1, base::FunctionId(2), {{DType::F32, {100, 100}, false}});
    const NodeIndex doubled = b.binary(Op::Add, 0, 0).value();
    const NodeIndex first = b.call(inner, std::vector<NodeIndex>{doubled, 0}).value()[0];
    const NodeIndex second = b.call(inner, std::vector<NodeIndex>{0, doubled}).value()[0];
    const auto graph = b.finish({b.binary(Op::Add, first, second).value()}).value();
    QCOMPARE(lower::scratchBytes(lower::planScratch(*graph)), std::int64_t{40000 + 80000});
  }
};

QTEST_GUILESS_MAIN(TestLowerOptions)
#include "tst_lower_options.moc"
