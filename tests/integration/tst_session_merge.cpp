// SPDX-License-Identifier: GPL-3.0-or-later
// Merged sessions hold what their parts hold, once.
#include <QtTest>

#include "analysis/calls/session_counts.h"
#include "analysis/query/process_name.h"
#include "analysis/summary.h"
#include "report/reporter.h"
#include "session/import/session_merge.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/measured_sessions.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>

#include <sqlite3.h>

using namespace jitscope;
using base::ErrorCode;
using session::SessionReader;

namespace {

constexpr const char *kTables[] = {"function",       "template",    "section",      "bench_case",  "call_context",  "call_record",
                                   "compile",        "pass",        "retrieval",    "remark",      "memory",        "eviction",
                                   "case_statistic", "expectation", "log",          "ir_snapshot", "function_work", "study",
                                   "study_note",     "study_run",   "study_result", "bench_leg",   "call_span"};

void executeSql(const std::string &path, const char *sql) {
  sqlite3 *database = nullptr;
  QCOMPARE(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

std::int64_t number(SessionReader &reader, const std::string &sql) { return reader.database().queryInteger(sql)->value_or(-1); }

} // namespace

class TestSessionMerge : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;

  [[nodiscard]] std::string path(const std::string &name) const {
    return m_folder->filePath(QString::fromStdString(name)).toStdString();
  }

  void writeSample(const std::string &name, const char *uuid, const char *startedUtc, const char *script) const {
    session::SessionInfo info = test::sampleInfo();
    info.uuid = uuid;
    info.startedUtc = startedUtc;
    info.scriptPath = script;
    JS_VERIFY_RESULT(
        test::writeSession(path(name), test::sampleRecording(), {record::SessionStatus::Finished, "", test::kSampleEndNs}, info));
    executeSql(
        path(name),
        "INSERT INTO bench_leg VALUES(2, 'warm', 1, NULL, 1, 11.0, 24.0, 2000000, 0);"
        "INSERT INTO pass(compile_id, function_id, unit_id, stage, seq, name, duration_ns, changed) VALUES(2, 2, 1, 'module', "
        "1, 'sroa', 5, 1); INSERT INTO remark(compile_id, function_id, unit_id, stage, kind, pass, name, function, line, "
        "column_, message, args) VALUES(2, 2, 1, 'module', 'missed', 'loop-vectorize', 'x', 'f', 3, 1, 'm', ''); "
        "INSERT INTO study VALUES(1, 1, 2, 'f', 3, 0, '', '', '', ''); INSERT INTO study_note(study_id, message) VALUES(1, "
        "'n'); INSERT INTO study_run VALUES(1, 'deferred', 1, 1, 9); INSERT INTO compile SELECT (SELECT max(id) + 1 FROM "
        "compile), NULL, template_id, pipeline, 'study', NULL, '', start_ns, trace_ns, lower_ns, optimize_ns, codegen_ns, link_ns, "
        "total_ns, 1, process, target, 1, 0, 0 FROM compile WHERE id = 2; INSERT INTO study_result VALUES(1, 0, 'deferred', "
        "(SELECT max(id) FROM compile), "
        "1, 1, 1, 1, 1, 1, 0, 0, ''); INSERT INTO ir(sha256, text) "
        "VALUES('a4d26868017c0ccffe2efe50944ef4211834660cca834c6e9f86dec6a88246fa', 'shared'); INSERT INTO ir_snapshot VALUES(2, "
        "2, 'final', NULL, 1); "
        "INSERT INTO case_statistic VALUES(1, 'cold', 'median', 3.5)");
  }

  [[nodiscard]] base::Result<void> merge(const std::vector<std::string> &names, const std::string &target) const {
    std::vector<std::unique_ptr<SessionReader>> readers;
    std::vector<SessionReader *> sources;
    for (const std::string &name : names) {
      base::Result<std::unique_ptr<SessionReader>> reader = SessionReader::open(path(name));
      if (!reader) {
        return std::unexpected(reader.error());
      }
      readers.push_back(*std::move(reader));
      sources.push_back(readers.back().get());
    }
    return session::mergeSessions(sources, path(target));
  }

private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    writeSample("a.jitscope", "00000000-0000-4000-8000-00000000000a", "2024-05-01T12:00:01.500Z", "a.lua");
    writeSample("b.jitscope", "00000000-0000-4000-8000-00000000000b", "2024-05-01T12:00:00.000Z", "b.lua");
    writeSample("c.jitscope", "00000000-0000-4000-8000-00000000000c", "2024-05-01T12:00:09.000Z", "c.lua");
  }

