// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compiles/remark_groups.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"

#include <QTemporaryDir>

using namespace jitscope;
using analysis::OriginRemark;
using analysis::RemarksByOrigin;
using event::RemarkKind;
using test::kMs;

namespace {

using Said = std::pair<std::string, std::uint32_t>; ///< name of a remark, study

constexpr auto kScalar = "MissedDetails";
constexpr auto kVector = "Vectorized";

event::CompileEvent compileOf(std::uint32_t id, const char *pipeline, std::uint32_t study, const char *remark) {
  event::CompileEvent compile = test::makeCompile(id, 0, 3, 6100 * kMs + id, 0);
  compile.pipeline = pipeline;
  compile.studyId = base::StudyId(study);
  compile.remarks = {test::remarkOf(2, remark == kScalar ? RemarkKind::Missed : RemarkKind::Passed, "loop-vectorize", remark, 3,
                                    remark == kScalar ? "loop not vectorized" : "vectorized loop")};
  return compile;
}

/// Study 1 vectorizes deferred, study 2 under both pipelines, study 3 tries one of them only; a call of section 2 is compiled under
/// a pipeline of its own.
test::Recording twiceStudied() {
  test::Recording recording = test::sampleRecording();
  for (const std::uint32_t study : {1U, 2U, 3U}) {
    event::StudyEvent event;
    event.id = base::StudyId(study);
    event.sectionId = base::SectionId(study);
    event.functionId = base::FunctionId(2);
    recording.events.emplace_back(event);
  }
  recording.events.emplace_back(compileOf(11, "per-function", 1, kScalar));
  recording.events.emplace_back(compileOf(12, "deferred", 1, kVector));
  recording.events.emplace_back(compileOf(13, "per-function", 2, kVector));
  recording.events.emplace_back(compileOf(14, "deferred", 2, kVector));
  recording.events.emplace_back(compileOf(15, "deferred", 3, kVector));
  event::CompileEvent called = compileOf(16, "separate", 0, kScalar);
  called.callId = base::CallId(4);
  called.startNs = recording.calls[3].startNs;
  recording.events.emplace_back(called);
  return recording;
}

std::vector<Said> saidIn(const RemarksByOrigin &all, const std::vector<OriginRemark> &remarks) {
  std::vector<Said> said;
  for (const OriginRemark &entry : remarks) {
    said.emplace_back(entry.remark.name, all.origins[entry.origin].studyId.value);
  }
  return said;
}

} // namespace

class TestRemarkGroups : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    m_path = m_folder.filePath("studies.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(m_path, twiceStudied()));
  }

  void remarksStandApartByStudyAndSection() {
    const RemarksByOrigin all = read({});
    QCOMPARE(saidIn(all, all.remarks), (std::vector<Said>{{kScalar, 1}, {kScalar, 0}, {kVector, 1}, {kVector, 2}, {kVector, 3}}));
    const OriginRemark &ofCall = all.remarks[1];
    QCOMPARE(ofCall.remark.pipelines, std::vector<std::string>{"separate"});
    QCOMPARE(all.origins[ofCall.origin].section, std::string("miss, hit and a new shape"));
    QCOMPARE(all.remarks[3].remark.pipelines, (std::vector<std::string>{"deferred", "per-function"}));
  }

  void pipelinesAreComparedWithinEachStudy() {
    const RemarksByOrigin all = read({});
    QCOMPARE(saidIn(all, all.onlyIn("per-function", "deferred")), (std::vector<Said>{{kScalar, 1}}));
    // Study 3 has nothing to compare with, so that its remark is no difference.
    QCOMPARE(saidIn(all, all.onlyIn("deferred", "per-function")), (std::vector<Said>{{kVector, 1}}));
  }

  void costsOfTheInlinerAreNoDifference() {
    RemarksByOrigin all;
    all.origins.push_back({base::StudyId(1), {}, {}, {"deferred", "per-function"}});
    for (const auto &[pipeline, message] : {std::pair("deferred", "'f' inlined into 'g' with (cost=-15, threshold=225)"),
                                            std::pair("per-function", "'f' inlined into 'g' with (cost=20, threshold=225)"),
                                            std::pair("deferred", "'f' inlined into 'h' with (cost=-15, threshold=225)")}) {
      OriginRemark entry;
      entry.remark.pass = "inline";
      entry.remark.message = message;
      entry.remark.pipelines = {pipeline};
      all.remarks.push_back(entry);
    }
    const std::vector<OriginRemark> only = all.onlyIn("deferred", "per-function");
    QCOMPARE(only.size(), std::size_t{1});
    QCOMPARE(only[0].remark.message, all.remarks[2].remark.message);
    QVERIFY(all.onlyIn("per-function", "deferred").empty());
  }

  void pipelinesThatNeverMeetAreComparedAcrossAll() {
    const RemarksByOrigin all = read({});
    QVERIFY(all.meet("deferred", "per-function"));
    QVERIFY(!all.meet("separate", "per-function"));
    QCOMPARE(saidIn(all, all.onlyIn("per-function", "separate")), (std::vector<Said>{{kVector, 2}}));
    QVERIFY(all.onlyIn("separate", "per-function").empty());
  }

  void aSectionHasTheCompilesOfItsStudies() {
    analysis::Selection selection;
    selection.sectionId = base::SectionId(2);
    const RemarksByOrigin ofSection = read(selection);
    QCOMPARE(saidIn(ofSection, ofSection.remarks), (std::vector<Said>{{kScalar, 0}, {kVector, 2}}));
    selection.outcome = event::Outcome::Miss;
    const RemarksByOrigin ofMisses = read(selection);
    QCOMPARE(saidIn(ofMisses, ofMisses.remarks), (std::vector<Said>{{kScalar, 0}}));
  }

private:
  RemarksByOrigin read(const analysis::Selection &selection) {
    auto reader = session::SessionReader::open(m_path);
    Q_ASSERT(reader);
    auto remarks = analysis::readRemarksByOrigin(**reader, selection);
    Q_ASSERT(remarks);
    return *std::move(remarks);
  }

  QTemporaryDir m_folder;
  std::filesystem::path m_path;
};

QTEST_GUILESS_MAIN(TestRemarkGroups)
#include "tst_remark_groups.moc"
