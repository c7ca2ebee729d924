// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/comparison_document.h"
#include <QtTest>

#include "analysis/compare/comparison.h"
#include "analysis/compare/remark_changes.h"
#include "report/comparison_report.h"
#include "report/reporter.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/measured_sessions.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

using namespace jitscope;
using analysis::Comparison;
using analysis::Verdict;
using test::MeasuredLeg;
using test::MeasuredSession;

namespace {

MeasuredSession twoLegs(std::uint64_t seed, double medianNs = 100'000) {
  MeasuredSession plan;
  plan.seed = seed;
  plan.legs = {{.name = "kernel", .leg = event::Leg::Cold, .medianNs = medianNs, .compiles = true},
               {.name = "kernel", .leg = event::Leg::Warm, .medianNs = medianNs}};
  return plan;
}

} // namespace

class TestComparison : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;

  [[nodiscard]] std::string path(const char *name) const { return m_folder->filePath(name).toStdString(); }

  base::Result<Comparison> compare(const MeasuredSession &base, const MeasuredSession &contender,
                                   const analysis::CompareOptions &options = {}) {
    m_folder = std::make_unique<QTemporaryDir>();
    for (const auto &[name, plan] : {std::pair("base.jitscope", &base), std::pair("contender.jitscope", &contender)}) {
      if (base::Result<void> written = test::writeMeasured(path(name), *plan); !written) {
        return std::unexpected(written.error());
      }
    }
    const auto baseReader = session::SessionReader::open(path("base.jitscope"));
    const auto contenderReader = session::SessionReader::open(path("contender.jitscope"));
    if (!baseReader || !contenderReader) {
      return std::unexpected((baseReader ? contenderReader : baseReader).error());
    }
    return analysis::compareSessions(**baseReader, **contenderReader, options);
  }

