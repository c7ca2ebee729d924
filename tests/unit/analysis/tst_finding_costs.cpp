// SPDX-License-Identifier: GPL-3.0-or-later
// What findings count, and what they leave to others.
#include "event/stale_capture.h"
#include "support/result_checks.h"
#include "support/sessions/scene.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace jitscope;
using analysis::Finding;
using analysis::FindingKind;
using namespace jitscope::test;

namespace {

/// A function for whose compiles one phase takes nine tenths.
void stormOfTraces(Scene &scene, int count) {
  const std::uint32_t function = scene.function("step", 4);
  for (int i = 0; i < count; ++i) {
    event::CompileEvent &compile =
        scene.miss(scene.entry(function, sizes(17 + i)), i == 0 ? MissReason::NewFunction : MissReason::NewShape, 100 * kMs);
    compile.traceNs = 90 * kMs;
    compile.lowerNs = compile.optimizeNs = compile.codegenNs = 3 * kMs;
  }
}

/// Functions whose compiles one pass dominates, as cold starts do.
void slowPassInEachStart(Scene &scene, int functions, std::uint64_t ns) {
  for (int i = 0; i < functions; ++i) {
    const std::uint32_t function = scene.function("stage " + std::to_string(i), 40 + i);
    const std::uint32_t entry = scene.entry(function, "f32[64]");
    event::CompileEvent &compile = scene.miss(entry, MissReason::NewFunction, ns);
    compile.traceNs = compile.lowerNs = compile.codegenNs = ns / 10;
    compile.optimizeNs = ns * 7 / 10;
    compile.passes = {
        {base::FunctionId(function), base::FunctionId(function), event::Stage::Module, 1, "slp-vectorizer", ns * 6 / 10, true, 0}};
    scene.hits(entry, 10);
  }
}

/// Hits of an entry in the warm leg of case `caseId`.
void warmLeg(Scene &scene, std::uint32_t function, std::uint32_t entry, int count) {
  scene.add(event::BenchCaseEvent{base::CaseId(1), 1, "step", "", base::FunctionId(function), 0, kMs, 1});
  for (int i = 0; i < count; ++i) {
    event::CallEvent &call = scene.hit(entry, 1000 + static_cast<std::uint64_t>(i % 5));
    call = asSample(call, 1, event::Leg::Warm);
  }
}

/// Calls of two threads in turn, each with a dtype of its own.
void twoThreads(Scene &scene, bool isMixed) {
  const std::uint32_t function = scene.function("scale", 3);
  const std::uint32_t single = scene.entry(function, "f32[64]");
  const std::uint32_t wide = scene.entry(function, "f64[64]");
  scene.miss(single, MissReason::NewFunction, 40 * kMs);
  scene.miss(wide, MissReason::NewDtype, 40 * kMs);
  for (std::uint32_t i = 0; i < 40; ++i) {
    scene.hit(i % 2 == 0 ? single : wide).thread = isMixed ? i / 2 % 2 : i % 2;
  }
}

using Play = std::function<void(Scene &)>;

} // namespace

Q_DECLARE_METATYPE(Play)

