// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/code/divergence.h"
#include "analysis/code/divergence_text.h"
#include "analysis/compare/remark_comparison.h"
#include "support/sessions/study_samples.h"

using namespace jitscope;
using analysis::Divergence;
using analysis::divergenceOf;
using event::CompileEvent;
using event::Remark;
using event::RemarkKind;
using test::kInner;
using test::kMs;
using test::kOuter;

namespace {

const std::vector<event::FunctionEvent> kFunctions{{kInner, "inner", 0, false, test::kInnerSymbol},
                                                   {kOuter, "outer", 0, false, test::kOuterSymbol},
                                                   {test::kCpythonOuter, "other", 3, false, ""}};

CompileEvent compileWith(const char *pipeline, const test::PassList &passes, std::vector<Remark> remarks = {}) {
  CompileEvent compile;
  compile.pipeline = pipeline;
  compile.passes = passes.passes();
  compile.remarks = std::move(remarks);
  return compile;
}

QString text(const Divergence &divergence) {
  QStringList lines;
  for (const std::string &sentence : divergence.sentences) {
    lines << QString::fromStdString(sentence);
  }
  return lines.join('\n');
}

} // namespace

class TestDivergence : public QObject {
  Q_OBJECT

private Q_SLOTS:
  /// The example that the pipelines are compared for: packed halves of a callee keep the caller's loop scalar.
  void theSlpVectorizerInTheCalleeIsNamed() {
    const Divergence divergence = divergenceOf(kOuter, test::perFunctionCompile(), test::deferredCompile(), kFunctions);
    QVERIFY(divergence.isKnown);
    QVERIFY(!divergence.isEqual);
    QCOMPARE(divergence.lastCommon->name, std::string("SROAPass"));
    QVERIFY2(text(divergence).contains("up to SROAPass (stage function, pass 4 under per-function and 2 under deferred)."),
             qPrintable(text(divergence)));
    QCOMPARE(divergence.left->name, std::string("InlinerPass"));
    QCOMPARE(divergence.left->stage, event::Stage::Cheap);
    QCOMPARE(divergence.right->name, std::string("InlinerPass"));
    QCOMPARE(divergence.right->stage, event::Stage::Module);
    QCOMPARE(divergence.callees.size(), std::size_t{1});
    QCOMPARE(divergence.callees[0].callee, std::string("inner"));
    QVERIFY(divergence.callees[0].isLeft);
    QCOMPARE(divergence.callees[0].pass.name, std::string("SLPVectorizerPass"));
    QCOMPARE(divergence.callees[0].remark.pass, std::string("slp-vectorizer"));
    QCOMPARE(divergence.leftRemark.name, std::string("CantVectorizeInstructionReturnType"));
    QCOMPARE(divergence.rightRemark.name, std::string("Vectorized"));
    QCOMPARE(
        text(divergence),
        QString("outer has the same code under per-function and deferred up to SROAPass (stage function, pass 4 "
                "under per-function and 2 under deferred). Then per-function goes on with InlinerPass (stage cheap, pass 6), and "
                "deferred goes on with InlinerPass (stage "
                "module, pass 4).\n"
                "Before inner was inlined into outer, per-function had run SLPVectorizerPass (stage module, pass 3) on it, and "
                "deferred had not: slp-vectorizer passed at numba.py:7: \"Stores SLP vectorized with cost -2 and with tree size "
                "6\".\n"
                "Under per-function, loop-vectorize analysis at numba.py:11: \"loop not vectorized: instruction return type "
                "cannot be vectorized\". Under deferred, loop-vectorize passed at numba.py:11: \"vectorized loop (vectorization "
                "width: 4, interleaved count: 1)\"."));
  }

  void sidesCanBeSwapped() {
    const Divergence divergence = divergenceOf(kOuter, test::deferredCompile(), test::perFunctionCompile(), kFunctions);
    QCOMPARE(divergence.callees.size(), std::size_t{1});
    QVERIFY(!divergence.callees[0].isLeft);
    QCOMPARE(divergence.callees[0].pass.name, std::string("SLPVectorizerPass"));
    QCOMPARE(divergence.rightRemark.name, std::string("CantVectorizeInstructionReturnType"));
  }

  void passesBetweenEqualCodeDoNotPart() {
    // Another way to the same code, then more of it on one side.
    const CompileEvent left = compileWith("a", test::PassList()
                                                   .add("module", kOuter, kOuter, "SROAPass", kMs, 1)
                                                   .add("module", kOuter, kOuter, "GVNPass", kMs, 2)
                                                   .add("module", kOuter, kOuter, "LICMPass", kMs, 3));
    const CompileEvent right = compileWith(
        "b",
        test::PassList().add("module", kOuter, kOuter, "EarlyCSEPass", kMs, 9).add("module", kOuter, kOuter, "SROAPass", kMs, 2));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QCOMPARE(divergence.lastCommon->name, std::string("GVNPass"));
    QCOMPARE(divergence.left->name, std::string("LICMPass"));
    QVERIFY(!divergence.right.has_value());
    QVERIFY2(text(divergence).endsWith("Then a goes on with LICMPass (stage module, pass 3), and b stops there."),
             qPrintable(text(divergence)));
  }