private Q_SLOTS:
  void anotherRunOfTheSameIsEqual() {
    // Twenty runs that differ by chance alone: none may fail.
    for (std::uint64_t seed = 2; seed < 22; ++seed) {
      const base::Result<Comparison> comparison = compare(twoLegs(1), twoLegs(seed));
      JS_VERIFY_RESULT(comparison);
      QCOMPARE(comparison->legs.size(), std::size_t{2});
      QVERIFY(!comparison->hasRegressed());
      QVERIFY(comparison->isSufficient());
      QCOMPARE(comparison->legVerdicts().equal, std::size_t{2});
    }
  }

  void aFifthSlowerIsARegression() {
    const base::Result<Comparison> comparison = compare(twoLegs(1), twoLegs(2, 120'000));
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->hasRegressed());
    QCOMPARE(comparison->legVerdicts().slower, std::size_t{2});
    QCOMPARE(comparison->countsWith(Verdict::Worse), std::size_t{0});
    for (const analysis::LegComparison &leg : comparison->legs) {
      QVERIFY(leg.change() > 0.18 && leg.change() < 0.22);
      QVERIFY(leg.shift->ratioInterval.contains(1.2));
      QVERIFY(leg.adjustedPValue < 1e-6);
      QVERIFY(leg.adjustedPValue >= leg.pValue);
    }
    QCOMPARE(QString::fromStdString(report::comparisonVerdict(*comparison)), "Regression: 2 of 2 legs slower");
  }

  void aFifthFasterIsNone() {
    const base::Result<Comparison> comparison = compare(twoLegs(1, 120'000), twoLegs(2));
    JS_VERIFY_RESULT(comparison);
    QVERIFY(!comparison->hasRegressed());
    QCOMPARE(comparison->legVerdicts().faster, std::size_t{2});
  }

  void theThresholdDecidesWhatCounts() {
    const MeasuredSession slower = twoLegs(2, 108'000);
    QVERIFY(compare(twoLegs(1), slower)->hasRegressed());
    const base::Result<Comparison> wide = compare(twoLegs(1), slower, {.threshold = 0.15});
    QVERIFY(!wide->hasRegressed() && wide->isSufficient());
    QCOMPARE(wide->legVerdicts().equal, std::size_t{2});
  }

  /// A base whose two processes disagree by a tenth cannot tell a twelfth.
  void whatTheBaseItselfDoesCannotBeTold() {
    MeasuredSession noisy = twoLegs(1);
    noisy.legs[1].medianNs = 110'000;
    const base::Result<Comparison> comparison = compare(noisy, twoLegs(2, 108'000));
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->legs[0].noise > 0.08);
    QVERIFY(!comparison->hasRegressed());
    QCOMPARE(comparison->legs[0].verdict, Verdict::CannotTell);
    QCOMPARE(comparison->legs[0].doubt, analysis::Doubt::Noise);
    // Over the threshold, it must not pass.
    QVERIFY(!comparison->isSufficient());
    QCOMPARE(comparison->possiblySlower().size(), std::size_t{1});
    QVERIFY2(comparison->doubts().front().starts_with("kernel, cold: +7.9 % is"), comparison->doubts().front().c_str());
    QVERIFY2(comparison->doubts().front().find("within the noise of the base, ±") != std::string::npos,
             comparison->doubts().front().c_str());
  }

  /// Two thirds slower, where the base's own processes are almost as far apart: neither alike nor a regression, in any format.
  void whatCannotBeToldIsCalledThatInEveryFormat() {
    MeasuredSession noisy = twoLegs(1);
    noisy.legs[1].medianNs = 173'000;
    MeasuredSession contender = twoLegs(2, 169'600);
    contender.legs[1].medianNs = 173'000;
    const base::Result<Comparison> comparison = compare(noisy, contender);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->legs[0].change() > 0.65 && comparison->legs[0].adjustedPValue < 0.001 && comparison->legs[0].noise > 0.7);
    QCOMPARE(comparison->legs[0].verdict, Verdict::CannotTell);
    QCOMPARE(comparison->legs[1].verdict, Verdict::Equal);
    const std::string verdict = report::comparisonVerdict(*comparison);
    QVERIFY2(verdict.starts_with("Cannot tell: 1 leg may be slower; 0 of 2 legs slower, 1 equal, 1 cannot tell (noise ±7"),
             verdict.c_str());
    for (const std::string_view format : report::comparisonFormats()) {
      const std::string text = *report::renderComparison(*comparison, format, {});
      QVERIFY2(text.find("annot tell: 1 leg may be slower") != std::string::npos, text.c_str());
      QVERIFY2(text.find("alike") == std::string::npos, text.c_str());
      QVERIFY2(text.find("is within the noise of the base, ±7") != std::string::npos, text.c_str());
    }
    const nlohmann::json json = nlohmann::json::parse(*report::renderComparison(*comparison, "json", {}));
    QCOMPARE(json["cases"][0]["verdict"].get<std::string>(), std::string("cannot tell"));
    QCOMPARE(json["cases"][0]["doubt"].get<std::string>(), std::string("noise"));
    QCOMPARE(json["cases"][1]["verdict"].get<std::string>(), std::string("equal"));
    QVERIFY(json["cases"][1]["doubt"].is_null());
    QVERIFY(!json["sufficient"].get<bool>() && !json["regressed"].get<bool>());
    QCOMPARE(json["legs"]["cannot_tell"].get<int>(), 1);
  }

  void aChangeThatMayBeChanceCannotBeTold() {
    MeasuredSession base = twoLegs(1);
    MeasuredSession contender = twoLegs(5, 115'000);
    for (MeasuredSession *plan : {&base, &contender}) {
      plan->legs.resize(1);
      plan->legs[0].samples = 8;
      plan->legs[0].spread = 0.8;
    }
    const base::Result<Comparison> comparison = compare(base, contender);
    JS_VERIFY_RESULT(comparison);
    const analysis::LegComparison &leg = comparison->legs[0];
    QVERIFY(leg.adjustedPValue > 0.05);
    QCOMPARE(leg.verdict, Verdict::CannotTell);
    QCOMPARE(comparison->isSufficient(), leg.contenderMedianNs <= leg.baseMedianNs * 1.05);
  }

  /// The medians are close, and the samples too few to say that they are within the threshold: no regression, and not equal.
  void aWideIntervalIsNotEqual() {
    MeasuredSession base = twoLegs(1);
    base.legs.resize(1);
    base.legs[0].samples = 40;
    base.legs[0].spread = 0.3;
    bool isSeen = false;
    for (std::uint64_t seed = 2; seed < 40 && !isSeen; ++seed) {
      MeasuredSession contender = base;
      contender.seed = seed;
      const base::Result<Comparison> comparison = compare(base, contender);
      JS_VERIFY_RESULT(comparison);
      const analysis::LegComparison &leg = comparison->legs[0];
      isSeen = std::abs(leg.change()) < 0.04;
      if (isSeen) {
        QCOMPARE(leg.verdict, Verdict::CannotTell);
        QCOMPARE(leg.doubt, analysis::Doubt::WideInterval);
        QVERIFY(comparison->isSufficient() && !comparison->hasRegressed());
        const std::string verdict = report::comparisonVerdict(*comparison);
        QVERIFY2(verdict.starts_with("No regression: 0 of 1 leg slower, 1 cannot tell (noise ±"), verdict.c_str());
      }
    }
    QVERIFY(isSeen);
  }

  void aSessionAndItsCopyAreEqual_data() {
    QTest::addColumn<std::size_t>("samples");
    QTest::addColumn<double>("spread");
    QTest::addColumn<record::SessionStatus>("status");
    QTest::newRow("many samples") << std::size_t{200} << 0.02 << record::SessionStatus::Finished;
    QTest::newRow("a wide spread") << std::size_t{20} << 0.9 << record::SessionStatus::Finished;
    QTest::newRow("one sample") << std::size_t{1} << 0.02 << record::SessionStatus::Finished;
    QTest::newRow("a run that failed") << std::size_t{50} << 0.02 << record::SessionStatus::Failed;
  }
  void aSessionAndItsCopyAreEqual() {
    QFETCH(std::size_t, samples);
    QFETCH(double, spread);
    QFETCH(record::SessionStatus, status);
    MeasuredSession plan = twoLegs(1);
    plan.info.uuid = "123e4567-e89b-42d3-a456-426614174999";
    plan.end.status = status;
    for (MeasuredLeg &leg : plan.legs) {
      leg.samples = samples;
      leg.spread = spread;
    }
    const base::Result<Comparison> comparison = compare(plan, plan);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->isCopy);
    QCOMPARE(comparison->legVerdicts().equal, std::size_t{2});
    QVERIFY(comparison->isSufficient() && !comparison->hasRegressed());
    // Without a benchmark there are the counts.
    plan.legs.clear();
    const base::Result<Comparison> counts = compare(plan, plan);
    QVERIFY(counts->isSufficient());
    QCOMPARE(report::comparisonVerdict(*counts), std::string("No regression: the counts are equal or better"));
  }

  void aGainIsSeenThroughNoiseOfMoreThanAllOfIt() {
    MeasuredSession noisy = twoLegs(1, 2'000'000);
    noisy.legs[1].medianNs = 4'100'000;
    const base::Result<Comparison> gain = compare(noisy, twoLegs(2));
    JS_VERIFY_RESULT(gain);
    QVERIFY(gain->legs[0].noise > 1 && gain->legs[0].change() > -1);
    QCOMPARE(gain->legVerdicts().faster, std::size_t{2});
  }

  /// Both legs call the same code: what only one of them has is the machine's.
  void whatOnlyOneLegOfACaseHasCannotBeTold() {
    MeasuredSession oneLeg = twoLegs(2);
    oneLeg.legs[1].medianNs = 120'000;
    const base::Result<Comparison> comparison = compare(twoLegs(1), oneLeg);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->legs[0].verdict, Verdict::Equal);
    QCOMPARE(comparison->legs[1].verdict, Verdict::CannotTell);
    QCOMPARE(comparison->legs[1].doubt, analysis::Doubt::OtherLeg);
    QVERIFY(!comparison->hasRegressed() && !comparison->isSufficient());
    // Where there is no other leg, or it cannot tell, the one decides.
    MeasuredSession warmBase = twoLegs(1);
    warmBase.legs.erase(warmBase.legs.begin());
    oneLeg.legs.erase(oneLeg.legs.begin());
    QVERIFY(compare(warmBase, oneLeg)->hasRegressed());
    MeasuredSession shortCold = twoLegs(2, 120'000);
    shortCold.legs[0].samples = 2;
    QVERIFY(compare(twoLegs(1), shortCold)->hasRegressed());
  }

  void theLastMeasurementDecidesUnlessItIsSlowerEachTime() {
    base::Result<Comparison> first = compare(twoLegs(1), twoLegs(2, 120'000));
    JS_VERIFY_RESULT(first);
    Comparison confirmed = *first;
    confirmed.confirmBy(*compare(twoLegs(1), twoLegs(3, 121'000)));
    QCOMPARE(confirmed.legVerdicts().slower, std::size_t{2});
    first->confirmBy(*compare(twoLegs(1), twoLegs(3)));
    QCOMPARE(first->legVerdicts().equal, std::size_t{2});
    QVERIFY(!first->hasRegressed() && first->isSufficient());
    QVERIFY(std::abs(first->legs[0].change()) < 0.02 && *first->legs[0].firstChange > 0.18);
    const std::string text = *report::renderComparison(*first, "markdown", {});
    QVERIFY2(text.find("measured again; the first measurement gave") != std::string::npos, text.c_str());
    // What was not slower at first and is so later cannot be told.
    MeasuredSession noisy = twoLegs(1);
    noisy.legs[1].medianNs = 110'000;
    Comparison doubtful = *compare(noisy, twoLegs(2, 108'000));
    doubtful.confirmBy(*compare(twoLegs(1), twoLegs(3, 121'000)));
    QCOMPARE(doubtful.legs[0].doubt, analysis::Doubt::NotRepeated);
    QVERIFY(!doubtful.isSufficient() && !doubtful.hasRegressed());
  }

  void compilesDoNotCountAsTimes() {
    MeasuredSession base = twoLegs(1);
    MeasuredSession contender = twoLegs(2);
    base.legs.resize(1);
    contender.legs.resize(1);
    base.legs[0].compiles = false; // its first sample hit, the contender's missed: a thousand times longer, once
    const base::Result<Comparison> comparison = compare(base, contender);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->legs[0].verdict, Verdict::Equal);
    QCOMPARE(comparison->legs[0].baseCompileNs, 0.0);
    QVERIFY(comparison->legs[0].contenderCompileNs > 5e6);
    QCOMPARE(comparison->legs[0].contenderSamples, std::size_t{200});
  }

  void oneMoreTemplateFailsTheCountsAndNothingElse() {
    MeasuredSession contender = twoLegs(2);
    contender.moreTemplates = 1;
    const base::Result<Comparison> comparison = compare(twoLegs(1), contender);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->hasRegressed());
    QCOMPARE(comparison->legVerdicts().slower, std::size_t{0});
    QStringList worse;
    for (const analysis::CountComparison &count : comparison->counts) {
      if (count.verdict == Verdict::Worse) {
        worse += QString("%1 of '%2': %3 -> %4")
                     .arg(QString::fromStdString(std::string(nameOf(count.key.count))), QString::fromStdString(count.key.function))
                     .arg(*count.base)
                     .arg(*count.contender);
      }
    }
    QCOMPARE(worse.join("; "), "compiles of '': 1 -> 2; calls that compiled of '': 1 -> 2; compiles of 'kernel': 1 -> 2; "
                               "templates of 'kernel': 1 -> 2");
    // The other way round there is less of everything, which is fine.
    const base::Result<Comparison> back = compare(contender, twoLegs(1));
    JS_VERIFY_RESULT(back);
    QVERIFY(!back->hasRegressed());
    QVERIFY(back->countsWith(Verdict::Better) > 0);
  }

  void whatOneSideDidNotRecordIsNeitherNewNorGone() {
    MeasuredSession plan = twoLegs(1);
    const auto write = [&](const char *name, const char *remarks, bool hasRemark, bool hasLoops) {
      plan.info.options = std::string(R"({"pipeline":"deferred","remarks":")") + remarks + "\"}";
      test::Recording recording = test::MeasuredRecording(plan).take();
      for (event::Event &entry : recording.events) {
        if (auto *compile = std::get_if<event::CompileEvent>(&entry)) {
          compile->hasLoops = std::string_view(remarks) != "off";
          if (hasLoops) {
            compile->loops.push_back({.functionId = base::FunctionId(1),
                                      .holderId = base::FunctionId(1),
                                      .unitId = base::FunctionId(1),
                                      .symbol = "kernel",
                                      .stage = event::Stage::Module,
                                      .file = {},
                                      .line = 4,
                                      .state = event::LoopState::Vectorized,
                                      .pass = "loop-vectorize",
                                      .width = 8,
                                      .reasonName = {},
                                      .reason = {},
                                      .instruction = {}});
          }
          event::Remark remark;
          remark.kind = event::RemarkKind::Passed;
          remark.functionId = base::FunctionId(1);
          remark.line = 4;
          remark.pass = "loop-vectorize";
          remark.name = "Vectorized";
          remark.message = "vectorized loop (width: 8)";
          if (hasLoops) {
            compile->remarks.push_back(remark);
          }
          remark.pass = "inline";
          remark.name = "Inlined";
          remark.message = "inlined";
          if (hasRemark) {
            compile->remarks.push_back(remark);
          }
        }
      }
      return test::writeSession(path(name), recording, plan.end, plan.info);
    };
    m_folder = std::make_unique<QTemporaryDir>();
    JS_VERIFY_RESULT(write("off.jitscope", "off", false, false));
    JS_VERIFY_RESULT(write("inline.jitscope", "inline", true, false));
    JS_VERIFY_RESULT(write("all.jitscope", "all", true, true));
    JS_VERIFY_RESULT(write("lost.jitscope", "all", true, false));
    JS_VERIFY_RESULT(write("none.jitscope", "all", false, false));
    const auto changes = [this](const char *base, const char *contender) {
      const auto left = session::SessionReader::open(path(base));
      const auto right = session::SessionReader::open(path(contender));
      QStringList said;
      const std::vector<analysis::RemarkChange> all = *analysis::readRemarkChanges(**left, **right);
      for (const analysis::RemarkChange &change : all) {
        said += QString::fromStdString(change.remark.pass + ": " + std::string(nameOf(change.kind)));
      }
      said.sort();
      return said;
    };
    QCOMPARE(changes("all.jitscope", "all.jitscope"), QStringList());
    QCOMPARE(changes("off.jitscope", "all.jitscope"),
             (QStringList{"inline: not recorded in base", "loop-vectorize: not recorded in base"}));
    QCOMPARE(changes("all.jitscope", "off.jitscope"),
             (QStringList{"inline: not recorded in contender", "loop-vectorize: not recorded in contender"}));
    QCOMPARE(changes("inline.jitscope", "all.jitscope"), QStringList{"loop-vectorize: not recorded in base"});
    QCOMPARE(changes("lost.jitscope", "all.jitscope"), QStringList{"loop-vectorize: new"});
    QCOMPARE(changes("all.jitscope", "lost.jitscope"), QStringList{"loop-vectorize: gone"});
    QCOMPARE(changes("all.jitscope", "none.jitscope"), (QStringList{"inline: gone", "loop-vectorize: gone"}));
    const auto left = session::SessionReader::open(path("all.jitscope"));
    const auto right = session::SessionReader::open(path("off.jitscope"));
    const base::Result<Comparison> comparison = analysis::compareSessions(**left, **right);
    JS_VERIFY_RESULT(comparison);
    const analysis::CountKey loops{analysis::Count::VectorizedLoops, "kernel", false};
    const auto count = std::ranges::find(comparison->counts, loops, &analysis::CountComparison::key);
    QVERIFY(count != comparison->counts.end());
    QCOMPARE(std::string(count->word()), std::string("not recorded in contender"));
    QVERIFY(!comparison->hasRegressed());
  }

  void tooFewSamplesCannotBeTold() {
    MeasuredSession few = twoLegs(2);
    few.legs[1].samples = 5;
    const base::Result<Comparison> comparison = compare(twoLegs(1), few);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->legs[0].verdict, Verdict::Equal);
    QCOMPARE(comparison->legs[1].verdict, Verdict::CannotTell);
    QCOMPARE(comparison->legs[1].doubt, analysis::Doubt::TooFewSamples);
    QVERIFY(!comparison->isSufficient());
    QVERIFY(comparison->insufficient.front().find("5 samples") != std::string::npos);
  }

  void samplesThatAreAllEqualAreCompared() {
    MeasuredSession base = twoLegs(1);
    MeasuredSession contender = twoLegs(2, 130'000);
    for (MeasuredSession *plan : {&base, &contender}) {
      for (MeasuredLeg &leg : plan->legs) {
        leg.spread = 0;
      }
    }
    QVERIFY(!compare(base, base)->hasRegressed());
    QCOMPARE(compare(base, contender)->legVerdicts().slower, std::size_t{2});
  }

  void samplesOfNoTimeCannotBeTold() {
    MeasuredSession base = twoLegs(1);
    base.legs = {{.name = "kernel", .medianNs = 1e-9, .spread = 0}};
    // 100 ns of lookup are in each of the calls; without them nothing is left to compare.
    m_folder = std::make_unique<QTemporaryDir>();
    test::Recording recording = test::MeasuredRecording(base).take();
    for (event::CallEvent &call : recording.calls) {
      call.lookupNs = 0;
    }
    JS_VERIFY_RESULT(test::writeSession(path("zero.jitscope"), recording));
    const auto add = [&recording](std::uint64_t ns) {
      for (event::CallEvent &call : recording.calls) {
        call.executeNs += ns;
      }
    };
    recording.calls.front().executeNs = 1;
    JS_VERIFY_RESULT(test::writeSession(path("other.jitscope"), recording));
    add(1'000'000);
    JS_VERIFY_RESULT(test::writeSession(path("slow.jitscope"), recording));
    const auto left = session::SessionReader::open(path("zero.jitscope"));
    const auto right = session::SessionReader::open(path("other.jitscope"));
    const base::Result<Comparison> comparison = analysis::compareSessions(**left, **right);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->legs[0].verdict, Verdict::CannotTell);
    QCOMPARE(comparison->legs[0].doubt, analysis::Doubt::NoTime);
    QVERIFY(comparison->isSufficient());
    const auto slow = session::SessionReader::open(path("slow.jitscope"));
    QVERIFY(!analysis::compareSessions(**left, **slow)->isSufficient());
  }

  void casesWithoutAMatchAreNamed() {
    MeasuredSession base = twoLegs(1);
    base.legs.push_back({.name = "old", .input = "large"});
    MeasuredSession contender = twoLegs(2);
    contender.legs.push_back({.name = "new"});
    const base::Result<Comparison> comparison = compare(base, contender);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->onlyInBase, std::vector<std::string>{"old [large], warm"});
    QCOMPARE(comparison->onlyInContender, std::vector<std::string>{"new, warm"});
    QVERIFY(comparison->isSufficient());
  }

  void nothingInCommonIsInsufficient() {
    MeasuredSession base;
    base.legs = {{.name = "a"}};
    MeasuredSession contender;
    contender.legs = {{.name = "b"}};
    QVERIFY(!compare(base, contender)->isSufficient());
    MeasuredSession other;
    other.info.uuid = "123e4567-e89b-42d3-a456-426614174999";
    QVERIFY(!compare(MeasuredSession{}, other)->isSufficient());
  }

  void casesOfOneNameAreMatchedInTheirOrder() {
    MeasuredSession base = twoLegs(1);
    base.legs = {{.name = "same", .medianNs = 1000}, {.name = "other"}};
    m_folder = std::make_unique<QTemporaryDir>();
    const auto write = [&](const char *name, double first, double second) {
      MeasuredSession plan;
      plan.legs = {{.name = "same", .medianNs = first}, {.name = "rename me", .medianNs = second}};
      test::Recording recording = test::MeasuredRecording(plan).take();
      for (event::Event &entry : recording.events) {
        if (auto *bench = std::get_if<event::BenchCaseEvent>(&entry); bench != nullptr && bench->name == "rename me") {
          bench->name = "same";
          bench->bench = 2;
        }
      }
      return test::writeSession(path(name), recording);
    };
    JS_VERIFY_RESULT(write("a.jitscope", 1000, 50'000));
    JS_VERIFY_RESULT(write("b.jitscope", 1000, 90'000));
    const auto left = session::SessionReader::open(path("a.jitscope"));
    const auto right = session::SessionReader::open(path("b.jitscope"));
    const base::Result<Comparison> comparison = analysis::compareSessions(**left, **right);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->legs.size(), std::size_t{2});
    QCOMPARE(comparison->legs[0].verdict, Verdict::Equal);
    QCOMPARE(comparison->legs[1].verdict, Verdict::Worse);
  }

  void compileTimesAreHeldAgainstEachOtherByFunctionAndPipeline() {
    m_folder = std::make_unique<QTemporaryDir>();
    struct Compile {
      std::uint32_t templateId;
      const char *pipeline;
      std::uint64_t totalNs;
      std::uint32_t repetition = 0;
      std::uint32_t study = 0;
    };
    const auto write = [this](const char *name, const std::vector<Compile> &compiles) {
      test::Recording recording;
      recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "kernel", 3, false});
      recording.events.emplace_back(event::FunctionEvent{base::FunctionId(2), "other", 5, false});
      for (std::uint32_t i = 1; i <= 3; ++i) {
        recording.events.emplace_back(
            event::TemplateEvent{base::TemplateId(i), base::FunctionId(i == 3 ? 2 : 1), "f32[" + std::to_string(64 * i) + "]"});
      }
      event::StudyEvent study;
      study.id = base::StudyId(1);
      study.functionId = base::FunctionId(1);
      recording.events.emplace_back(study);
      std::uint32_t id = 0;
      for (const Compile &entry : compiles) {
        event::CompileEvent compile = test::makeCompile(id + 1, 0, entry.templateId, id * test::kMs, 0);
        ++id;
        compile.callId = {};
        compile.pipeline = entry.pipeline;
        compile.totalNs = entry.totalNs;
        compile.lowerNs = compile.optimizeNs = compile.codegenNs = compile.linkNs = 0;
        compile.repetition = entry.repetition;
        compile.studyId = base::StudyId(entry.study);
        recording.events.emplace_back(compile);
      }
      return test::writeSession(path(name), recording);
    };
    JS_VERIFY_RESULT(write("base.jitscope", {{1, "deferred", 100},
                                             {1, "deferred", 300},
                                             {1, "deferred", 120},
                                             {1, "separate", 50},
                                             {3, "deferred", 70},
                                             {1, "deferred", 9000, 0, 1},
                                             {1, "deferred", 10, 1, 1},
                                             {1, "deferred", 30, 2, 1}}));
    // The second template, which the base does not have, stays out of it.
    JS_VERIFY_RESULT(write("contender.jitscope",
                           {{1, "deferred", 240}, {2, "deferred", 5000}, {1, "per-function", 60}, {1, "deferred", 40, 0, 1}}));
    const auto left = session::SessionReader::open(path("base.jitscope"));
    const auto right = session::SessionReader::open(path("contender.jitscope"));
    const base::Result<Comparison> comparison = analysis::compareSessions(**left, **right);
    JS_VERIFY_RESULT(comparison);
    const auto row = [&](const char *function, const char *pipeline, std::uint32_t study) {
      const auto found = std::ranges::find(comparison->compiles, analysis::CompileKey{function, false, pipeline, study},
                                           &analysis::CompileComparison::key);
      return found == comparison->compiles.end() ? analysis::CompileComparison{} : *found;
    };
    QCOMPARE(comparison->compiles.size(), std::size_t{5});
    const analysis::CompileComparison deferred = row("kernel", "deferred", 0);
    QCOMPARE(deferred.templates, std::size_t{1});
    QCOMPARE(deferred.baseCompiles, std::size_t{3});
    QCOMPARE(deferred.contenderCompiles, std::size_t{1});
    QCOMPARE(deferred.baseMedianNs, 120.0);
    QCOMPARE(deferred.ratio().value_or(0), 2.0);
    // Of a study the repetitions, and the compile recorded in detail where it has none.
    QCOMPARE(row("kernel", "deferred", 1).baseMedianNs, 20.0);
    QCOMPARE(row("kernel", "deferred", 1).contenderMedianNs, 40.0);
    QVERIFY(!row("kernel", "separate", 0).ratio());
    QCOMPARE(row("kernel", "per-function", 0).baseCompiles, std::size_t{0});
    QCOMPARE(row("other", "deferred", 0).contenderCompiles, std::size_t{0});
    // What took longest comes first.
    QCOMPARE(comparison->compiles.front().key.pipeline, std::string("deferred"));
    QCOMPARE(comparison->compiles.front().key.study, 0U);
    const std::string text = *report::renderComparison(*comparison, "markdown", {});
    QVERIFY2(text.find("## Compile times") != std::string::npos, text.c_str());
    QVERIFY2(text.find("| kernel | deferred | 3 / 1 | 120 ns | 240 ns | \\+100.0 % |") != std::string::npos, text.c_str());
    const nlohmann::json json = nlohmann::json::parse(*report::renderComparison(*comparison, "json", {}));
    QCOMPARE(json["compiles"][0]["ratio"].get<double>(), 2.0);
    QCOMPARE(json["compiles"].size(), std::size_t{5});
  }

  void compilesUnderDifferentPipelinesAreHeldAgainstEachOtherWhereEachSideHasOne() {
    const auto times = [](std::uint64_t ns) { return std::map<std::string, std::vector<std::uint64_t>>{{"f32[64]", {ns}}}; };
    const auto key = [](const char *function, const char *pipeline, std::uint32_t study = 0, bool eager = false) {
      return analysis::CompileKey{function, eager, pipeline, study};
    };
    const analysis::CompileDurations base{{key("one", "deferred"), times(100)},     {key("one", "separate", 1), times(7)},
                                          {key("several", "deferred"), times(20)},  {key("several", "separate"), times(10)},
                                          {key("only here", "deferred"), times(3)}, {key("eager", "deferred", 0, true), times(4)}};
    const analysis::CompileDurations contender{{key("one", "pre-link"), times(300)},
                                               {key("one", "separate", 1), times(14)},
                                               {key("several", "deferred"), times(40)},
                                               {key("several", "per-function"), times(30)},
                                               {key("eager", "pre-link"), times(5)}};
    const std::vector<analysis::CompileComparison> rows = analysis::compareCompiles(base, contender);
    std::map<std::string, std::string> said;
    for (const analysis::CompileComparison &row : rows) {
      said[row.key.function + (row.key.eager ? " (eager)" : "") + ", " + row.pipelineLabel()] =
          row.ratio() ? std::to_string(static_cast<int>(*row.ratio())) : std::string(row.whyNoRatio());
    }
    const std::map<std::string, std::string> expected{{"one, deferred / pre-link", "3"},
                                                      {"one, separate (study 1)", "2"},
                                                      {"several, deferred", "2"},
                                                      {"several, separate", "not compiled in contender"},
                                                      {"several, per-function", "not compiled in base"},
                                                      {"only here, deferred", "not compiled in contender"},
                                                      {"eager (eager), deferred", "not compiled in contender"},
                                                      {"eager, pre-link", "not compiled in base"}};
    QCOMPARE(said, expected);

    Comparison comparison;
    comparison.compiles = rows;
    const std::string text = *report::renderComparison(comparison, "markdown", {});
    QVERIFY2(text.find("| one | deferred / pre-link | 1 / 1 | 100 ns | 300 ns | \\+200.0 % |") != std::string::npos, text.c_str());
    const nlohmann::json json = nlohmann::json::parse(*report::renderComparison(comparison, "json", {}));
    QCOMPARE(json["compiles"][0]["pipeline"].get<std::string>(), std::string("deferred"));
    QCOMPARE(json["compiles"][0]["contender_pipeline"].get<std::string>(), std::string("pre-link"));
    QCOMPARE(json["compiles"][1]["contender_pipeline"].get<std::string>(), json["compiles"][1]["pipeline"].get<std::string>());
  }

  void timesOfAnotherCpuAreNotJudgedUnlessAsked() {
    MeasuredSession contender = twoLegs(2, 150'000);
    contender.info.cpu = "Other CPU, 64 logical CPUs";
    contender.info.llvmVersion = "20.1.0";
    contender.info.options = R"({"pipeline":"separate","capacity_entries":4})";
    contender.info.uuid = "123e4567-e89b-42d3-a456-426614174999";
    const base::Result<Comparison> comparison = compare(twoLegs(1), contender);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(!comparison->hasRegressed());
    QVERIFY(!comparison->isSufficient());
    QCOMPARE(comparison->legVerdicts().cannotTell, std::size_t{2});
    QCOMPARE(comparison->warnings,
             (std::vector<std::string>{"different CPU: AMD EPYC 7B13, 2 logical CPUs -> Other CPU, 64 logical CPUs",
                                       "different LLVM: 19.1.7 -> 20.1.0", "different option pipeline: deferred -> separate"}));
    QVERIFY(compare(twoLegs(1), contender, {.acrossMachines = true})->hasRegressed());
  }

  void featuresOfACpuAreASetAndTheirDifferenceIsNamed() {
    MeasuredSession reordered = twoLegs(2);
    reordered.info.cpuFeatures = "fma avx2 avx";
    QVERIFY(compare(twoLegs(1), reordered)->isSufficient());
    MeasuredSession other = twoLegs(2);
    other.info.cpuFeatures = "avx avx512f";
    const base::Result<Comparison> comparison = compare(twoLegs(1), other);
    QVERIFY(!comparison->isSufficient());
    const bool isNamed = std::ranges::any_of(comparison->warnings, [](const std::string &warning) {
      return warning == "different CPU features: only the base has avx2, fma; only the contender has avx512f";
    });
    QVERIFY(isNamed);
  }

  void aRunThatDidNotFinishIsInsufficient() {
    MeasuredSession failed = twoLegs(2);
    failed.end = {record::SessionStatus::Failed, "line 3: it broke", test::kSampleEndNs};
    const base::Result<Comparison> comparison = compare(twoLegs(1), failed);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(!comparison->isSufficient());
    QVERIFY(comparison->insufficient.front().find("contender failed") != std::string::npos);
  }

  void everyFormatHoldsStrangeNames() {
    MeasuredSession plan;
    const std::string strange = "a|b*<script>`\"'\n\x1b[31m\xff" + std::string(10'000, 'x');
    plan.legs = {{.name = strange, .input = "\xF0\x9F\x98\x80"}};
    MeasuredSession slower = plan;
    slower.legs[0].medianNs = 200'000;
    const base::Result<Comparison> comparison = compare(plan, slower);
    JS_VERIFY_RESULT(comparison);
    for (const std::string_view format : report::comparisonFormats()) {
      const base::Result<std::string> text = report::renderComparison(*comparison, format, {});
      JS_VERIFY_RESULT(text);
      QVERIFY(text->ends_with('\n'));
      QVERIFY(text->find('\x1b') == std::string::npos);
      QVERIFY(text->find("<script>") == std::string::npos || format == "json" || format == "text");
      QCOMPARE(QString::fromUtf8(QByteArray::fromStdString(*text)).toUtf8(), QByteArray::fromStdString(*text));
      QCOMPARE(*report::renderComparison(*comparison, format, {}), *text);
    }
    const nlohmann::json json = nlohmann::json::parse(*report::renderComparison(*comparison, "json", {}));
    QVERIFY(json["regressed"].get<bool>());
    QCOMPARE(json["cases"][0]["verdict"].get<std::string>(), std::string("slower"));
    JS_COMPARE_ERROR(report::renderComparison(*comparison, "pdf", {}), base::ErrorCode::RuntimeOption);
  }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
