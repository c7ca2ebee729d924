// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/calls/call_details.h"
#include "analysis/calls/call_span_index.h"
#include "analysis/compiles/compile_list.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/big_session.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>

#include <map>

using namespace jitscope;
using analysis::CallSpanIndex;
using analysis::Selection;
using analysis::TimelineMark;
using analysis::TimelineView;
using analysis::TimeRange;
using event::Outcome;
using session::SessionReader;

namespace {

/// What a picture must agree with, from the calls themselves.
struct Truth {
  std::uint64_t calls = 0;
  std::map<Outcome, std::pair<std::uint64_t, std::uint64_t>> extremes;
};

} // namespace

class TestCallSpanIndex : public QObject {
  Q_OBJECT

private:
  Truth truthOf(TimeRange range, const std::function<bool(const event::CallEvent &)> &wanted) {
    Truth truth;
    const base::Result<void> read = m_reader->eachCall({}, [&](const event::CallEvent &call) -> base::Result<void> {
      if (range.contains(call.startNs) && wanted(call)) {
        ++truth.calls;
        auto [entry, isNew] = truth.extremes.try_emplace(call.outcome, call.totalNs(), call.totalNs());
        entry->second.first = std::min(entry->second.first, call.totalNs());
        entry->second.second = std::max(entry->second.second, call.totalNs());
      }
      return {};
    });
    Q_ASSERT(read);
    return truth;
  }

