// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/findings.h"

#include "base/units.h"
#include "event/stale_capture.h"
#include "support/result_checks.h"
#include "support/sessions/scene.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace jitscope;
using analysis::Finding;
using analysis::FindingKind;
using namespace jitscope::test;

namespace {

void alternating(Scene &scene, int rounds, bool isPhased) {
  const std::uint32_t function = scene.function("scale", 3);
  const std::uint32_t single = scene.entry(function, "f32[64]");
  const std::uint32_t wide = scene.entry(function, "f64[64]");
  scene.miss(single, MissReason::NewFunction, 40 * kMs);
  if (isPhased) {
    scene.hits(single, rounds);
  }
  scene.miss(wide, MissReason::NewDtype, 40 * kMs);
  for (int i = 0; i < rounds; ++i) {
    scene.hit(isPhased ? wide : single);
    scene.hit(wide);
  }
}

void aheadOfTime(Scene &scene, bool isCalled) {
  const std::uint32_t entry = scene.entry(scene.function("prepared", 2), "f32[64]");
  scene.pass(60 * kMs);
  scene.compile(entry, MissReason::NewFunction, 50 * kMs, 0);
  if (isCalled) {
    scene.hits(entry, 3);
  } else {
    const std::uint32_t other = scene.entry(scene.function("other", 3), "f32[64]");
    scene.miss(other, MissReason::NewFunction, 5 * kMs);
  }
}

void disk(Scene &scene, MissReason reason) {
  const std::uint32_t entry = scene.entry(scene.function("model", 12), "f32[64]");
  scene.miss(entry, reason, 80 * kMs).difference = "cpu: znver3 -> skylake";
  scene.hits(entry, 50);
}

void scalarLoop(Scene &scene, event::LoopState state, std::uint64_t executeNs) {
  const std::uint32_t entry = scene.entry(scene.function("recurrence", 21), "f32[64]");
  event::CompileEvent &compile = scene.miss(entry, MissReason::NewFunction, 8 * kMs);
  event::LoopResult loop;
  loop.functionId = base::FunctionId(1);
  loop.holderId = base::FunctionId(1);
  loop.unitId = base::FunctionId(1);
  loop.symbol = "recurrence";
  loop.stage = event::Stage::Module;
  loop.file = "/home/user/matmul.lua";
  loop.line = 23;
  loop.state = state;
  loop.pass = "loop-vectorize";
  loop.width = state == event::LoopState::Vectorized ? 4 : 0;
  loop.reasonName = "CantReorderFPOps";
  loop.reason = "loop not vectorized: cannot prove it is safe to reorder floating-point operations";
  compile.loops = {loop};
  compile.hasLoops = true;
  scene.hits(entry, 20, executeNs);
}

void repeatedWork(Scene &scene, std::uint64_t repeatNs) {
  const std::uint32_t function = scene.function("outer", 31);
  const std::uint32_t entry = scene.entry(function, "f32[64]");
  event::CompileEvent &compile = scene.miss(entry, MissReason::NewFunction, 200 * kMs);
  compile.pipeline = "per-function";
  compile.lowerNs = 40 * kMs;
  compile.optimizeNs = 60 * kMs;
  compile.work = {{base::FunctionId(function), 3, 2, 3, 0, 60 * kMs, 40 * kMs, 2048, repeatNs / 2, repeatNs / 2, 1024}};
  scene.hits(entry, 100, 10 * kMs);
}

/// A benchmark of one function over many sizes: each case compiles once, as it was asked to.
void sweep(Scene &scene, int count) {
  const std::uint32_t function = scene.function("kernel", 50);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t entry = scene.entry(function, sizes(16 << i));
    const auto caseId = static_cast<std::uint32_t>(i + 1);
    scene.add(event::BenchCaseEvent{base::CaseId(caseId), 1, "kernel", sizes(16 << i), base::FunctionId(function), 0, kMs, 1});
    scene.miss(entry, i == 0 ? MissReason::NewFunction : MissReason::NewShape);
    scene.latestCall().caseId = base::CaseId(caseId);
    scene.latestCall().leg = event::Leg::Warm;
    scene.latestCall().phase = event::CallPhase::Warmup;
  }
}

using Play = std::function<void(Scene &)>;

} // namespace

Q_DECLARE_METATYPE(Play)

