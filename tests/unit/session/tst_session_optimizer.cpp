// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "event/sink.h"
#include "session/file/schema.h"
#include "session/import/event_importer.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

#include <fmt/format.h>

#include <limits>
#include <map>

using namespace jitscope;
using session::OptimizerReader;
using session::SessionReader;

namespace {

// Every field as text, so that a difference is seen and none is forgotten in a comparison.
std::string text(const event::FunctionEvent &e) {
  return fmt::format("{} {} {} {} {}", e.id.value, e.name, e.line, e.eager, e.symbol);
}
std::string text(const event::FunctionWork &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", e.functionId.value, e.optimized, e.linked, e.emitted, e.reused,
                     e.optimizeNs, e.emitNs, e.codeBytes, e.repeatOptimizeNs, e.repeatEmitNs, e.repeatCodeBytes);
}
std::string text(const event::PassRun &e) {
  return fmt::format("{} {} {} {} {} {} {} {:x}", e.functionId.value, e.unitId.value, nameOf(e.stage), e.seq, e.name, e.durationNs,
                     e.changed, e.fingerprint);
}
std::string text(const event::Remark &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", e.functionId.value, e.unitId.value, nameOf(e.stage), e.passSeq,
                     nameOf(e.kind), e.pass, e.name, e.function, e.file, e.line, e.column, e.message, e.calleeId.value, e.args);
}
std::string text(const event::LoopResult &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", e.functionId.value, e.holderId.value,
                     e.unitId.value, e.symbol, nameOf(e.stage), e.file, e.line, e.column, e.order, nameOf(e.state), e.pass, e.width,
                     e.isScalable, e.interleave, e.reasonName, e.reason, e.reasonLine, e.reasonColumn, e.instruction, e.isReached);
}
std::string text(const event::IrSnapshot &e) {
  return fmt::format("{} {} {} {}", e.functionId.value, nameOf(e.stage), e.passSeq, e.text);
}
std::string text(const event::StudyEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", e.id.value, e.sectionId.value, e.functionId.value, e.name, e.line,
                     e.isModules, e.triple, e.cpu, e.cpuFeatures, e.options);
}
std::string text(const event::StudyResultEvent &e) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", e.studyId.value, e.position, e.pipeline, e.compileId.value,
                     e.instructionsBefore, e.instructionsAfter, e.codeBytes, e.objects, e.isExecuted, e.isEqual, e.maxUlp,
                     e.ulpBound, e.error);
}
std::string text(const event::StudyRunEvent &e) {
  return fmt::format("{} {} {} {} {}", e.studyId.value, e.pipeline, e.repetition, e.calls, e.executeNs);
}
std::string text(const event::StudyNoteEvent &e) { return fmt::format("{} {}", e.studyId.value, e.message); }

template <typename T> QString lines(const std::vector<T> &rows) {
  std::string result;
  for (const T &row : rows) {
    result += text(row) + "\n";
  }
  return QString::fromStdString(result);
}

QString everything(const event::CompileEvent &compile) {
  return QString("%1 %2 %3\n").arg(compile.studyId.value).arg(compile.repetition).arg(compile.hasLoops) + lines(compile.work) +
         lines(compile.passes) + lines(compile.remarks) + lines(compile.loops) + lines(compile.snapshots);
}

template <typename T> std::vector<T> of(const std::vector<event::Event> &events) {
  std::vector<T> result;
  for (const event::Event &event : events) {
    if (const T *match = std::get_if<T>(&event)) {
      result.push_back(*match);
    }
  }
  return result;
}

class KeepingSink final : public event::Sink {
public:
  void call(const event::CallEvent &event) noexcept override { recording.calls.push_back(event); }
  void record(event::Event event) noexcept override { recording.events.push_back(std::move(event)); }

  test::Recording recording;
};

/// Gives new ids from 100 in the order in which things are met.
session::ImportIds freshIds(std::map<std::string, base::FunctionId> &functions) {
  session::ImportIds ids;
  ids.function = [&functions](const event::FunctionEvent &function) -> session::AssignedId<base::FunctionId> {
    const auto next = base::FunctionId(static_cast<std::uint32_t>(100 + functions.size()));
    const auto [entry, isNew] = functions.try_emplace(function.name, next);
    return {entry->second, isNew};
  };
  ids.templateOf = [](base::FunctionId, const event::TemplateEvent &) -> session::AssignedId<base::TemplateId> {
    return {base::TemplateId(200), true};
  };
  ids.newCall = [] { return base::CallId(300); };
  ids.newCompile = [] { return base::CompileId(400); };
  return ids;
}

} // namespace

