// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compiles/optimizer_summary.h"
#include "analysis/summary.h"
#include "event/loops.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

#include <functional>

using namespace jitscope;
using analysis::OptimizerSummary;
using analysis::StudyPipeline;
using analysis::StudySummary;
using test::kMs;

namespace {

event::CompileEvent *compileOf(test::Recording &recording, std::uint32_t id) {
  for (event::Event &event : recording.events) {
    auto *compile = std::get_if<event::CompileEvent>(&event);
    if (compile != nullptr && compile->id.value == id) {
      return compile;
    }
  }
  return nullptr;
}

} // namespace

class TestOptimizerSummary : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("study.jitscope").toStdString();
    std::filesystem::remove(m_path);
  }

  void timesAreThoseOfTheRepetitions() {
    const StudySummary study = onlyStudy(test::studyRecording());
    QCOMPARE(study.pipelines.size(), std::size_t{3});
    const StudyPipeline &perFunction = study.pipelines[0];
    // 12, 14 and 16 ms of optimizing, and 6 ms of everything else; the 20 ms of the one in detail do not count.
    QCOMPARE(perFunction.compile.optimize.sampleSize, std::uint64_t{3});
    QCOMPARE(perFunction.compile.optimize.medianNs, 14.0 * kMs);
    QCOMPARE(perFunction.compile.optimize.minimumNs, 12.0 * kMs);
    QCOMPARE(perFunction.compile.optimize.maximumNs, 16.0 * kMs);
    QCOMPARE(perFunction.compile.total.medianNs, 20.0 * kMs);
    QCOMPARE(perFunction.compile.total.spread(), 0.1);
    QVERIFY(!perFunction.compile.isRecordedInDetail);
    QCOMPARE(perFunction.compileRatio, 1.0);
    const StudyPipeline &deferred = study.pipelines[1];
    QCOMPARE(deferred.compile.total.medianNs, 10.0 * kMs);
    QCOMPARE(deferred.compileRatio, 0.5);
    QCOMPARE(deferred.execute.medianNs, 50'000.0);
    QCOMPARE(deferred.execute.minimumNs, 49'900.0);
    QCOMPARE(deferred.executeRatio, 0.5);
    QCOMPARE(deferred.target, std::string("x86_64-pc-linux-gnu znver3 0123456789abcdef"));
    QCOMPARE(study.notes.size(), std::size_t{1});
  }

  void aPipelineThatFailedKeepsItsError() {
    const StudySummary study = onlyStudy(test::studyRecording());
    const StudyPipeline &failed = study.pipelines[2];
    QCOMPARE(failed.result.error, std::string("cannot link: symbol NRT_incref is defined twice"));
    QCOMPARE(failed.compile.total.sampleSize, std::uint64_t{0});
    QCOMPARE(failed.compileRatio, 0.0);
    QCOMPARE(failed.executeRatio, 0.0);
    QVERIFY(failed.loops.empty());
  }

  void withoutRepetitionsTheCompileInDetailIsTheTiming() {
    test::Recording recording = test::studyRecording();
    std::erase_if(recording.events, [](const event::Event &event) {
      const auto *compile = std::get_if<event::CompileEvent>(&event);
      return compile != nullptr && compile->repetition > 0;
    });
    const StudySummary study = onlyStudy(recording);
    QVERIFY(study.pipelines[0].compile.isRecordedInDetail);
    QCOMPARE(study.pipelines[0].compile.optimize.medianNs, 20.0 * kMs);
    QCOMPARE(study.pipelines[0].compile.optimize.sampleSize, std::uint64_t{1});
    QVERIFY(!study.pipelines[2].compile.isRecordedInDetail);
  }

  void loopsAreThoseOfTheCompiles() {
    const StudySummary study = onlyStudy(test::studyRecording());
    QVERIFY(study.pipelines[0].loops.empty());
    QCOMPARE(study.pipelines[1].loops.size(), std::size_t{1});
    const event::LoopResult &loop = study.pipelines[1].loops[0];
    QCOMPARE(loop.functionId, test::kOuter);
    QCOMPARE(loop.line, 11);
    QCOMPARE(loop.width, 4U);
    QCOMPARE(study.loops.vectorized, std::uint64_t{1});
    QCOMPARE(study.loops.innermost, std::uint64_t{2});
    QCOMPARE(study.loops.outer, std::uint64_t{1});
    QCOMPARE(study.loops.unreached, std::uint64_t{1});
  }

  void pipelinesThatDisagreeAboutALoopAreNamed() {
    const StudySummary study = onlyStudy(test::studyRecording());
    QCOMPARE(study.loops.findings.size(), std::size_t{2});
    const analysis::LoopFinding &scalar = study.loops.findings[0];
    QVERIFY(!scalar.isAgreed);
    QCOMPARE(scalar.pipelines, std::vector<std::string>{"per-function"});
    QCOMPARE(scalar.function, std::string("__main__::outer_logp_wrapper"));
    QVERIFY(QString::fromStdString(scalar.remedy).contains("deferred or pre-link"));
    QCOMPARE(event::reasonText(scalar.loop),
             std::string("instruction return type cannot be vectorized (insertelement <2 x double> at 7:5)"));
    QCOMPARE(study.loops.findings[1].pipelines, std::vector<std::string>{"deferred"});
  }

  void whatPipelinesAgreeAboutIsSaidOnce() {
    test::Recording recording = test::studyRecording();
    compileOf(recording, 1)->loops = compileOf(recording, 2)->loops;
    const StudySummary study = onlyStudy(recording);
    QCOMPARE(study.loops.findings.size(), std::size_t{1});
    QVERIFY(study.loops.findings[0].isAgreed);
    QCOMPARE(study.loops.vectorized, std::uint64_t{2});
  }

  void redundantWorkAddsUp() {
    const StudySummary study = onlyStudy(test::studyRecording());
    const analysis::RedundantWork &redundantWork = study.pipelines[0].redundantWork;
    QCOMPARE(redundantWork.functions.size(), std::size_t{2});
    QCOMPARE(redundantWork.functions[0].name, std::string("__main__::inner"));
    QCOMPARE(redundantWork.total.optimized, 3U);
    QCOMPARE(redundantWork.total.linked, 1U);
    QCOMPARE(redundantWork.total.emitted, 3U);
    QCOMPARE(redundantWork.total.optimizeNs, 20 * kMs);
    QCOMPARE(redundantWork.total.repeatCodeBytes, std::uint64_t{400});
    QCOMPARE(redundantWork.survivingCopies, std::uint64_t{1});
    QCOMPARE(redundantWork.survivingNs, 3 * kMs);
    QCOMPARE(redundantWork.droppedNs, std::uint64_t{0});
  }

  void theVerdictNamesTheCause_data() {
    // Of the compile in detail, whose code generation takes 4 more. The timed ones take 18 in the median, those of deferred 8.
    QTest::addColumn<int>("optimizeMs");
    QTest::addColumn<int>("repeatMs");
    QTest::addColumn<int>("emitted");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("text");
    QTest::newRow("more inlined than copied")
        << 20 << 2 << 2 << "inlined-bodies"
        << "inlined bodies are the cause, not surviving copies: 8.50 ms more than deferred took went into optimizing and emitting "
           "bodies once more inside their callers; 1 copy was emitted again, which took 1.50 ms";
    QTest::newRow("copied and gone")
        << 20 << 12 << 1 << "inlined-bodies"
        << "inlined bodies are the cause, not surviving copies: 9.00 ms into optimizing copies that were "
           "gone before code was made; no copy was emitted twice";
    QTest::newRow("copies survive") << 20 << 10 << 3 << "surviving-copies"
                                    << "surviving copies are the cause: 2 copies of functions that other modules hold already were "
                                       "optimized and emitted again, 7.50 ms and 0 B of code";
    QTest::newRow("nothing repeated") << 8 << 0 << 1 << "none" << "hardly any work is repeated";
  }
  void theVerdictNamesTheCause() {
    QFETCH(int, optimizeMs);
    QFETCH(int, repeatMs);
    QFETCH(int, emitted);
    QFETCH(QString, cause);
    QFETCH(QString, text);
    test::Recording recording = test::studyRecording();
    event::CompileEvent *compile = compileOf(recording, 1);
    compile->optimizeNs = static_cast<std::uint64_t>(optimizeMs) * kMs;
    compile->totalNs = compile->optimizeNs + 6 * kMs;
    compile->passes.clear();
    event::FunctionWork work;
    work.functionId = test::kInner;
    work.optimized = 2;
    work.linked = 1;
    work.emitted = static_cast<std::uint32_t>(emitted);
    work.optimizeNs = static_cast<std::uint64_t>(optimizeMs) * kMs;
    work.repeatOptimizeNs = static_cast<std::uint64_t>(repeatMs) * kMs;
    compile->work = {work};
    const StudySummary study = onlyStudy(recording);
    const analysis::RedundantWorkVerdict &verdict = study.pipelines[0].verdict;
    QCOMPARE(QString::fromUtf8(nameOf(verdict.cause).data()), cause);
    QCOMPARE(QString::fromStdString(verdict.text), text);
    QVERIFY(study.pipelines[1].verdict.cause == analysis::RepeatCause::None);
    QCOMPARE(study.pipelines[1].verdict.excessNs, std::uint64_t{0});
  }

  void passesAreAddedUpByNameAndPipeline() {
    const OptimizerSummary summary = summarized(test::studyRecording());
    QCOMPARE(summary.pipelines, (std::vector<std::string>{"per-function", "deferred"}));
    QCOMPARE(summary.passTotal.durationNs, 28 * kMs);
    QCOMPARE(summary.passTotal.runs, std::uint64_t{15});
    const auto combine = std::ranges::find(summary.passes, "InstCombinePass", &analysis::PassTotal::name);
    QVERIFY(combine != summary.passes.end());
    QCOMPARE(combine->total.runs, std::uint64_t{3});
    QCOMPARE(combine->total.changes, std::uint64_t{2});
    QCOMPARE(combine->byPipeline[0].durationNs, 6 * kMs);
    QCOMPARE(combine->byPipeline[1].durationNs, std::uint64_t{0});
    QVERIFY(std::ranges::is_sorted(summary.passes, std::greater{},
                                   [](const analysis::PassTotal &pass) { return pass.total.durationNs; }));
  }

  void remarksAreCountedByPassAndKind() {
    const OptimizerSummary summary = summarized(test::studyRecording());
    QCOMPARE(summary.remarksByPass.size(), std::size_t{4});
    QCOMPARE(summary.remarksByPass[0].pass, std::string("loop-vectorize"));
    QCOMPARE(summary.remarksByPass[0].passed, std::uint64_t{1});
    QCOMPARE(summary.remarksByPass[0].missed, std::uint64_t{1});
    QCOMPARE(summary.remarksByPass[0].analysis, std::uint64_t{1});
    QCOMPARE(summary.remarksByPass[0].count(), std::uint64_t{3});
  }

  /// A study compiles without the cache, so it adds no misses.
  void compilesOfStudiesAreNoMisses() {
    test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    const auto before = summaryOf();
    QCOMPARE(before.compiles, std::uint64_t{4});
    QVERIFY(before.optimizer.studies.empty());
    event::CompileEvent study = test::makeStudyCompile(99, "per-function", 1, 5000 * kMs);
    study.templateId = base::TemplateId(2);
    study.startNs = 0;
    recording.events.emplace_back(study);
    std::filesystem::remove(m_path);
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    const auto after = summaryOf();
    QCOMPARE(after.compiles, before.compiles);
    QCOMPARE(after.compileTimes.totalNs, before.compileTimes.totalNs);
    QCOMPARE(after.misses.front().compileId, before.misses.front().compileId);
    QCOMPARE(after.functions.back().templates.front().compileNs, before.functions.back().templates.front().compileNs);
  }

private:
  analysis::Summary summaryOf() {
    const auto reader = session::SessionReader::open(m_path);
    return analysis::summarize(**reader).value();
  }
  OptimizerSummary summarized(const test::Recording &recording) {
    std::filesystem::remove(m_path);
    return test::writeSession(m_path, recording) ? summaryOf().optimizer : OptimizerSummary();
  }
  StudySummary onlyStudy(const test::Recording &recording) {
    OptimizerSummary summary = summarized(recording);
    return summary.studies.size() == 1 ? std::move(summary.studies[0]) : StudySummary();
  }

  QTemporaryDir m_folder;
  std::string m_path;
};

QTEST_GUILESS_MAIN(TestOptimizerSummary)
#include "tst_optimizer_summary.moc"