class TestFindings : public QObject {
  Q_OBJECT

private:
  std::vector<Finding> findingsOf(const Scene &scene) {
    return test::findingsOf(scene, std::filesystem::path(m_folder.path().toStdString()));
  }

private Q_SLOTS:
  void aPlantedProblemIsTheFirstFinding_data() {
    QTest::addColumn<Play>("play");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("line");
    QTest::addColumn<double>("milliseconds");
    QTest::addColumn<QString>("title");
    QTest::newRow("storm of shapes")
        << Play([](Scene &s) { storm(s, 12); }) << "storm" << 4 << 220.0
        << "step was compiled again 11 times for 12 calls: dimension 0 of argument 0 took 12 sizes, 17 to 28";
    QTest::newRow("made anew") << Play([](Scene &s) { madeAnew(s, 20, true); }) << "made-anew" << 7 << 380.0
                               << "layer is made anew: 20 functions of that name were made at line 7 and called 20 times";
    QTest::newRow("small cache") << Play([](Scene &s) { evictions(s, 3); }) << "small-cache" << 8 << 120.0
                                 << "The cache is too small: energy was evicted and compiled again 6 times";
    QTest::newRow("flip-flop") << Play([](Scene &s) { alternating(s, 10, false); }) << "flip-flop" << 3 << 40.0
                               << "scale alternates between f32 and f64 in argument 0";
    QTest::newRow("waiting") << Play([](Scene &s) { waiting(s, 3, 90 * kMs); }) << "waiting" << 5 << 90.0
                             << "3 threads waited for one compile of shared by another thread";
    QTest::newRow("never used") << Play([](Scene &s) { aheadOfTime(s, false); }) << "never-paid-back" << 2 << 50.0
                                << "prepared was compiled ahead of time for 1 template that no call used";
    QTest::newRow("called once each") << Play([](Scene &s) {
      for (int i = 0; i < 10; ++i) {
        s.miss(s.entry(s.function("part " + std::to_string(i), 60 + i), "f32[64]"), MissReason::NewFunction);
      }
    }) << "never-paid-back" << 60 << 50.0
                                      << "10 functions were compiled for 10 calls in all and never paid that back";
    QTest::newRow("disk, other target") << Play([](Scene &s) { disk(s, MissReason::DiskOtherTarget); }) << "disk-cache" << 12
                                        << 40.0 << "The disk cache could not serve 1 compile: its code is for another target";
    QTest::newRow("disk, damaged") << Play([](Scene &s) { disk(s, MissReason::DiskCorrupt); }) << "disk-cache" << 12 << 40.0
                                   << "The disk cache could not serve 1 compile: its files could not be used";
    QTest::newRow("slow trace") << Play([](Scene &s) { slowTrace(s, 1000 * kMs); }) << "slow-phase" << 15 << 1000.0
                                << "Tracing dot takes 1.00 s of its compile";
    QTest::newRow("slow pass") << Play([](Scene &s) { slowPass(s, "slp-vectorizer", 348 * kMs); }) << "slow-phase" << 9 << 348.0
                               << "The pass slp-vectorizer takes 87.0 % of compile time";
    QTest::newRow("scalar loop") << Play([](Scene &s) { scalarLoop(s, event::LoopState::Scalar, 50 * kMs); }) << "scalar-loop" << 23
                                 << 500.001 << "recurrence ran for 1.00 s with a loop that stayed scalar";
    QTest::newRow("redundant work") << Play([](Scene &s) { repeatedWork(s, 60 * kMs); }) << "redundant-work" << 31 << 60.0
                                    << "Redundant work takes 30.0 % of compile time with the pipeline per-function";
    QTest::newRow("cold start") << Play([](Scene &s) { coldStart(s, 4, 300 * kMs); }) << "cold-start" << 40 << 1200.0
                                << "First calls waited for 4 compiles of 4 functions";
    QTest::newRow("no steady state") << Play([](Scene &s) { benchmark(s, Samples::Stepped); }) << "measurement" << 50 << 0.0
                                     << "kernel (warm) never reached a steady state";
    QTest::newRow("outliers") << Play([](Scene &s) { benchmark(s, Samples::Spiky); }) << "measurement" << 50 << 0.0
                              << "Outliers make average and deviation of kernel (warm) meaningless";
    QTest::newRow("near the clock's step") << Play([](Scene &s) { benchmark(s, Samples::Short); }) << "measurement" << 50 << 0.0
                                           << "The samples of kernel (warm) are near the clock's step";
  }
  void aPlantedProblemIsTheFirstFinding() {
    QFETCH(const Play, play);
    QFETCH(const double, milliseconds);
    Scene scene;
    play(scene);
    const std::vector<Finding> findings = findingsOf(scene);
    QVERIFY(!findings.empty());
    const Finding &first = findings.front();
    QTEST(QString::fromStdString(std::string(nameOf(first.kind))), "kind");
    QTEST(QString::fromStdString(first.title), "title");
    QTEST(first.line, "line");
    QCOMPARE(static_cast<double>(first.costNs) / 1e6, milliseconds);
    QCOMPARE(first.share, base::shareOf(first.costNs, scene.nowNs()));
    QCOMPARE(first.file, std::string("/home/user/matmul.lua"));
    QVERIFY(!first.explanation.empty() && first.explanation.ends_with('.'));
    QVERIFY(!first.remedy.empty() && first.remedy.ends_with('.'));
    QVERIFY(!first.rows.functions.empty() || !first.rows.compiles.empty());
    QCOMPARE(kindsOf(findings), std::string(nameOf(first.kind)));
  }

