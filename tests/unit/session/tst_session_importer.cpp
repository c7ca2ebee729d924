// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "event/sink.h"
#include "session/import/event_importer.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace jitscope;
using session::importCase;
using session::ImportCounts;
using session::ImportRequest;

namespace {

class KeepingSink final : public event::Sink {
public:
  void call(const event::CallEvent &event) noexcept override { recording.calls.push_back(event); }
  void record(event::Event event) noexcept override { recording.events.push_back(std::move(event)); }

  template <typename T> std::vector<T> all() const {
    std::vector<T> result;
    for (const event::Event &event : recording.events) {
      if (const T *match = std::get_if<T>(&event)) {
        result.push_back(*match);
      }
    }
    return result;
  }

  test::Recording recording;
};

/// A receiver that has met "Matmul.dot" as function 40 with f32[256,256] as template 70, and numbers new things from 100.
class Receiver {
public:
  Receiver() {
    m_functions[{"Matmul.dot", 2, false}] = base::FunctionId(40);
    m_templates[{base::FunctionId(40), "f32[256,256], f32[256,256]"}] = base::TemplateId(70);
  }

  session::ImportIds ids() {
    session::ImportIds result;
    result.function = [this](const event::FunctionEvent &function) -> session::AssignedId<base::FunctionId> {
      const auto [entry, isNew] = m_functions.try_emplace({function.name, function.line, function.eager}, base::FunctionId(m_next));
      m_next += isNew ? 1U : 0U;
      return {entry->second, isNew};
    };
    result.templateOf = [this](base::FunctionId function,
                               const event::TemplateEvent &known) -> session::AssignedId<base::TemplateId> {
      const auto [entry, isNew] = m_templates.try_emplace({function, known.signature}, base::TemplateId(m_next));
      m_next += isNew ? 1U : 0U;
      return {entry->second, isNew};
    };
    result.newCall = [this] { return base::CallId(++m_lastCall); };
    result.newCompile = [this] { return base::CompileId(++m_lastCompile); };
    return result;
  }

private:
  std::map<std::tuple<std::string, int, bool>, base::FunctionId> m_functions;
  std::map<std::pair<base::FunctionId, std::string>, base::TemplateId> m_templates;
  std::uint32_t m_next = 100;
  std::uint64_t m_lastCall = 500;
  std::uint32_t m_lastCompile = 30;
};

ImportRequest requestFor(std::uint32_t childCase) {
  ImportRequest request;
  request.childCase = base::CaseId(childCase);
  request.caseId = base::CaseId(9);
  request.sectionId = base::SectionId(8);
  request.process = 3;
  return request;
}

} // namespace