class TestFindingCosts : public QObject {
  Q_OBJECT

private:
  std::vector<Finding> findingsOf(const Scene &scene) {
    return test::findingsOf(scene, std::filesystem::path(m_folder.path().toStdString()));
  }

private Q_SLOTS:
  void noSecondIsCountedTwice_data() {
    QTest::addColumn<Play>("play");
    QTest::addColumn<std::string>("kinds");
    QTest::newRow("a storm of slow traces") << Play([](Scene &s) { stormOfTraces(s, 12); }) << std::string("storm slow-phase");
    QTest::newRow("a cold start with a slow pass")
        << Play([](Scene &s) { slowPassInEachStart(s, 8, 400 * kMs); }) << std::string("slow-phase cold-start");
    QTest::newRow("waiting for a cold start") << Play([](Scene &s) {
      coldStart(s, 4, 300 * kMs);
      waiting(s, 3, 90 * kMs);
    }) << std::string("cold-start waiting");
    QTest::newRow("functions called once with slow traces")
        << Play([](Scene &s) {
             for (int i = 0; i < 10; ++i) {
               event::CompileEvent &compile =
                   s.miss(s.entry(s.function("part " + std::to_string(i), 60 + i), "f32[64]"), MissReason::NewFunction, 200 * kMs);
               compile.traceNs = 120 * kMs;
               compile.optimizeNs = 60 * kMs;
               compile.lowerNs = compile.codegenNs = 10 * kMs;
             }
           })
        << std::string("never-paid-back slow-phase slow-phase slow-phase slow-phase slow-phase slow-phase "
                       "slow-phase slow-phase slow-phase slow-phase");
    QTest::newRow("a storm and a small cache") << Play([](Scene &s) {
      storm(s, 12);
      evictions(s, 3);
    }) << std::string("storm small-cache");
  }
  void noSecondIsCountedTwice() {
    QFETCH(const Play, play);
    Scene scene;
    play(scene);
    std::uint64_t compileNs = 0;
    for (const event::Event &event : scene.recording().events) {
      if (const auto *compile = std::get_if<event::CompileEvent>(&event)) {
        compileNs += compile->totalNs;
      }
    }
    const std::vector<Finding> findings = findingsOf(scene);
    QTEST(kindsOf(findings), "kinds");
    const std::uint64_t sum = std::accumulate(findings.begin(), findings.end(), std::uint64_t{0},
                                              [](std::uint64_t ns, const Finding &finding) { return ns + finding.costNs; });
    QVERIFY2(sum <= compileNs, std::to_string(sum).c_str());
  }