  void theSameCodeIsTheSame() {
    const CompileEvent left = compileWith(
        "a", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs, 1).add("module", kOuter, kOuter, "GVNPass", kMs, 2));
    const CompileEvent right = compileWith("b", test::PassList().add("module", kOuter, kOuter, "NewGVNPass", kMs, 2));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QVERIFY(divergence.isEqual);
    QCOMPARE(text(divergence), QString("a and b produced the same instructions for outer; only flags such as nsw may differ."));
  }

  void codeThatWasNeverTheSamePartsAtOnce() {
    const CompileEvent left = compileWith("a", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs, 1));
    const CompileEvent right = compileWith("b", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs, 2));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QVERIFY(!divergence.lastCommon.has_value());
    QCOMPARE(text(divergence),
             QString("outer has different code under a and b from the first change on. Then a goes on with SROAPass "
                     "(stage module, pass 1), and b goes on with SROAPass (stage module, pass 1)."));
  }

  void withoutFingerprintsNothingIsKnown() {
    const CompileEvent left = compileWith("a", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs));
    const CompileEvent right = compileWith("b", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs, 2));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QVERIFY(!divergence.isKnown);
    QVERIFY(text(divergence).contains("is not known"));
  }

  /// Passes are recorded under the names that pipelines have for them, and the reason stands at the instruction in the way.
  void namesOfPipelinesAndReasonsElsewhereAreUnderstood() {
    CompileEvent left = test::perFunctionCompile();
    for (event::PassRun &pass : left.passes) {
      pass.name = pass.name == "SLPVectorizerPass" ? "slp-vectorizer" : pass.name;
    }
    event::PassRun later = left.passes[2]; // on inner, after the vectorizer
    later.name = "alignment-from-assumptions";
    later.fingerprint = 0xa4;
    left.passes.insert(left.passes.begin() + 3, later);
    for (Remark &remark : left.remarks) {
      remark.line = remark.name == "CantVectorizeInstructionReturnType" ? 3 : remark.line;
    }
    const Divergence divergence = divergenceOf(kOuter, left, test::deferredCompile(), kFunctions);
    QCOMPARE(divergence.callees.size(), std::size_t{1});
    QCOMPARE(divergence.callees[0].pass.name, std::string("slp-vectorizer"));
    QCOMPARE(divergence.leftRemark.name, std::string("CantVectorizeInstructionReturnType"));
    QCOMPARE(divergence.rightRemark.name, std::string("Vectorized"));
  }

  /// A pass may say that it changed the code when it did not.
  void whatChangedNothingIsNoStep() {
    const CompileEvent left = compileWith("a", test::PassList()
                                                   .add("module", kOuter, kOuter, "SROAPass", kMs, 1)
                                                   .add("module", kOuter, kOuter, "InvalidateAnalysisPass", kMs, 1)
                                                   .add("module", kOuter, kOuter, "LICMPass", kMs, 3));
    const CompileEvent right = compileWith("b", test::PassList().add("module", kOuter, kOuter, "SROAPass", kMs, 1));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QCOMPARE(divergence.lastCommon->name, std::string("SROAPass"));
    QCOMPARE(divergence.left->name, std::string("LICMPass"));
  }

  /// The change is looked for at the bottom of what was inlined, by the functions that remarks name.
  void aCalleeOfACalleeIsFound() {
    const base::FunctionId deep = test::kCpythonOuter;
    const auto inlined = [](base::FunctionId caller, base::FunctionId callee, const char *stage) {
      return test::withCallee(test::makeRemark(RemarkKind::Passed, "inline", "Inlined", caller, caller, stage, 0, 0, "inlined"),
                              callee);
    };
    const CompileEvent left = compileWith("per-function",
                                          test::PassList()
                                              .add("function", deep, deep, "SROAPass", kMs, 1)
                                              .add("module", deep, deep, "SLPVectorizerPass", kMs, 2)
                                              .add("function", kInner, kInner, "SROAPass", kMs, 11)
                                              .add("cheap", kInner, kInner, "InlinerPass", kMs, 12)
                                              .add("function", kOuter, kOuter, "SROAPass", kMs, 21)
                                              .add("cheap", kOuter, kOuter, "InlinerPass", kMs, 22),
                                          {inlined(kInner, deep, "cheap"), inlined(kOuter, kInner, "cheap")});
    CompileEvent right = compileWith("deferred", test::PassList()
                                                     .add("function", deep, deep, "SROAPass", kMs, 1)
                                                     .add("function", kInner, kInner, "SROAPass", kMs, 11)
                                                     .add("function", kOuter, kOuter, "SROAPass", kMs, 21)
                                                     .add("module", kOuter, kInner, "InlinerPass", kMs, 13)
                                                     .add("module", kOuter, kOuter, "InlinerPass", kMs, 23));
    const Divergence divergence = divergenceOf(kOuter, left, right, kFunctions);
    QCOMPARE(divergence.callees.size(), std::size_t{1});
    QCOMPARE(divergence.callees[0].callee, std::string("other"));
    QCOMPARE(divergence.callees[0].inlinedInto, (std::vector<std::string>{"outer", "inner"}));
    QVERIFY2(text(divergence)
                 .contains("Before other was inlined into inner, and that into outer, per-function had run "
                           "SLPVectorizerPass (stage module, pass 2) on it, and deferred had not."),
             qPrintable(text(divergence)));
  }

  void ofALongWayTheEndsAreNamed() {
    Divergence divergence;
    divergence.isKnown = true;
    divergence.function = "e";
    divergence.leftPipeline = "per-function";
    divergence.rightPipeline = "deferred";
    analysis::CalleeChange change;
    change.callee = "a";
    change.inlinedInto = {"e", "d", "c", "b"};
    change.isLeft = true;
    divergence.callees.push_back(change);
    divergence.sentences = analysis::sentencesOf(divergence);
    QVERIFY2(text(divergence).contains("Before a was inlined into b, and through 2 more functions into e, per-function had run"),
             qPrintable(text(divergence)));
  }

  void manyCalleesAndLongRemarksAreToldBriefly() {
    Divergence divergence;
    divergence.isKnown = true;
    divergence.leftPipeline = "per-function";
    divergence.rightPipeline = "deferred";
    for (const char *callee : {"a", "b", "c", "d", "e"}) {
      analysis::CalleeChange change;
      change.callee = callee;
      change.inlinedInto = {"outer"};
      divergence.callees.push_back(change);
    }
    divergence.leftRemark.pass = "inline";
    for (int i = 0; i < 200; ++i) {
      divergence.leftRemark.message += "ü";
    }
    divergence.sentences = analysis::sentencesOf(divergence);
    QVERIFY2(text(divergence).contains("Before c was inlined") && !text(divergence).contains("Before d was inlined"),
             qPrintable(text(divergence)));
    QVERIFY2(text(divergence).contains("2 more of the functions inlined had been changed on one side only."),
             qPrintable(text(divergence)));
    QVERIFY2(text(divergence).contains(QString(120, QChar(0xfc)) + "…\"") && !text(divergence).contains(QString(121, QChar(0xfc))),
             qPrintable(text(divergence)));
  }

  void copiesInOtherModulesAreNotOnTheWay() {
    CompileEvent left = test::perFunctionCompile();
    event::PassRun copy;
    copy.functionId = kInner;
    copy.unitId = kOuter;
    copy.stage = event::Stage::Module;
    copy.seq = 99;
    copy.name = "DCEPass";
    copy.fingerprint = 0xdead;
    left.passes.push_back(copy);
    const Divergence divergence = divergenceOf(kInner, left, test::deferredCompile(), kFunctions);
    QCOMPARE(divergence.lastCommon->name, std::string("SROAPass"));
    QCOMPARE(divergence.left->name, std::string("InstCombinePass"));
    QVERIFY(!divergence.right.has_value());
  }

  void remarksAreComparedByLinePassAndMessage() {
    const auto differences = analysis::compareRemarks(test::perFunctionCompile().remarks, test::deferredCompile().remarks);
    // inline differs in its costs alone, licm in nothing.
    QCOMPARE(differences.size(), std::size_t{2});
    QCOMPARE(differences[0].pass, std::string("slp-vectorizer"));
    QCOMPARE(differences[0].line, 7);
    QCOMPARE(differences[0].left.size(), std::size_t{1});
    QVERIFY(differences[0].right.empty());
    QCOMPARE(differences[1].pass, std::string("loop-vectorize"));
    QCOMPARE(differences[1].left.size(), std::size_t{2});
    QCOMPARE(differences[1].right.size(), std::size_t{1});
    QCOMPARE(analysis::mostTelling(differences), &differences[1]);
    QVERIFY(analysis::mostTelling(std::vector<analysis::RemarkDifference>()) == nullptr);
  }

  void aRemarkThatIsRepeatedCountsOnce() {
    const Remark remark = test::makeRemark(RemarkKind::Missed, "gvn", "X", kOuter, kOuter, "module", 1, 4, "load not eliminated");
    const auto differences = analysis::compareRemarks({remark, remark, remark}, {});
    QCOMPARE(differences.size(), std::size_t{1});
    QCOMPARE(differences[0].left.size(), std::size_t{1});
    QVERIFY(analysis::compareRemarks({remark, remark}, {remark}).empty());
  }
};

QTEST_GUILESS_MAIN(TestDivergence)
#include "tst_divergence.moc"
