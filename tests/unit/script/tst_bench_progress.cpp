// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/calls/bench_progress.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>

using namespace jitscope;
using analysis::BenchProgress;

class TestBenchProgress : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void legsAreCountedAsTheyAreMeasured() {
    const std::filesystem::path path = m_folder.filePath("running.jitscope").toStdString();
    auto writer = session::SessionWriter::create(path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    QVERIFY(progressIn(path).isDone());
    // An older benchmark is none of the latest.
    std::vector<event::Event> events{caseOf(1, 1), caseOf(2, 2), caseOf(3, 2), legOf(1, event::Leg::Warm)};
    JS_VERIFY_RESULT((*writer)->write({events, {}}));
    BenchProgress progress = progressIn(path);
    QCOMPARE(progress.cases, std::uint64_t{2});
    QCOMPARE(progress.coldLegs + progress.warmLegs, std::uint64_t{0});
    QVERIFY(!progress.isDone());
    events = {legOf(2, event::Leg::Cold), legOf(2, event::Leg::Warm), legOf(3, event::Leg::Warm)};
    JS_VERIFY_RESULT((*writer)->write({events, {}}));
    progress = progressIn(path);
    QCOMPARE(progress.coldLegs, std::uint64_t{1});
    QCOMPARE(progress.warmLegs, std::uint64_t{2});
    QVERIFY(!progress.isDone());
    events = {legOf(3, event::Leg::Cold)};
    JS_VERIFY_RESULT((*writer)->write({events, {}}));
    QVERIFY(progressIn(path).isDone());
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kMs}));
    QCOMPARE(progressIn(path).cases, std::uint64_t{0});
  }

private:
  static event::Event caseOf(std::uint32_t id, std::uint32_t bench) {
    return event::BenchCaseEvent{base::CaseId(id), bench, "case", "", {}, 0, 0, 1};
  }
  static event::Event legOf(std::uint32_t id, event::Leg leg) {
    event::BenchLegEvent event;
    event.caseId = base::CaseId(id);
    event.leg = leg;
    return event;
  }
  static BenchProgress progressIn(const std::filesystem::path &path) {
    auto reader = session::SessionReader::open(path);
    Q_ASSERT(reader);
    const auto progress = analysis::readBenchProgress(**reader);
    Q_ASSERT(progress);
    return *progress;
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestBenchProgress)
#include "tst_bench_progress.moc"