class TestSessionImporter : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("child.jitscope").toStdString();
    std::filesystem::remove(m_path);
  }

  void oneCaseIsReplayedWithMappedIds() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto child = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    Receiver receiver;
    KeepingSink sink;
    const base::Result<ImportCounts> counts = importCase(**child, requestFor(1), receiver.ids(), sink);
    JS_VERIFY_RESULT(counts);
    QCOMPARE(counts->calls, std::uint64_t{4});
    QCOMPARE(counts->compiles, std::uint64_t{1});
    QCOMPARE(counts->retrievals, std::uint64_t{0});

    QCOMPARE(sink.recording.calls.size(), std::size_t{4});
    std::uint64_t id = 500;
    for (const event::CallEvent &call : sink.recording.calls) {
      QCOMPARE(call.id.value, ++id);
      QCOMPARE(call.caseId.value, 9U);
      QCOMPARE(call.sectionId.value, 8U);
      QCOMPARE(call.process, std::uint16_t{3});
      QCOMPARE(call.templateId.value, 70U);
      QVERIFY(call.leg == event::Leg::Cold);
      QVERIFY(call.phase == event::CallPhase::Sample);
    }
    QVERIFY(sink.recording.calls[0].outcome == event::Outcome::Miss);
    QCOMPARE(sink.recording.calls[0].compileNs, 1004 * test::kMs);
    QCOMPARE(sink.recording.calls[0].startNs, 2200 * test::kMs);

    const auto compiles = sink.all<event::CompileEvent>();
    QCOMPARE(compiles.size(), std::size_t{1});
    QCOMPARE(compiles[0].id.value, 31U);
    QCOMPARE(compiles[0].callId.value, std::uint64_t{501});
    QCOMPARE(compiles[0].templateId.value, 70U);
    QCOMPARE(compiles[0].nearestTemplateId.value, 70U);
    QCOMPARE(compiles[0].process, std::uint16_t{3});
    QVERIFY(compiles[0].reason == event::MissReason::Cleared);
    QCOMPARE(compiles[0].traceNs, 1000 * test::kMs);
    // Everything was known: nothing is announced.
    QVERIFY(sink.all<event::FunctionEvent>().empty());
    QVERIFY(sink.all<event::TemplateEvent>().empty());
  }

  void whatIsNewIsAnnouncedOnceAndFirst() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto child = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    Receiver receiver;
    KeepingSink sink;
    const base::Result<ImportCounts> counts = importCase(**child, requestFor(2), receiver.ids(), sink);
    JS_VERIFY_RESULT(counts);
    QCOMPARE(counts->calls, std::uint64_t{10});
    QCOMPARE(counts->retrievals, std::uint64_t{1});
    const auto templates = sink.all<event::TemplateEvent>();
    QCOMPARE(templates.size(), std::size_t{1});
    QCOMPARE(templates[0].id.value, 100U);
    QCOMPARE(templates[0].functionId.value, 40U);
    QCOMPARE(templates[0].signature, std::string("f64[256,256], f64[256,256]"));
    QVERIFY(std::holds_alternative<event::TemplateEvent>(sink.recording.events.front()));
    const auto retrievals = sink.all<event::RetrievalEvent>();
    QCOMPARE(retrievals.size(), std::size_t{1});
    QCOMPARE(retrievals[0].callId.value, std::uint64_t{501});
    QCOMPARE(retrievals[0].templateId.value, 100U);
    QCOMPARE(retrievals[0].nearestTemplateId.value, 70U);
    QCOMPARE(retrievals[0].process, std::uint16_t{3});
  }

  void functionsInsideACompileAreMapped() {
    test::Recording recording = test::sampleRecording();
    for (event::CallEvent &call : recording.calls) {
      const bool isSample = call.id.value == 2;
      call.caseId = base::CaseId(isSample ? 1 : 0);
      call.leg = isSample ? event::Leg::Cold : event::Leg::None;
      call.phase = isSample ? event::CallPhase::Sample : event::CallPhase::Run;
    }
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto child = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    Receiver receiver;
    KeepingSink sink;
    JS_VERIFY_RESULT(importCase(**child, requestFor(1), receiver.ids(), sink));
    const auto compiles = sink.all<event::CompileEvent>();
    QCOMPARE(compiles.size(), std::size_t{1});
    QCOMPARE(compiles[0].work.size(), std::size_t{2});
    QCOMPARE(compiles[0].work[0].functionId.value, 40U);
    const auto functions = sink.all<event::FunctionEvent>();
    QCOMPARE(functions.size(), std::size_t{1});
    QCOMPARE(functions[0].name, std::string("multiply"));
    QVERIFY(functions[0].eager);
    QCOMPARE(compiles[0].work[1].functionId, functions[0].id);
  }

  void theOnlyCaseNeedNotBeNamed() {
    test::Recording recording = test::sampleRecording();
    std::erase_if(recording.calls, [](const event::CallEvent &call) { return call.caseId.value == 2; });
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto child = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    Receiver receiver;
    KeepingSink sink;
    ImportRequest request = requestFor(1);
    request.childCase.reset();
    const base::Result<ImportCounts> counts = importCase(**child, request, receiver.ids(), sink);
    JS_VERIFY_RESULT(counts);
    QCOMPARE(counts->calls, std::uint64_t{4});
  }

  void aCaseThatIsNotThereIsAnError_data() {
    QTest::addColumn<int>("childCase");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown") << 77 << "the session holds no case 77";
    QTest::newRow("several") << 0 << "the session holds calls of 2 cases where one was expected";
  }
  void aCaseThatIsNotThereIsAnError() {
    QFETCH(int, childCase);
    QFETCH(QString, message);
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto child = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    Receiver receiver;
    KeepingSink sink;
    ImportRequest request = requestFor(static_cast<std::uint32_t>(childCase));
    if (childCase == 0) {
      request.childCase.reset();
    }
    const base::Result<ImportCounts> counts = importCase(**child, request, receiver.ids(), sink);
    JS_COMPARE_ERROR(counts, base::ErrorCode::StorageFormat);
    QCOMPARE(QString::fromStdString(counts.error().message), message);
    QVERIFY(sink.recording.calls.empty());
  }

  void aTemplateThatIsNotThereIsDamage() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    {
      auto database = session::Database::open(m_path, session::Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(database->execute("DELETE FROM template WHERE id = 3"));
    }
    JS_COMPARE_ERROR(session::SessionReader::open(m_path), base::ErrorCode::StorageCorrupt);
  }

private:
  QTemporaryDir m_folder;
  std::string m_path;
};

QTEST_GUILESS_MAIN(TestSessionImporter)
#include "tst_session_importer.moc"
