// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"
#include "session/session_reader.h"
#include "session/session_writer.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

using namespace jitscope;
using session::SessionReader;

namespace {

template <typename T> std::vector<T> of(const std::vector<event::Event> &events) {
  std::vector<T> result;
  for (const event::Event &event : events) {
    if (const T *match = std::get_if<T>(&event)) {
      result.push_back(*match);
    }
  }
  return result;
}

// Every field of every event as text, so that a difference is seen and none is forgotten in a comparison.
std::string text(const event::FunctionEvent &e) { return fmt::format("{} {} {} {}", e.id.value, e.name, e.line, e.eager); }
std::string text(const event::TemplateEvent &e) { return fmt::format("{} {} {}", e.id.value, e.functionId.value, e.signature); }
std::string text(const event::SectionEvent &e) { return fmt::format("{} {} {}", e.id.value, e.name, e.startNs); }
std::string text(const event::BenchCaseEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {}", e.id.value, e.bench, e.name, e.input, e.functionId.value, e.warmupNs, e.timeNs,
                     e.parallel);
}
std::string text(const event::BenchLegEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", e.caseId.value, nameOf(e.leg), e.position,
                     e.seed ? std::to_string(*e.seed) : "-", e.callsPerSample, e.clockStepNs, e.overheadNs, e.maxSamples,
                     e.isCapped);
}
std::string text(const event::CallEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", e.id.value, e.templateId.value, e.sectionId.value, e.caseId.value,
                     e.thread, e.process, nameOf(e.outcome), nameOf(e.leg), nameOf(e.phase), e.startNs, e.lookupNs, e.waitNs,
                     e.compileNs, e.executeNs);
}
std::string text(const event::CompileEvent &e) {
  std::string result =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", e.id.value, e.callId.value, e.templateId.value, e.pipeline,
                  nameOf(e.reason), e.nearestTemplateId.value, e.difference, e.startNs, e.traceNs, e.lowerNs, e.optimizeNs,
                  e.codegenNs, e.linkNs, e.totalNs, e.codeBytes, e.process, e.target);
  for (const event::FunctionWork &work : e.work) {
    result += fmt::format(" ({} {} {} {} {} {} {})", work.functionId.value, work.optimized, work.linked, work.emitted,
                          work.optimizeNs, work.emitNs, work.codeBytes);
  }
  return result;
}
std::string text(const event::RetrievalEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", e.callId.value, e.templateId.value, nameOf(e.outcome), nameOf(e.reason),
                     e.nearestTemplateId.value, e.difference, e.startNs, e.traceNs, e.loadNs, e.codeBytes, e.process);
}
std::string text(const event::EvictionEvent &e) {
  return fmt::format("{} {} {} {}", e.atNs, e.templateId.value, nameOf(e.reason), e.codeBytes);
}
std::string text(const event::MemoryEvent &e) {
  return fmt::format("{} {} {} {} {}", e.atNs, e.tensorLiveBytes, e.tensorPeakBytes, e.cacheEntries, e.cacheCodeBytes);
}
std::string text(const event::ExpectationEvent &e) {
  return fmt::format("{} {} {} {} {}", e.line, e.name, e.passed, e.expected, e.actual);
}
std::string text(const event::LogEvent &e) { return fmt::format("{} {} {}", e.atNs, nameOf(e.level), e.message); }

template <typename T> QString lines(const std::vector<T> &rows) {
  std::string result;
  for (const T &row : rows) {
    result += text(row) + "\n";
  }
  return QString::fromStdString(result);
}

std::vector<event::CallEvent> callsOf(SessionReader &reader, const session::CallFilter &filter = {}) {
  std::vector<event::CallEvent> calls;
  const base::Result<void> read = reader.eachCall(filter, [&calls](const event::CallEvent &call) -> base::Result<void> {
    calls.push_back(call);
    return {};
  });
  return read ? calls : std::vector<event::CallEvent>{};
}

} // namespace