class TestSessionOptimizer : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("study.jitscope").toStdString();
    std::filesystem::remove(m_path);
  }

  void everythingAboutACompileIsReadBackAsItWasRecorded() {
    const test::Recording recording = test::studyRecording();
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    const auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QCOMPARE(lines((*reader)->functions().value()), lines(of<event::FunctionEvent>(recording.events)));
    auto compiles = (*reader)->compilesWithWork();
    JS_VERIFY_RESULT(compiles);
    const auto recorded = of<event::CompileEvent>(recording.events);
    QCOMPARE(compiles->size(), recorded.size());
    for (const event::CompileEvent &expected : recorded) {
      const auto found = std::ranges::find(*compiles, expected.id, &event::CompileEvent::id);
      QVERIFY(found != compiles->end());
      JS_VERIFY_RESULT(OptimizerReader(**reader).attachTo(*found));
      QCOMPARE(everything(*found), everything(expected));
    }
    // The texts that the sample is about are there.
    QVERIFY(recorded[0].snapshots.at(1).text.find("<2 x double>") != std::string::npos);
  }

  void whatIsAtTheEdgeOfAFieldSurvives() {
    test::Recording recording;
    event::CompileEvent compile = test::makeCompile(1, 0, 1, 0, 0);
    compile.totalNs = std::uint64_t{1} << 53U;
    compile.optimizeNs = compile.totalNs - 4 * test::kMs;
    event::PassRun pass;
    pass.seq = std::numeric_limits<std::uint32_t>::max();
    pass.durationNs = compile.optimizeNs;
    pass.fingerprint = std::numeric_limits<std::uint64_t>::max(); // beyond what a signed integer holds
    compile.passes = {pass, event::PassRun{}};
    event::Remark remark;
    remark.kind = event::RemarkKind::Analysis;
    remark.line = std::numeric_limits<int>::max();
    remark.message = "'größe'\n\t\"x\"";
    compile.remarks = {remark, event::Remark{}};
    event::LoopResult loop;
    loop.state = event::LoopState::Vectorized;
    loop.width = std::numeric_limits<std::uint32_t>::max();
    loop.isScalable = true;
    loop.isReached = false;
    loop.reason = "'größe'\n";
    compile.loops = {loop, event::LoopResult{}};
    compile.hasLoops = true;
    compile.snapshots = {{base::FunctionId(), event::Stage::Final, 7, ""}};
    recording.events.emplace_back(compile);
    JS_VERIFY_RESULT(test::writeSession(m_path, recording, {record::SessionStatus::Finished, "", std::uint64_t{1} << 54U}));
    const auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    auto compiles = (*reader)->compilesWithWork();
    JS_VERIFY_RESULT(compiles);
    JS_VERIFY_RESULT(OptimizerReader(**reader).attachTo(compiles->at(0)));
    QCOMPARE(everything(compiles->at(0)), everything(compile));
  }

  void studiesAreReadBackAsTheyWereRecorded() {
    const test::Recording recording = test::studyRecording();
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    const auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    OptimizerReader reader(**opened);
    QCOMPARE(lines(reader.studies().value()), lines(of<event::StudyEvent>(recording.events)));
    QCOMPARE(lines(reader.studyResults().value()), lines(of<event::StudyResultEvent>(recording.events)));
    QCOMPARE(lines(reader.studyRuns().value()), lines(of<event::StudyRunEvent>(recording.events)));
    QCOMPARE(lines(reader.studyNotes().value()), lines(of<event::StudyNoteEvent>(recording.events)));
    QCOMPARE(of<event::StudyResultEvent>(recording.events).size(), std::size_t{3});
  }

  void equalTextsAreStoredOnce() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::studyRecording()));
    const auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    OptimizerReader reader(**opened);
    const auto snapshots = reader.snapshots();
    JS_VERIFY_RESULT(snapshots);
    QCOMPARE(snapshots->size(), std::size_t{7});
    QCOMPARE(*(*opened)->database().queryInteger("SELECT count(*) FROM ir").value(), std::int64_t{4});
    for (const session::SnapshotRow &row : *snapshots) {
      const auto text = reader.irText(row.irId);
      JS_VERIFY_RESULT(text);
      const QByteArray digest = QCryptographicHash::hash(QByteArray::fromStdString(*text), QCryptographicHash::Sha256).toHex();
      const std::string stored =
          fmt::format("SELECT count(*) FROM ir WHERE id = {} AND sha256 = '{}'", row.irId, digest.toStdString());
      QCOMPARE(*(*opened)->database().queryInteger(stored).value(), std::int64_t{1});
    }
    JS_COMPARE_ERROR(reader.irText(999), base::ErrorCode::StorageCorrupt);
  }

  void oneCompileIsReadWithoutTheOthers() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::studyRecording()));
    const auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    OptimizerReader reader(**opened);
    QCOMPARE(reader.passes().value().size(), std::size_t{15});
    QCOMPARE(reader.passes(base::CompileId(2)).value().size(), std::size_t{5});
    QCOMPARE(reader.remarks(base::CompileId(1)).value().size(), std::size_t{5});
    QCOMPARE(reader.snapshots(base::CompileId(2)).value().size(), std::size_t{3});
    QVERIFY(reader.passes(base::CompileId(77)).value().empty());
  }

  void anImportedCompileKeepsWhatTheOptimizerDid() {
    test::Recording recording = test::studyRecording();
    std::erase_if(recording.events, [](const event::Event &event) {
      const auto *compile = std::get_if<event::CompileEvent>(&event);
      const bool isResult = std::holds_alternative<event::StudyResultEvent>(event);
      return isResult || (compile != nullptr && compile->id.value != 1);
    });
    event::CompileEvent expected;
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event)) {
        compile->callId = base::CallId(1);
        compile->studyId = base::StudyId();
        compile->process = 1;
        compile->startNs = 0;
        expected = *compile;
      }
    }
    recording.events.emplace_back(event::BenchCaseEvent{base::CaseId(1), 1, "case", "", test::kOuter, 0, 0, 1});
    recording.calls.push_back(
        test::asSample(test::makeCall(1, 1, 1, 0, event::Outcome::Miss, 100 * test::kMs, 100), 1, event::Leg::Cold, 1));
    JS_VERIFY_RESULT(test::writeSession(m_path, recording));
    const auto child = SessionReader::open(m_path);
    JS_VERIFY_RESULT(child);
    std::map<std::string, base::FunctionId> functions;
    KeepingSink sink;
    session::ImportRequest request;
    request.childCase = base::CaseId(1);
    request.caseId = base::CaseId(9);
    request.process = 1;
    JS_VERIFY_RESULT(session::importCase(**child, request, freshIds(functions), sink));

    const auto rename = [&functions](base::FunctionId &id) {
      if (id.isValid()) {
        id = functions.at(id == test::kInner ? "__main__::inner" : "__main__::outer_logp_wrapper");
      }
    };
    for (event::FunctionWork &work : expected.work) {
      rename(work.functionId);
    }
    for (event::PassRun &pass : expected.passes) {
      rename(pass.functionId);
      rename(pass.unitId);
    }
    for (event::Remark &remark : expected.remarks) {
      rename(remark.functionId);
      rename(remark.unitId);
      rename(remark.calleeId);
    }
    for (event::LoopResult &loop : expected.loops) {
      rename(loop.functionId);
      rename(loop.holderId);
      rename(loop.unitId);
    }
    for (event::IrSnapshot &snapshot : expected.snapshots) {
      rename(snapshot.functionId);
    }
    const auto imported = of<event::CompileEvent>(sink.recording.events);
    QCOMPARE(imported.size(), std::size_t{1});
    QCOMPARE(everything(imported[0]), everything(expected));
    QVERIFY(functions.at("__main__::inner").value >= 100);
  }

  void theFirstFormatIsRefusedWithItsRemedy() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::studyRecording()));
    {
      auto database = session::Database::open(m_path, session::Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(database->execute("PRAGMA user_version = 1"));
    }
    const auto opened = SessionReader::open(m_path);
    JS_COMPARE_ERROR(opened, base::ErrorCode::StorageFormat);
    const QString message = QString::fromStdString(opened.error().message);
    QVERIFY2(message.contains("it was written by an older Jitscope (session format 1, this version reads " +
                              QString::number(session::kSchemaVersion) + "); record it again"),
             qPrintable(message));
  }

private:
  QTemporaryDir m_folder;
  std::string m_path;
};

QTEST_GUILESS_MAIN(TestSessionOptimizer)
#include "tst_session_optimizer.moc"