  void compare(const TimelineView &view, const Truth &truth) {
    QCOMPARE(view.calls, truth.calls);
    std::uint64_t marked = 0;
    std::map<Outcome, std::pair<std::uint64_t, std::uint64_t>> extremes;
    for (const TimelineMark &mark : view.marks) {
      marked += mark.calls;
      auto [entry, isNew] = extremes.try_emplace(mark.outcome, mark.minNs, mark.maxNs);
      entry->second.first = std::min(entry->second.first, mark.minNs);
      entry->second.second = std::max(entry->second.second, mark.maxNs);
    }
    QCOMPARE(marked, truth.calls);
    QVERIFY(extremes == truth.extremes);
  }

private Q_SLOTS:
  void initTestCase() {
    test::BigSession shape;
    shape.calls = 200'000;
    shape.callsPerMiss = 2000;
    m_path = m_folder.filePath("big.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeBigSession(m_path, shape));
    base::Result<std::unique_ptr<SessionReader>> reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    m_reader = *std::move(reader);
  }
  void cleanupTestCase() { m_reader.reset(); }

  void aPictureAgreesWithTheCalls_data() {
    QTest::addColumn<quint64>("from");
    QTest::addColumn<quint64>("to");
    QTest::addColumn<bool>("exact");
    const quint64 ms = 1'000'000;
    QTest::newRow("everything") << quint64{0} << 1000 * ms << false;
    QTest::newRow("few calls") << 20 * ms << 30 * ms << true;
    QTest::newRow("no calls") << 900 * ms << 1000 * ms << true;
    QTest::newRow("one column") << 20 * ms << 20 * ms + 1 << true;
  }
  void aPictureAgreesWithTheCalls() {
    QFETCH(quint64, from);
    QFETCH(quint64, to);
    QFETCH(bool, exact);
    CallSpanIndex index{Selection{}};
    const auto updated = index.update(m_reader->database());
    JS_VERIFY_RESULT(updated);
    QVERIFY(*updated);
    QCOMPARE(index.calls(), std::uint64_t{200'000});
    const base::Result<TimelineView> view = index.view(m_reader->database(), {from, to}, 1000);
    JS_VERIFY_RESULT(view);
    QCOMPARE(view->exact, exact);
    compare(*view, truthOf({from, to}, [](const event::CallEvent &) { return true; }));
  }

  void aSelectionShowsItsCallsOnly_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("section") << 0;
    QTest::newRow("outcome") << 1;
    QTest::newRow("template") << 2;
    QTest::newRow("function") << 3;
  }
  void aSelectionShowsItsCallsOnly() {
    QFETCH(int, kind);
    Selection selection;
    std::function<bool(const event::CallEvent &)> wanted;
    switch (kind) {
    case 0:
      selection.sectionId = base::SectionId(2);
      wanted = [](const event::CallEvent &call) { return call.sectionId == base::SectionId(2); };
      break;
    case 1:
      selection.outcome = Outcome::Miss;
      wanted = [](const event::CallEvent &call) { return call.outcome == Outcome::Miss; };
      break;
    case 2:
      selection.templateId = base::TemplateId(7);
      wanted = [](const event::CallEvent &call) { return call.templateId == base::TemplateId(7); };
      break;
    default:
      selection.functionId = base::FunctionId(3);
      wanted = [](const event::CallEvent &call) { return (call.templateId.value - 1) % 10 == 2; };
      break;
    }
    CallSpanIndex index(selection);
    JS_VERIFY_RESULT(index.update(m_reader->database()));
    const TimeRange everything{0, 10'000'000'000};
    const base::Result<TimelineView> view = index.view(m_reader->database(), everything, 800);
    JS_VERIFY_RESULT(view);
    compare(*view, truthOf(everything, wanted));
  }

  void anUpdateReadsWhatIsNew() {
    const std::filesystem::path path = m_folder.filePath("live.jitscope").toStdString();
    test::Recording recording = test::sampleRecording();
    auto writer = session::SessionWriter::create(path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({recording.events, std::span(recording.calls).first(8)}));
    base::Result<std::unique_ptr<SessionReader>> reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    CallSpanIndex index{Selection{}};
    JS_VERIFY_RESULT(index.update((*reader)->database()));
    QCOMPARE(index.calls(), std::uint64_t{8});
    auto again = index.update((*reader)->database());
    JS_VERIFY_RESULT(again);
    QVERIFY(!*again);
    JS_VERIFY_RESULT((*writer)->write({{}, std::span(recording.calls).subspan(8)}));
    again = index.update((*reader)->database());
    JS_VERIFY_RESULT(again);
    QVERIFY(*again);
    QCOMPARE(index.calls(), std::uint64_t{recording.calls.size()});
    QCOMPARE(index.threads().size(), std::size_t{3}); // main, a second thread, the process of the cold leg
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
  }

  void aCallThatComesLateIsFound() {
    const std::filesystem::path path = m_folder.filePath("late.jitscope").toStdString();
    const test::Recording recording = test::complete(test::sampleRecording());
    const std::span<const event::CallEvent> calls(recording.calls);
    auto writer = session::SessionWriter::create(path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({recording.events, calls.first(calls.size() - 2)}));
    JS_VERIFY_RESULT((*writer)->write({{}, calls.last(1)}));
    base::Result<std::unique_ptr<SessionReader>> reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    Selection selection;
    selection.templateId = calls.back().templateId; // whose calls no span holds
    const std::ptrdiff_t expected = std::ranges::count(calls, calls.back().templateId, &event::CallEvent::templateId);
    CallSpanIndex index(selection);
    JS_VERIFY_RESULT(index.update((*reader)->database()));
    QCOMPARE(index.calls(), static_cast<std::uint64_t>(expected - 1));
    JS_VERIFY_RESULT((*writer)->write({{}, calls.subspan(calls.size() - 2, 1)}));
    JS_VERIFY_RESULT(index.update((*reader)->database()));
    QCOMPARE(index.calls(), static_cast<std::uint64_t>(expected));
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
  }

  void sessionsWithoutSpansAreReadCallByCall() {
    const std::filesystem::path path = m_folder.filePath("old.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::sampleRecording()));
    {
      auto database = session::Database::open(path, session::Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(database->execute("DELETE FROM call_span"));
    }
    auto reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    CallSpanIndex index{Selection{}};
    JS_VERIFY_RESULT(index.update((*reader)->database()));
    QCOMPARE(index.calls(), std::uint64_t{21});
  }

  void aCancelledReadSaysSo() {
    const std::atomic<bool> cancelled = true;
    m_reader->database().setCancelFlag(&cancelled);
    CallSpanIndex index{Selection{}};
    const auto updated = index.update(m_reader->database());
    m_reader->database().setCancelFlag(nullptr);
    QVERIFY(!updated);
    QCOMPARE(updated.error().code, base::ErrorCode::StorageCancelled);
  }

  void theLongestCallOfASpanIsFound() {
    CallSpanIndex index{Selection{}};
    JS_VERIFY_RESULT(index.update(m_reader->database()));
    Selection within;
    within.range = TimeRange{10'000'000, 40'000'000};
    within.outcome = Outcome::Hit;
    const auto id = analysis::longestCall(m_reader->database(), within, index.idsIn(*within.range));
    JS_VERIFY_RESULT(id);
    const auto details = analysis::readCallDetails(m_reader->database(), *id);
    JS_VERIFY_RESULT(details);
    QVERIFY(details->has_value());
    const Truth truth = truthOf(*within.range, [](const event::CallEvent &call) { return call.outcome == Outcome::Hit; });
    QCOMPARE((*details)->call.totalNs(), truth.extremes.at(Outcome::Hit).second);
  }

  void detailsOfAMissNameTheProcessThatCompiled() {
    test::Recording recording = test::sampleRecording();
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event)) {
        compile->process = 1;
      } else if (auto *retrieval = std::get_if<event::RetrievalEvent>(&event)) {
        retrieval->process = 2;
      }
    }
    for (event::CallEvent &call : recording.calls) {
      call.process = call.outcome == Outcome::Retrace ? 2 : 1;
    }
    const std::filesystem::path path = m_folder.filePath("processes.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, recording));
    auto reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto missed = analysis::readCallDetails((*reader)->database(), base::CallId(4));
    JS_VERIFY_RESULT(missed);
    QCOMPARE((*missed)->compile->process, std::uint16_t{1});
    QCOMPARE((*missed)->nearestSignature, std::string("f32[64,64], f32[64,64]"));
    const auto retraced = analysis::readCallDetails((*reader)->database(), base::CallId(11));
    JS_VERIFY_RESULT(retraced);
    QCOMPARE((*retraced)->retrieval->process, std::uint16_t{2});
    const auto compiled = analysis::readCompileDetails((*reader)->database(), (*missed)->compile->id);
    JS_VERIFY_RESULT(compiled);
    QCOMPARE((*compiled)->compile->process, std::uint16_t{1});
  }

  void detailsOfAMissSayWhy() {
    const std::filesystem::path path = m_folder.filePath("sample.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::sampleRecording()));
    auto reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto details = analysis::readCallDetails((*reader)->database(), base::CallId(4));
    JS_VERIFY_RESULT(details);
    QVERIFY(details->has_value() && (*details)->compile.has_value());
    QCOMPARE((*details)->functionName, std::string("Matmul.dot"));
    QCOMPARE((*details)->compile->reason, event::MissReason::NewShape);
    QCOMPARE((*details)->nearestSignature, std::string("f32[64,64], f32[64,64]"));
    const auto retraced = analysis::readCallDetails((*reader)->database(), base::CallId(11));
    JS_VERIFY_RESULT(retraced);
    QVERIFY((*retraced)->retrieval.has_value() && !(*retraced)->compile.has_value());
    QCOMPARE((*retraced)->caseInput, std::string("large"));
    const auto none = analysis::readCallDetails((*reader)->database(), base::CallId(4711));
    JS_VERIFY_RESULT(none);
    QVERIFY(!none->has_value());
    const auto compiles = analysis::readCompileSpans((*reader)->database(), {});
    JS_VERIFY_RESULT(compiles);
    QCOMPARE(compiles->size(), std::size_t{4});
    QCOMPARE(compiles->back().thread.process, std::uint16_t{1});
  }

  void processesOfColdLegsBeginUnrecorded() {
    test::Recording recording = test::sampleRecording();
    // As in a merged session: the own process of another script.
    event::CallEvent merged = test::makeCall(30, 2, 1, 500 * test::kMs, Outcome::Hit, 0, 1000);
    merged.process = 2;
    recording.calls.push_back(merged);
    const std::filesystem::path path = m_folder.filePath("cold.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, recording));
    const auto reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    CallSpanIndex index{Selection{}};
    JS_VERIFY_RESULT(index.update((*reader)->database()));
    auto starts = index.processStarts();
    QCOMPARE(starts.size(), std::size_t{1});
    QCOMPARE(starts[0].process, std::uint16_t{1});
    QCOMPARE(starts[0].unrecorded, (TimeRange{2050 * test::kMs + 42'000, 2200 * test::kMs}));
    // What was compiled meanwhile by others was recorded.
    analysis::CompileSpan ahead;
    ahead.startNs = 2100 * test::kMs;
    ahead.totalNs = 20 * test::kMs;
    analysis::takeCompilesFrom(starts, {ahead});
    QCOMPARE(starts[0].unrecorded.fromNs, 2120 * test::kMs);
    Selection some;
    some.outcome = Outcome::Hit;
    CallSpanIndex filtered(some);
    JS_VERIFY_RESULT(filtered.update((*reader)->database()));
    QVERIFY(filtered.processStarts().empty());
  }

private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path;
  std::unique_ptr<SessionReader> m_reader;
};

QTEST_GUILESS_MAIN(TestCallSpanIndex)
#include "tst_call_span_index.moc"