  void aNearMissIsNotReported_data() {
    QTest::addColumn<Play>("play");
    QTest::newRow("three sizes are no storm") << Play([](Scene &s) { storm(s, 3); });
    QTest::newRow("sizes that settle after a warm-up") << Play([](Scene &s) {
      storm(s, 8);
      s.hits(1, 40);
    });
    QTest::newRow("a sweep of sizes in a benchmark") << Play([](Scene &s) { sweep(s, 8); });
    QTest::newRow("set-up by eager operations") << Play([](Scene &s) {
      const std::uint32_t make = s.function("normal", 0, true);
      for (int i = 0; i < 12; ++i) {
        s.miss(s.entry(make, "{shape={" + std::to_string(i) + "}}"), i == 0 ? MissReason::NewFunction : MissReason::StaticValue);
      }
      const std::uint32_t entry = s.entry(s.function("train", 9), "f32[64]");
      s.miss(entry, MissReason::NewFunction, 5 * kMs);
      s.hits(entry, 30);
    });
    QTest::newRow("set-up by a function, once for each layer") << Play([](Scene &s) {
      storm(s, 8, "initialize");
      const std::uint32_t entry = s.entry(s.function("train", 9), "f32[64]");
      s.miss(entry, MissReason::NewFunction, 5 * kMs);
      s.hits(entry, 200);
    });
    QTest::newRow("layers that are kept and called in turn") << Play([](Scene &s) { madeAnew(s, 12, false); });
    QTest::newRow("three functions of one name") << Play([](Scene &s) { madeAnew(s, 3, true); });
    QTest::newRow("one eviction") << Play([](Scene &s) {
      const std::uint32_t entry = s.entry(s.function("f", 3), "f32[8]");
      s.miss(entry, MissReason::NewFunction);
      s.miss(entry, MissReason::Evicted);
    });
    QTest::newRow("two dtypes, one after the other") << Play([](Scene &s) { alternating(s, 10, true); });
    QTest::newRow("a wait that nobody notices") << Play([](Scene &s) { waiting(s, 2, kMs / 2); });
    QTest::newRow("compiled ahead of time and called") << Play([](Scene &s) { aheadOfTime(s, true); });
    QTest::newRow("a trace as it should be") << Play([](Scene &s) { slowTrace(s, 20 * kMs); });
    QTest::newRow("a pass that takes a third") << Play([](Scene &s) { slowPass(s, "slp-vectorizer", 130 * kMs); });
    QTest::newRow("a vectorized loop") << Play([](Scene &s) { scalarLoop(s, event::LoopState::Vectorized, 50 * kMs); });
    QTest::newRow("a scalar loop that takes no time") << Play([](Scene &s) { scalarLoop(s, event::LoopState::Scalar, kMs / 10); });
    QTest::newRow("a few repeats") << Play([](Scene &s) { repeatedWork(s, 10 * kMs); });
    QTest::newRow("a start within a second") << Play([](Scene &s) { coldStart(s, 3, 200 * kMs); });
    QTest::newRow("a steady benchmark") << Play([](Scene &s) { benchmark(s, Samples::Steady); });
    QTest::newRow("a benchmark with one long sample") << Play([](Scene &s) { benchmark(s, Samples::Hiccup); });
    QTest::newRow("three compiles and no recompile") << Play([](Scene &s) { coldStart(s, 3, 20 * kMs); });
    QTest::newRow("no calls") << Play([](Scene &) {});
  }
  void aNearMissIsNotReported() {
    QFETCH(const Play, play);
    Scene scene;
    play(scene);
    const std::vector<Finding> findings = findingsOf(scene);
    QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().title.c_str());
  }

  /// An eager operation cannot take its shape as a tensor.
  void shapesOfEagerOperationsAreNotAdvisedToBecomeTensors() {
    Scene scene;
    const std::uint32_t function = scene.function("ones", 0, true);
    for (int i = 1; i <= 12; ++i) {
      scene.miss(scene.entry(function, "{dtype=\"f32\",shape={" + std::to_string(i) + "}}"),
                 i == 1 ? MissReason::NewFunction : MissReason::StaticValue);
    }
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{1});
    QVERIFY(findings[0].kind == FindingKind::Storm);
    QVERIFY2(findings[0].remedy.starts_with("Use fewer different values"), findings[0].remedy.c_str());
    QVERIFY2(findings[0].remedy.find("tensor") == std::string::npos, findings[0].remedy.c_str());
  }

  void problemsAreRankedByTheTimeTheyCost() {
    Scene scene;
    slowTrace(scene, 1000 * kMs);
    storm(scene, 8, "storm", 3, 10 * kMs);
    madeAnew(scene, 20, true);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("slow-phase made-anew storm"));
    QVERIFY(std::ranges::is_sorted(findings, std::ranges::greater{}, &Finding::costNs));
  }

  void wrongResultsComeBeforeLostTime() {
    Scene scene;
    storm(scene, 12);
    scene.add(event::LogEvent{kMs, event::LogLevel::Warning,
                              event::staleCaptureMessage({"matmul.lua:33: ", "step", "scale = 2 (now 3)", "scale"})});
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(kindsOf(findings), std::string("stale-capture storm"));
    QCOMPARE(findings.front().line, 33);
    QCOMPARE(findings.front().remedy, std::string("Pass scale as an argument."));
    QCOMPARE(findings.front().title, std::string("step computes with a value that has changed: scale = 2 (now 3)"));
  }

  void otherWarningsAreNoStaleCapture_data() {
    QTest::addColumn<QString>("message");
    for (const char *message : {"", "a still computes with b", "x still computes with : a trace keeps", " as an argument",
                                "disk cache: \"a.o\" is damaged and was removed"}) {
      QTest::newRow(message) << message;
    }
  }
  void otherWarningsAreNoStaleCapture() {
    QFETCH(const QString, message);
    QVERIFY(!event::staleCaptureFrom(message.toStdString()));
  }

  void aStaleCaptureComesBackFromItsMessage() {
    const event::StaleCapture told{"dir: x/s.lua:7: ", "f", "mode = \" still computes with \" (now \"b\")", "mode"};
    const auto read = event::staleCaptureFrom(event::staleCaptureMessage({"s.lua:7: ", "f", told.changes, told.names}));
    QVERIFY(read.has_value());
    QCOMPARE(read->place, std::string("s.lua:7: "));
    QCOMPARE(read->function, std::string("f"));
    QCOMPARE(read->changes, told.changes);
    QCOMPARE(read->names, told.names);
    QCOMPARE(event::lineOfPlace(read->place), 7);
    QCOMPARE(event::lineOfPlace(told.place), 7);
    QCOMPARE(event::lineOfPlace("s.lua"), 0);
  }

  void aSmallCacheNamesTheCapacityThatSuffices() {
    Scene scene;
    evictions(scene, 3);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().remedy, std::string("Raise capacity_entries to 3."));
  }

  void aStormNamesItsRangeAndItsRemedy() {
    Scene scene;
    storm(scene, 12);
    const std::vector<Finding> findings = findingsOf(scene);
    QCOMPARE(findings.size(), std::size_t{1});
    QVERIFY2(findings.front().title.contains("dimension 0 of argument 0 took 12 sizes, 17 to 28"), findings.front().title.c_str());
    QCOMPARE(findings.front().effect, std::string("Of 12 compiles, template=\"rank\" leaves 1 compile and saves about 220 ms and "
                                                  "padding to powers of two leaves 1 compile and saves about 220 ms."));
    QCOMPARE(findings.front().rows.compiles.size(), std::size_t{11});
  }

  void everyKindHasANameOfItsOwn() {
    for (const FindingKind kind : analysis::kFindingKinds) {
      QCOMPARE(analysis::findingKindFromName(nameOf(kind)), std::optional(kind));
      QVERIFY(!meaningOf(kind).empty());
    }
    QVERIFY(!analysis::findingKindFromName("storms"));
  }

private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestFindings)
#include "tst_findings.moc"