class TestSessionRoundtrip : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("session.jitscope").toStdString();
    std::filesystem::remove(m_path);
  }

  void everyEventIsReadBackAsItWasRecorded() {
    const test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    SessionReader &reader = **opened;
    QCOMPARE(lines(reader.functions().value()), lines(of<event::FunctionEvent>(recording.events)));
    QCOMPARE(lines(reader.templates().value()), lines(of<event::TemplateEvent>(recording.events)));
    QCOMPARE(lines(reader.sections().value()), lines(of<event::SectionEvent>(recording.events)));
    QCOMPARE(lines(reader.benchCases().value()), lines(of<event::BenchCaseEvent>(recording.events)));
    QCOMPARE(lines(reader.compilesWithWork().value()), lines(of<event::CompileEvent>(recording.events)));
    QCOMPARE(lines(reader.retrievals().value()), lines(of<event::RetrievalEvent>(recording.events)));
    QCOMPARE(lines(reader.evictions().value()), lines(of<event::EvictionEvent>(recording.events)));
    QCOMPARE(lines(reader.memory().value()), lines(of<event::MemoryEvent>(recording.events)));
    QCOMPARE(lines(reader.expectations().value()), lines(of<event::ExpectationEvent>(recording.events)));
    QCOMPARE(lines(reader.logs().value()), lines(of<event::LogEvent>(recording.events)));
    QCOMPARE(lines(callsOf(reader)), lines(recording.calls));
    QVERIFY(!recording.calls.empty());
  }

  void howLegsWereMeasuredIsReadBack() {
    test::Recording recording = test::sampleRecording();
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    for (const event::BenchLegEvent &leg :
         {event::BenchLegEvent{base::CaseId(1), event::Leg::Cold, 2, 0, 1, 11.5, 23.75, 2'000'000, false},
          event::BenchLegEvent{base::CaseId(2), event::Leg::Warm, 1, kLargest, 10'000, 1e6, 0.25, 1, true},
          event::BenchLegEvent{base::CaseId(2), event::Leg::Cold, 3, std::nullopt, 10, 0, 0, 7, false}}) {
      recording.events.emplace_back(leg);
    }
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    QCOMPARE(lines((*opened)->benchLegs().value()), lines(of<event::BenchLegEvent>(recording.events)));
    const base::Result<analysis::Summary> summary = analysis::summarize(**opened);
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->cases.at(0).legs.at(0).measuring.overheadNs, 23.75);
    QCOMPARE(summary->cases.at(1).legs.at(0).measuring.callsPerSample, std::uint64_t{10'000});
  }

  void theSessionDescribesItself() {
    JS_VERIFY_RESULT(test::writeSession(m_path, {}, {record::SessionStatus::Failed, "script.lua:3: boom", 42}));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    const session::SessionRow &row = (*opened)->session();
    const session::SessionInfo expected = test::sampleInfo();
    QVERIFY(row.status == record::SessionStatus::Failed);
    QCOMPARE(row.error, std::string("script.lua:3: boom"));
    QCOMPARE(row.durationNs, std::uint64_t{42});
    QCOMPARE(row.info.uuid, expected.uuid);
    QCOMPARE(row.info.jitscopeVersion, expected.jitscopeVersion);
    QCOMPARE(row.info.llvmVersion, expected.llvmVersion);
    QCOMPARE(row.info.startedUtc, expected.startedUtc);
    QCOMPARE(row.info.scriptPath, expected.scriptPath);
    QCOMPARE(row.info.scriptSha256, expected.scriptSha256);
    QCOMPARE(row.info.scriptText, expected.scriptText);
    QCOMPARE(row.info.commandLine, expected.commandLine);
    QCOMPARE(row.info.host, expected.host);
    QCOMPARE(row.info.cpu, expected.cpu);
    QCOMPARE(row.info.cpuFeatures, expected.cpuFeatures);
    QCOMPARE(row.info.os, expected.os);
    QCOMPARE(row.info.options, expected.options);
    QCOMPARE(row.info.clockReadNs, expected.clockReadNs);
    QCOMPARE(row.info.callOverheadNs, expected.callOverheadNs);
  }

  void anEndThatNobodyTimedIsTheLastThingThatHappened() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording(), {record::SessionStatus::Failed, "gone", 0}));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    // Call 21: 6100 ms, with 3.7001 ms of its own.
    QCOMPARE((*opened)->session().durationNs, 6100 * test::kMs + 3'700'100);
  }

  void filtersChooseCalls_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("count");
    QTest::newRow("none") << 0 << 21;
    QTest::newRow("case") << 1 << 4;
    QTest::newRow("case and phase") << 2 << 9;
    QTest::newRow("leg") << 3 << 10;
    QTest::newRow("outcome") << 4 << 4;
    QTest::newRow("section") << 5 << 5;
    QTest::newRow("template") << 6 << 3;
    QTest::newRow("nothing matches") << 7 << 0;
  }
  void filtersChooseCalls() {
    QFETCH(int, which);
    QFETCH(int, count);
    session::CallFilter filter;
    switch (which) {
    case 1:
      filter.caseId = base::CaseId(1);
      break;
    case 2:
      filter.caseId = base::CaseId(2);
      filter.phase = event::CallPhase::Sample;
      break;
    case 3:
      filter.leg = event::Leg::Warm;
      break;
    case 4:
      filter.outcome = event::Outcome::Miss;
      break;
    case 5:
      filter.sectionId = base::SectionId(2);
      break;
    case 6:
      filter.templateId = base::TemplateId(2);
      break;
    case 7:
      filter.templateId = base::TemplateId(99);
      break;
    default:
      break;
    }
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    const std::vector<event::CallEvent> calls = callsOf(**opened, filter);
    QCOMPARE(calls.size(), static_cast<std::size_t>(count));
    QVERIFY(std::ranges::is_sorted(calls, {}, &event::CallEvent::id));
  }

  void aVisitorsErrorEndsTheReading() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    int seen = 0;
    const base::Result<void> read = (*opened)->eachCall({}, [&seen](const event::CallEvent &) -> base::Result<void> {
      ++seen;
      return base::fail(base::ErrorCode::Internal, "enough");
    });
    JS_COMPARE_ERROR(read, base::ErrorCode::Internal);
    QCOMPARE(seen, 1);
    QCOMPARE(callsOf(**opened).size(), std::size_t{21});
  }

  /// Names come from scripts: quotes, zero bytes, what is no UTF-8, nothing at all.
  void anyNameIsKept_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("kept"); // empty: as it is
    QTest::newRow("empty") << QByteArray("") << QByteArray();
    QTest::newRow("quotes") << QByteArray("it's \"f\"; DROP TABLE call;--") << QByteArray();
    QTest::newRow("zero byte") << QByteArray("a\0b", 3) << QByteArray();
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80") << QByteArray("\\xff\\xfe\\x80");
    QTest::newRow("many scripts") << QByteArray("矩陣·ДОТ·🧮") << QByteArray();
    QTest::newRow("long") << QByteArray(16 * 1024, 'n') << QByteArray();
    QTest::newRow("longer than a name may be") << QByteArray(1'000'000, 'n') << QByteArray(16 * 1024, 'n') + "…";
  }
  void anyNameIsKept() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, kept);
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), name.toStdString(), 1, false});
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    const auto functions = (*opened)->functions();
    JS_VERIFY_RESULT(functions);
    QCOMPARE(functions->size(), std::size_t{1});
    QCOMPARE(functions->front().name, (kept.isEmpty() ? name : kept).toStdString());
  }

  void extremeNumbersAreKept() {
    test::Recording recording;
    event::CallEvent call;
    call.id = base::CallId(std::numeric_limits<std::int64_t>::max());
    call.thread = std::numeric_limits<std::uint32_t>::max();
    call.process = std::numeric_limits<std::uint16_t>::max();
    call.templateId = base::TemplateId(1);
    call.executeNs = std::uint64_t{1} << 53U;
    constexpr std::uint64_t kEndNs = std::uint64_t{1} << 61U;
    call.startNs = kEndNs - call.executeNs;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
    recording.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), ""});
    recording.calls.push_back(call);
    JS_VERIFY_RESULT(test::writeSession(m_path, recording, {record::SessionStatus::Finished, "", kEndNs}));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    QCOMPARE(lines(callsOf(**opened)), lines(recording.calls));
  }

  void everyNamedValueSurvives() {
    using namespace event;
    test::Recording recording;
    recording.events.emplace_back(FunctionEvent{base::FunctionId(1), "f", 1, false});
    recording.events.emplace_back(TemplateEvent{base::TemplateId(1), base::FunctionId(1), ""});
    recording.events.emplace_back(BenchCaseEvent{base::CaseId(1), 1, "case", "", base::FunctionId(1), 0, 0, 1});
    std::uint64_t id = 0;
    for (const Outcome outcome : {Outcome::Hit, Outcome::Retrace, Outcome::Disk, Outcome::Miss, Outcome::Wait, Outcome::Bypass}) {
      for (const Leg leg : {Leg::None, Leg::Cold, Leg::Warm}) {
        for (const CallPhase phase : {CallPhase::Setup, CallPhase::Run, CallPhase::Warmup, CallPhase::Sample}) {
          if ((leg == Leg::None) != (phase == CallPhase::Run)) {
            continue; // calls of a case, and only they, belong to a leg
          }
          CallEvent call;
          call.id = base::CallId(++id);
          call.templateId = base::TemplateId(1);
          call.caseId = base::CaseId(leg == Leg::None ? 0 : 1);
          call.outcome = outcome;
          call.leg = leg;
          call.phase = phase;
          recording.calls.push_back(call);
        }
      }
    }
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(MissReason::DiskOtherTarget); ++i) {
      CompileEvent compile;
      compile.id = base::CompileId(i + 1U);
      compile.templateId = base::TemplateId(1);
      compile.reason = static_cast<MissReason>(i);
      recording.events.emplace_back(compile);
    }
    for (const LogLevel level : {LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Error}) {
      recording.events.emplace_back(LogEvent{0, level, "x"});
    }
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    QCOMPARE(lines(callsOf(**opened)), lines(recording.calls));
    QCOMPARE(lines((*opened)->compiles().value()), lines(of<CompileEvent>(recording.events)));
    QCOMPARE(lines((*opened)->logs().value()), lines(of<LogEvent>(recording.events)));
  }

  void manyBatchesShareTheirContexts() {
    auto writer = session::SessionWriter::create(m_path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    test::Recording names;
    for (std::uint32_t i = 1; i <= 3; ++i) {
      names.calls.push_back(test::makeCall(i, i, 1, 0, event::Outcome::Hit, 0, 0));
    }
    JS_VERIFY_RESULT((*writer)->write({test::complete(names).events, {}}));
    std::uint64_t id = 0;
    for (int batch = 0; batch < 50; ++batch) {
      std::vector<event::CallEvent> calls;
      for (int i = 0; i < 100; ++i) {
        ++id;
        calls.push_back(test::makeCall(id, static_cast<std::uint32_t>(1 + id % 3), 1, id * 1000, event::Outcome::Hit, 0, 50));
      }
      JS_VERIFY_RESULT((*writer)->write({{}, calls}));
    }
    JS_VERIFY_RESULT((*writer)->finish({}));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    QCOMPARE(*(*opened)->database().queryInteger("SELECT count(*) FROM call_context").value(), std::int64_t{3});
    QCOMPARE(callsOf(**opened).size(), std::size_t{5000});
  }

  void uuidsAreVersion4AndDiffer() {
    const QRegularExpression form("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    QSet<QString> seen;
    for (int i = 0; i < 1000; ++i) {
      const QString uuid = QString::fromStdString(session::makeUuid());
      QVERIFY2(form.match(uuid).hasMatch(), qPrintable(uuid));
      seen.insert(uuid);
    }
    QCOMPARE(seen.size(), qsizetype{1000});
  }

  void thisMachineIsDescribed() {
    const session::SessionInfo info = session::describeThisMachine();
    QVERIFY(!info.host.empty());
    QVERIFY(info.cpu.find("logical CPU") != std::string::npos);
    QVERIFY(info.os.find("Linux") != std::string::npos);
    QVERIFY(QRegularExpression("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$")
                .match(QString::fromStdString(info.startedUtc))
                .hasMatch());
    QCOMPARE(info.jitscopeVersion.empty(), false);
  }

private:
  QTemporaryDir m_folder;
  std::string m_path;
};

QTEST_GUILESS_MAIN(TestSessionRoundtrip)
#include "tst_session_roundtrip.moc"