  void everyTableHasTheRowsOfAllParts() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope", "c.jitscope"}, "all.jitscope"));
    const auto part = SessionReader::open(path("a.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    JS_VERIFY_RESULT(all);
    for (const char *table : kTables) {
      const std::string sql = std::string("SELECT count(*) FROM ") + table;
      const std::int64_t one = number(**part, sql);
      QVERIFY2(one > 0, table);
      QVERIFY2(number(**all, sql) == 3 * one, table);
    }
    QCOMPARE(number(**all, "SELECT count(*) FROM ir"), std::int64_t{1}); // the same in all three
    QCOMPARE(number(**all, "SELECT count(*) FROM session"), std::int64_t{1});
    QCOMPARE((*all)->session().status, record::SessionStatus::Finished);
    QCOMPARE(number(**all, "PRAGMA foreign_key_check"), std::int64_t{-1}); // no row: nothing refers to nowhere
    for (const char *suffix : {"-wal", "-shm", "-journal"}) {
      QVERIFY(!QFile::exists(QString::fromStdString(path("all.jitscope") + suffix)));
    }
  }

  void whatIsCountedIsTheSumOfTheParts() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto part = SessionReader::open(path("a.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    const auto one = analysis::readSessionCounts(**part);
    const auto both = analysis::readSessionCounts(**all);
    JS_VERIFY_RESULT(both);
    QCOMPARE(both->size(), one->size());
    for (const auto &[key, count] : *one) {
      QCOMPARE(both->at(key), 2 * count);
    }
    const auto summary = analysis::summarize(**all);
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->calls, std::uint64_t{42});
    QCOMPARE(summary->cases.size(), std::size_t{4});
    QCOMPARE(summary->cases[2].bench.bench, std::uint32_t{2}); // benches go on counting
    QCOMPARE(summary->cases[2].legs.size(), std::size_t{1});
    QCOMPARE(summary->cases[2].legs[0].times.sampleSize, std::uint64_t{4});
    QCOMPARE(summary->cases[2].legs[0].times.median, summary->cases[0].legs[0].times.median);
  }

  void reportsNameTheScriptThatSomethingCameFrom() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "ab.jitscope"));
    JS_VERIFY_RESULT(merge({"ab.jitscope", "c.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    const auto summary = analysis::summarize(**all);
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->parts.size(), std::size_t{3});
    QCOMPARE(summary->parts[1].scriptPath, std::string("b.lua"));
    for (const char *format : {"text", "markdown", "html"}) {
      const auto reporter = report::makeReporter(format);
      JS_VERIFY_RESULT(reporter);
      const QString text = QString::fromStdString(reporter->render(*summary));
      QVERIFY2(text.contains("3 sessions, merged"), format);
      QVERIFY2(text.contains("Benchmark 3 of c.lua"), format);
      // The second expectation of each part fails, at line 19.
      for (const char *place : {"a.lua:19", "b.lua:19", "c.lua:19"}) {
        QVERIFY2(text.contains(place), qPrintable(QString(format) + ": " + place));
      }
    }
    // Of a session that was recorded there are no parts.
    const auto one = SessionReader::open(path("a.jitscope"));
    const auto parts = (*one)->mergedParts();
    JS_VERIFY_RESULT(parts);
    QVERIFY(parts->empty());
  }

  void processesAreNamedByTheirRun() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    JS_VERIFY_RESULT(all);
    const auto parts = (*all)->mergedParts();
    JS_VERIFY_RESULT(parts);
    // Each has its script's process and one of a cold leg.
    for (const auto &[process, part, coldLeg, script] : {std::tuple(0, 1U, 0U, "a.lua"), std::tuple(1, 1U, 1U, "a.lua"),
                                                         std::tuple(2, 2U, 0U, "b.lua"), std::tuple(3, 2U, 1U, "b.lua")}) {
      const analysis::ProcessName name = analysis::nameOfProcess(static_cast<std::uint16_t>(process), *parts);
      QCOMPARE(name.part, part);
      QCOMPARE(name.coldLeg, coldLeg);
      QCOMPARE(name.scriptPath, std::string(script));
    }
    QCOMPARE(analysis::nameOfProcess(2, {}).part, 0U);
    QCOMPARE(analysis::nameOfProcess(2, {}).coldLeg, 2U);
  }

  void evictionsOfOtherPartsDoNotCount() {
    // In the time of the warm leg, except for the first part only.
    executeSql(path("a.jitscope"), "INSERT INTO eviction VALUES(6012000000, 1, 'entries', 10)");
    executeSql(path("a.jitscope"), "UPDATE session SET started_utc = '2024-05-01T12:00:00.000Z'");
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    const auto summary = analysis::summarize(**all);
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->cases[1].legs.back().evictions, std::uint64_t{1});
    QCOMPARE(summary->cases[3].legs.back().evictions, std::uint64_t{0});
  }

  void referencesLeadToTheSamePart() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    QCOMPARE(number(**all, "SELECT count(*) FROM pass p JOIN function f ON f.id = p.function_id WHERE p.unit_id = f.id - 1"),
             std::int64_t{2});
    QCOMPARE(number(**all, "SELECT count(DISTINCT s.function_id) FROM study s JOIN study_result r ON r.study_id = s.id JOIN "
                           "compile c ON c.id = r.compile_id JOIN study_note n ON n.study_id = s.id"),
             std::int64_t{2});
    // Each compile belongs to a call of its own template, and each to a function of its own part.
    QCOMPARE(number(**all, "SELECT count(*) FROM compile c JOIN call k ON k.id = c.call_id WHERE k.template_id = c.template_id"),
             std::int64_t{8});
    QCOMPARE(number(**all, "SELECT count(DISTINCT function_id) FROM template"), std::int64_t{4});
    QCOMPARE(number(**all, "SELECT count(*) FROM ir_snapshot s JOIN ir i ON i.id = s.ir_id WHERE i.text = 'shared'"),
             std::int64_t{2});
  }

  void timesCountFromTheEarliestStart() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    QCOMPARE((*all)->session().info.startedUtc, std::string("2024-05-01T12:00:00.000Z"));
    // Session a began 1.5 s later; its first call 1 ms after that.
    QCOMPARE(number(**all, "SELECT start_ns FROM call WHERE id = 1"), std::int64_t{1'501'000'000});
    QCOMPARE(number(**all, "SELECT start_ns FROM call WHERE id = 22"), std::int64_t{1'000'000});
    QCOMPARE((*all)->session().durationNs, test::kSampleEndNs + 1'500'000'000);
  }

  void processesAreKeptApart() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    // Each part has its own process, 0, and one of a cold leg, 1.
    QCOMPARE(number(**all, "SELECT count(DISTINCT process) FROM call"), std::int64_t{4});
    QCOMPARE(number(**all, "SELECT max(process) FROM call"), std::int64_t{3});
    QCOMPARE(number(**all, "SELECT first_process FROM merged_session WHERE script_path = 'b.lua'"), std::int64_t{2});
    QCOMPARE(number(**all, "SELECT last_process FROM merged_session WHERE script_path = 'b.lua'"), std::int64_t{3});
  }

  void mergingInStepsComesToTheSame() {
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "ab.jitscope"));
    JS_VERIFY_RESULT(merge({"ab.jitscope", "c.jitscope"}, "steps.jitscope"));
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope", "c.jitscope"}, "once.jitscope"));
    const auto steps = SessionReader::open(path("steps.jitscope"));
    const auto once = SessionReader::open(path("once.jitscope"));
    JS_VERIFY_RESULT(steps);
    for (const char *table : kTables) {
      const std::string sql = std::string("SELECT count(*) FROM ") + table;
      QCOMPARE(number(**steps, sql), number(**once, sql));
    }
    for (const char *sql : {"SELECT sum(id * start_ns) FROM call", "SELECT sum(id * template_id + process) FROM call",
                            "SELECT sum(first_process * 100 + last_process) FROM merged_session",
                            "SELECT count(*) FROM merged_session", "SELECT sum(start_ns) FROM merged_session"}) {
      QCOMPARE(number(**steps, sql), number(**once, sql));
    }
  }

  void theSameSessionTwiceIsRefused() {
    QVERIFY(QFile::copy(QString::fromStdString(path("a.jitscope")), QString::fromStdString(path("copy.jitscope"))));
    const base::Result<void> twice = merge({"a.jitscope", "copy.jitscope"}, "all.jitscope");
    JS_COMPARE_ERROR(twice, ErrorCode::StorageFormat);
    QVERIFY(twice.error().message.find("copy.jitscope") != std::string::npos);
    // Within a merged one, too.
    JS_VERIFY_RESULT(merge({"a.jitscope", "b.jitscope"}, "ab.jitscope"));
    JS_COMPARE_ERROR(merge({"ab.jitscope", "b.jitscope"}, "all.jitscope"), ErrorCode::StorageFormat);
    QVERIFY(!QFile::exists(QString::fromStdString(path("all.jitscope"))));
  }

  void aSessionThatIsBeingWrittenIsRefused() {
    const auto writer = session::SessionWriter::create(path("running.jitscope"), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    const base::Result<void> merged = merge({"a.jitscope", "running.jitscope"}, "all.jitscope");
    JS_COMPARE_ERROR(merged, ErrorCode::StorageFormat);
    QVERIFY(merged.error().message.find("still being written") != std::string::npos);
  }

  void whatIsThereIsNotReplaced() {
    JS_COMPARE_ERROR(merge({"a.jitscope"}, "b.jitscope"), ErrorCode::StorageExists);
    JS_COMPARE_ERROR(merge({"a.jitscope"}, "no/such/folder.jitscope"), ErrorCode::StorageOpen);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), 3);
  }

  void aFailedPartMakesAFailedWhole() {
    session::SessionInfo info = test::sampleInfo();
    info.scriptPath = "broken.lua";
    JS_VERIFY_RESULT(test::writeSession(path("broken.jitscope"), test::sampleRecording(),
                                        {record::SessionStatus::Failed, "line 3: no", test::kSampleEndNs}, info));
    JS_VERIFY_RESULT(merge({"a.jitscope", "broken.jitscope"}, "all.jitscope"));
    const auto all = SessionReader::open(path("all.jitscope"));
    QCOMPARE((*all)->session().status, record::SessionStatus::Failed);
    QCOMPARE((*all)->session().error, std::string("broken.lua: line 3: no"));
  }
};

QTEST_GUILESS_MAIN(TestSessionMerge)
#include "tst_session_merge.moc"
