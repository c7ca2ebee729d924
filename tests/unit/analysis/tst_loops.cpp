// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compiles/loop_remedies.h"
#include "analysis/compiles/loop_summary.h"
#include "event/loops.h"

using namespace jitscope;
using event::LoopResult;
using event::LoopState;

namespace {

constexpr base::FunctionId kInner(1);
constexpr base::FunctionId kOuter(2);

LoopResult loopAt(int line, LoopState state, std::uint32_t width = 0) {
  LoopResult loop;
  loop.functionId = loop.holderId = loop.unitId = kOuter;
  loop.symbol = "outer";
  loop.file = "/a/b/script.lua";
  loop.line = line;
  loop.state = state;
  loop.pass = "loop-vectorize";
  loop.width = width;
  return loop;
}

LoopResult scalarFor(const char *name, const char *reason, const char *instruction = "") {
  LoopResult loop = loopAt(3, LoopState::Scalar);
  loop.reasonName = name;
  loop.reason = reason;
  loop.instruction = instruction;
  return loop;
}

} // namespace

class TestLoops : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void copiesOfALoopAreOne() {
    LoopResult own = loopAt(3, LoopState::Scalar);
    own.functionId = own.holderId = kInner;
    LoopResult inlined = loopAt(3, LoopState::Vectorized, 4);
    inlined.functionId = kInner;
    LoopResult unswitched = inlined;
    unswitched.state = LoopState::Interleaved;
    unswitched.width = 0;
    const std::vector<LoopResult> loops = event::vectorizedLoops({own, inlined, unswitched});
    QCOMPARE(loops.size(), std::size_t{1});
    QCOMPARE(loops[0].width, 4U);
    QCOMPARE(loops[0].holderId, kOuter);
  }

  void codeThatTheRootDoesNotReachDoesNotCount() {
    LoopResult copy = loopAt(3, LoopState::Vectorized, 8);
    copy.isReached = false;
    const LoopResult used = loopAt(3, LoopState::Scalar);
    QVERIFY(event::vectorizedLoops({copy, used}).empty());
    QCOMPARE(event::loopsAsWritten({copy, used}).size(), std::size_t{1});
    QVERIFY(event::loopsAsWritten({copy}).empty());
  }

  void onlyVectorsCount_data() {
    QTest::addColumn<int>("state");
    QTest::addColumn<std::size_t>("count");
    QTest::newRow("vectorized") << static_cast<int>(LoopState::Vectorized) << std::size_t{1};
    QTest::newRow("interleaved") << static_cast<int>(LoopState::Interleaved) << std::size_t{0};
    QTest::newRow("scalar") << static_cast<int>(LoopState::Scalar) << std::size_t{0};
    QTest::newRow("unrolled") << static_cast<int>(LoopState::Unrolled) << std::size_t{0};
    QTest::newRow("outer") << static_cast<int>(LoopState::Outer) << std::size_t{0};
  }
  void onlyVectorsCount() {
    QFETCH(int, state);
    QFETCH(std::size_t, count);
    QCOMPARE(event::vectorizedLoops({loopAt(3, static_cast<LoopState>(state))}).size(), count);
  }

  void aWidthThatIsNotKnownCountsAsWell() {
    QCOMPARE(event::vectorizedLoops({loopAt(3, LoopState::Vectorized, 0)}).size(), std::size_t{1});
    QCOMPARE(event::outcomeText(loopAt(3, LoopState::Vectorized, 0)), std::string("vectorized"));
  }

  void loopsOfOneLineAreToldByColumnOrOrder() {
    LoopResult second = loopAt(3, LoopState::Vectorized, 4);
    second.order = 1;
    LoopResult column = loopAt(3, LoopState::Vectorized, 4);
    column.column = 9;
    QCOMPARE(event::vectorizedLoops({loopAt(3, LoopState::Vectorized, 4), second, column}).size(), std::size_t{3});
  }

  void loopsWithoutDebugInformationAreToldByTheirHolder() {
    LoopResult one = loopAt(0, LoopState::Vectorized, 4);
    one.functionId = {};
    one.file.clear();
    LoopResult other = one;
    other.symbol = "helper";
    QCOMPARE(event::vectorizedLoops({one, other, one}).size(), std::size_t{2});
  }

  void widthsAreSpelledAsLlvmDoes() {
    LoopResult loop = loopAt(3, LoopState::Vectorized, 4);
    loop.interleave = 2;
    QCOMPARE(event::outcomeText(loop), std::string("vectorized, width 4, interleave 2"));
    loop.isScalable = true;
    QCOMPARE(event::outcomeText(loop), std::string("vectorized, width vscale x 4, interleave 2"));
    QCOMPARE(event::locationText(loop), std::string("script.lua:3"));
  }

  void reasonsAreLlvmsWithoutPragmas() {
    LoopResult loop =
        scalarFor("UnsafeDep",
                  "unsafe dependent memory operations in loop. Use #pragma clang loop distribute(enable) to allow loop "
                  "distribution to attempt to isolate the offending operations into a separate loop Backward loop "
                  "carried data dependence. Memory location is the same as accessed at a.c:7:58",
                  "store i32");
    loop.reasonLine = 7;
    loop.reasonColumn = 53;
    QCOMPARE(
        event::reasonText(loop),
        std::string("unsafe dependent memory operations in loop. Backward loop carried data dependence. Memory location is the "
                    "same as accessed at a.c:7:58 (store i32 at 7:53)"));
    QCOMPARE(event::reasonText(scalarFor("CantVectorizeLibcall",
                                         "library call cannot be vectorized. Try compiling with -fno-math-errno, -ffast-math, or "
                                         "similar flags")),
             std::string("library call cannot be vectorized"));
    QCOMPARE(event::reasonText(scalarFor("", "")), std::string("LLVM gave no reason"));
    QVERIFY(event::reasonText(loopAt(3, LoopState::Vectorized, 4)).empty());
  }

  void remediesCanBeFollowed_data() {
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<bool>("isModules");
    QTest::addColumn<bool>("isUnitByUnit");
    QTest::addColumn<bool>("isCalleeCompiled");
    QTest::addColumn<QString>("words"); ///< that the remedy holds; empty: there is none
    QTest::newRow("a sum in a script") << "CantReorderFPOps" << "" << false << false << false << "fast_math = true";
    QTest::newRow("a sum in a module") << "CantReorderFPOps" << "" << true << false << false << "-ffast-math";
    QTest::newRow("a sum of products in a module")
        << "CantReorderFPOps" << "call llvm.fmuladd.f32" << true << false << false << "-ffast-math";
    QTest::newRow("a sum of products in a script")
        << "CantReorderFPOps" << "call llvm.fma.f32" << false << false << false << "fast_math = true";
    QTest::newRow("a sum of what a compiled function gives")
        << "CantReorderFPOps" << "call inner" << true << true << true << "-ffast-math";
    QTest::newRow("a call that may write where the loop reads")
        << "CantReorderMemOps" << "call llvm.memcpy" << true << false << false << "noalias";
    QTest::newRow("a callee to inline") << "CantVectorizeLibcall" << "call inner" << false << true << true << "deferred";
    QTest::newRow("a callee that was not inlined") << "CantVectorizeLibcall" << "call inner" << false << false << true << "";
    QTest::newRow("exp") << "CantVectorizeLibcall" << "call exp" << true << false << false << "veclib = true";
    QTest::newRow("exp of f32") << "CantVectorizeLibcall" << "call expf" << true << false << false << "veclib = true";
    QTest::newRow("the intrinsic") << "VectorizationNotBeneficial" << "call llvm.exp.f64" << false << false << false
                                   << "veclib = true";
    QTest::newRow("erf") << "CantVectorizeLibcall" << "call erf" << true << false << false << "";
    QTest::newRow("vectors of SLP") << "CantVectorizeInstructionReturnType" << "insertelement <2 x double>" << false << true
                                    << false << "deferred or pre-link";
    QTest::newRow("aliasing in a script") << "CantReorderMemOps" << "" << false << false << false << "";
    QTest::newRow("aliasing in a module") << "CantReorderMemOps" << "" << true << false << false << "noalias";
    QTest::newRow("the option") << "VectorizerOff" << "" << false << false << false << "loop_vectorize = true";
    QTest::newRow("unknown") << "SomethingNew" << "" << true << false << false << "";
  }
  void remediesCanBeFollowed() {
    QFETCH(QString, reason);
    QFETCH(QString, instruction);
    QFETCH(bool, isModules);
    QFETCH(bool, isUnitByUnit);
    QFETCH(bool, isCalleeCompiled);
    QFETCH(QString, words);
    const LoopResult loop = scalarFor(reason.toUtf8().constData(), "said", instruction.toUtf8().constData());
    const QString remedy = QString::fromStdString(analysis::remedyFor(loop, {isModules, isUnitByUnit, isCalleeCompiled}));
    QCOMPARE(remedy.isEmpty(), words.isEmpty());
    QVERIFY2(remedy.contains(words), qPrintable(remedy));
    QVERIFY(analysis::remedyFor(loopAt(3, LoopState::Vectorized, 4), {}).empty());
  }

  void calleesAreNamedAndAnotherPipelineIsAdvised() {
    const std::vector<event::FunctionEvent> functions{{kInner, "in ner", 1, false}, {kOuter, "outer", 2, false}};
    const LoopResult scalar =
        scalarFor("CantVectorizeLibcall", "call instruction cannot be vectorized", "call in_ner_0123456789abcdef");
    const LoopResult other = scalarFor("LoopContainsSwitch", "loop contains a switch statement");
    const analysis::LoopSummary summary = analysis::summarizeLoops(
        {{"separate", {scalar}}, {"per-function", {other}}, {"deferred", {loopAt(3, LoopState::Vectorized, 4)}}}, functions);
    QCOMPARE(summary.findings.size(), std::size_t{3});
    QCOMPARE(summary.findings[0].loop.instruction, std::string("call in ner"));
    QVERIFY(QString::fromStdString(summary.findings[0].remedy).contains("inline the call"));
    QCOMPARE(summary.findings[1].remedy, std::string("use the pipeline deferred, which vectorizes it"));
  }
};

QTEST_GUILESS_MAIN(TestLoops)
#include "tst_loops.moc"