  void aFindingSaysWhatOthersCountOfItsTime() {
    Scene scene;
    stormOfTraces(scene, 12);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{2});
    QCOMPARE(findings[0].costNs, 11 * 100 * kMs);
    QCOMPARE(findings[1].costNs, 90 * kMs);
    QVERIFY2(findings[1].explanation.contains("Other findings count 990 ms of that."), findings[1].explanation.c_str());
  }

  void coldStartIsFoundBesideASlowPassInTheSameFunctions() {
    Scene scene;
    slowPassInEachStart(scene, 8, 400 * kMs);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("slow-phase cold-start"));
    QCOMPARE(findings[0].costNs, 8 * 240 * kMs);
    QCOMPARE(findings[1].costNs, 8 * 160 * kMs);
  }

  void aBenchmarkAfterAStormDoesNotHideIt() {
    Scene scene;
    storm(scene, 12);
    warmLeg(scene, 1, 12, 1000);
    QCOMPARE(kindsOf(findingsOf(scene)), std::string("storm"));
  }

  void callsAfterAStormThatOtherFunctionsMakeInABenchmarkDoNotHideIt() {
    Scene scene;
    storm(scene, 12);
    const std::uint32_t other = scene.function("other", 30);
    warmLeg(scene, other, scene.entry(other, "f32[8]"), 1000);
    QCOMPARE(kindsOf(findingsOf(scene)), std::string("storm"));
  }

  void theTitleOfAStormCountsTheCompilesOnItsRows() {
    Scene scene;
    storm(scene, 12);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().rows.compiles.size(), std::size_t{11});
    QVERIFY2(findings.front().title.contains("compiled again 11 times"), findings.front().title.c_str());
    QVERIFY2(findings.front().explanation.contains("These compiles took 220 ms, after 20.0 ms for the first one"),
             findings.front().explanation.c_str());
  }

  void waitingInABenchmarkIsIntended_data() {
    QTest::addColumn<event::Leg>("leg");
    QTest::newRow("cold") << event::Leg::Cold;
    QTest::newRow("warm") << event::Leg::Warm;
  }
  void waitingInABenchmarkIsIntended() {
    QFETCH(const event::Leg, leg);
    Scene scene;
    const std::uint32_t function = scene.function("shared", 5);
    const std::uint32_t entry = scene.entry(function, "f32[64]");
    scene.add(event::BenchCaseEvent{base::CaseId(1), 1, "shared", "", base::FunctionId(function), 0, kMs, 4});
    scene.miss(entry, MissReason::NewFunction, 100 * kMs);
    scene.latestCall() = asSample(scene.latestCall(), 1, leg);
    for (std::uint32_t i = 1; i < 4; ++i) {
      event::CallEvent &call = scene.call(entry, Outcome::Wait, 0, kMs);
      call = asSample(call, 1, leg);
      call.waitNs = 90 * kMs;
      call.thread = i;
    }
    QCOMPARE(kindsOf(findingsOf(scene)), std::string());
  }

  void waitingForACompileThatAnotherFindingCountsIsPartOfThat() {
    Scene scene;
    storm(scene, 12);
    event::CallEvent &call = scene.call(12, Outcome::Wait, 0, kMs);
    call.startNs -= 15 * kMs;
    call.waitNs = 14 * kMs;
    call.thread = 1;
    QCOMPARE(kindsOf(findingsOf(scene)), std::string("storm"));
  }

  void aSlowPhaseDoesNotCountColdLegs() {
    Scene scene;
    slowTrace(scene, 1000 * kMs);
    scene.add(event::BenchCaseEvent{base::CaseId(1), 1, "dot", "", base::FunctionId(1), 0, kMs, 1});
    for (int i = 0; i < 3; ++i) {
      event::CompileEvent &compile = scene.miss(1, MissReason::Cleared, 1100 * kMs);
      compile.traceNs = 1000 * kMs;
      compile.lowerNs = compile.optimizeNs = compile.codegenNs = 30 * kMs;
      compile.process = 1;
      scene.latestCall() = asSample(scene.latestCall(), 1, event::Leg::Cold, 1);
    }
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("slow-phase"));
    QCOMPARE(findings.front().costNs, 1000 * kMs);
    QCOMPARE(findings.front().rows.compiles.size(), std::size_t{1});
  }

  void aSmallCachePromisesNoMoreThanTheCallsThatItsCapacityServes() {
    Scene scene;
    evictions(scene, 3);
    // Compiled ahead of time and evicted before its first call: nobody knows how long it would have had to be held.
    scene.miss(scene.entry(1, "f32[256]"), MissReason::Evicted, 50 * kMs);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("small-cache"));
    QCOMPARE(findings.front().costNs, 170 * kMs);
    QCOMPARE(findings.front().effect,
             std::string("A cache of that capacity would have held what 6 of these 7 calls needed: 120 ms saved."));
  }

  void threadsWithADtypeEachAlternateInNeither() {
    Scene apart;
    twoThreads(apart, false);
    QCOMPARE(kindsOf(findingsOf(apart)), std::string());
    Scene mixed;
    twoThreads(mixed, true);
    QCOMPARE(kindsOf(findingsOf(mixed)), std::string("flip-flop"));
  }

  void aStaleCaptureStandsOnTheFunctionThatWasCalled() {
    Scene scene;
    const std::uint32_t first = scene.entry(scene.function("step", 4), "f32[64]");
    const std::uint32_t second = scene.entry(scene.function("step", 14), "f32[64]");
    scene.miss(first, MissReason::NewFunction, 2 * kMs);
    scene.miss(second, MissReason::NewFunction, 2 * kMs);
    scene.hits(first, 3);
    scene.add(event::LogEvent{scene.nowNs(), event::LogLevel::Warning,
                              event::staleCaptureMessage({"matmul.lua:33: ", "step", "scale = 2 (now 3)", "scale"})});
    scene.pass(kMs);
    scene.hits(second, 3);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("stale-capture"));
    QCOMPARE(findings.front().rows.functions, std::vector{base::FunctionId(1)});
  }

  void legsOfACaseShareAFinding() {
    Scene scene;
    benchmark(scene, Samples::Spiky, {event::Leg::Cold, event::Leg::Warm});
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().title, std::string("Outliers make average and deviation of kernel (cold, warm) meaningless"));
    QCOMPARE(findings.front().rows.cases, std::vector{base::CaseId(1)});
  }

private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestFindingCosts)
#include "tst_finding_costs.moc"
