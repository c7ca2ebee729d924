// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that no run has recorded so: what is said of them, and that reading them ends.
#include "analysis/summary.h"
#include "base/utf8.h"
#include "report/export/exporter.h"
#include "report/reporter.h"
#include "session/file/session_check.h"
#include "session/import/session_merge.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/hostile_sessions.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <random>
#include <tuple>

#include <sys/stat.h>

using namespace jitscope;
using base::ErrorCode;
using session::Database;
using session::SessionReader;

class TestUntrustedFiles : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    test::writeFullSession(path("good.jitscope"));
    m_good = test::readFile(path("good.jitscope"));
    QVERIFY(m_good.size() > 40'000);
  }
  void init() {
    for (const QString &name : QDir(m_folder.path()).entryList({"s.jitscope*"}, QDir::AllEntries | QDir::Hidden | QDir::System)) {
      QFile::remove(m_folder.filePath(name));
    }
    test::writeFile(path("s.jitscope"), m_good);
  }

  void aFullSessionIsSound() {
    auto reader = SessionReader::open(path("s.jitscope").toStdString());
    JS_VERIFY_RESULT(reader);
    const auto summary = analysis::summarize(**reader, {});
    JS_VERIFY_RESULT(summary);
    // Each table has a row, so that each column is looked at.
    for (const char *table : {"function",    "template",  "section",     "bench_case",     "bench_leg",    "call_context",
                              "call_record", "call_span", "compile",     "function_work",  "retrieval",    "pass",
                              "remark",      "ir",        "ir_snapshot", "study",          "study_result", "study_run",
                              "study_note",  "memory",    "eviction",    "case_statistic", "expectation",  "log"}) {
      const auto rows = (*reader)->database().queryInteger(std::string("SELECT count(*) FROM ") + table);
      JS_VERIFY_RESULT(rows);
      QVERIFY2(rows->value_or(0) > 0, table);
    }
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const test::HostileChange &change : test::hostileChanges()) {
      QTest::newRow(change.name) << index++;
    }
  }
  void whatIsWrongIsNamed() {
    QFETCH(int, index);
    const test::HostileChange &change = test::hostileChanges()[static_cast<std::size_t>(index)];
    test::executeSql(path("s.jitscope"), change.sql);
    const QByteArray before = test::readFile(path("s.jitscope"));
    QElapsedTimer timer;
    timer.start();
    const auto reader = SessionReader::open(path("s.jitscope").toStdString());
    QVERIFY2(timer.elapsed() < test::kPatienceMs, "it took too long");
    JS_COMPARE_ERROR(reader, change.isForeign ? ErrorCode::StorageFormat : ErrorCode::StorageCorrupt);
    const QString message = QString::fromStdString(reader.error().message);
    QVERIFY2(message.startsWith("cannot open the session \"" + path("s.jitscope") + "\": "), qPrintable(message));
    QVERIFY2(message.contains(change.message), qPrintable(message));
    QCOMPARE(test::readFile(path("s.jitscope")), before);
  }

  void referencesInACircleAreRead() {
    // Nobody follows them further than one step.
    test::executeSql(path("s.jitscope"), "UPDATE compile SET nearest_template_id = template_id");
    auto reader = SessionReader::open(path("s.jitscope").toStdString());
    JS_VERIFY_RESULT(reader);
    JS_VERIFY_RESULT(analysis::summarize(**reader, {}));
  }

  void whatIsRecordedIsUtf8() {
    test::Recording recording;
    recording.events.emplace_back(event::SectionEvent{base::SectionId(1),
                                                      "Gr\xc3\xb6\xc3\x9f"
                                                      "e \xff\xe2\x82",
                                                      0});
    QFile::remove(path("s.jitscope"));
    JS_VERIFY_RESULT(test::writeSession(path("s.jitscope").toStdString(), recording, {record::SessionStatus::Failed, "\x80", 5}));
    auto reader = SessionReader::open(path("s.jitscope").toStdString());
    JS_VERIFY_RESULT(reader);
    QCOMPARE((*reader)->sections()->at(0).name, std::string("Gr\xc3\xb6\xc3\x9f"
                                                            "e \\xff\\xe2\\x82"));
    QCOMPARE((*reader)->session().error, std::string("\\x80"));
  }

  void indexesMayBeMissing() {
    test::executeSql(path("s.jitscope"), "DROP INDEX call_by_context; DROP INDEX compile_by_call; DROP TABLE sqlite_stat1");
    JS_VERIFY_RESULT(SessionReader::open(path("s.jitscope").toStdString()));
  }

  void mergedSessionsAreSound() {
    test::writeFile(path("s.jitscope.other"), m_good);
    test::executeSql(path("s.jitscope.other"), "UPDATE session SET uuid = 'other', started_utc = '2024-05-01T12:00:09.000Z'");
    {
      auto one = SessionReader::open(path("s.jitscope").toStdString());
      auto two = SessionReader::open(path("s.jitscope.other").toStdString());
      JS_VERIFY_RESULT(one);
      JS_VERIFY_RESULT(two);
      const std::array<SessionReader *, 2> sources{one->get(), two->get()};
      JS_VERIFY_RESULT(session::mergeSessions(sources, path("s.jitscope.all").toStdString()));
    }
    JS_VERIFY_RESULT(SessionReader::open(path("s.jitscope.all").toStdString()));
  }

  void irUnderAnothersNameIsNotMerged() {
    test::executeSql(path("s.jitscope"), "UPDATE ir SET text = 'define void @evil()' WHERE id = 1");
    auto one = SessionReader::open(path("s.jitscope").toStdString());
    JS_VERIFY_RESULT(one);
    const std::array<SessionReader *, 1> sources{one->get()};
    const auto merged = session::mergeSessions(sources, path("s.jitscope.all").toStdString());
    JS_COMPARE_ERROR(merged, ErrorCode::StorageCorrupt);
    QVERIFY(merged.error().message.find("table ir, id 1, column sha256") != std::string::npos);
    QVERIFY(!QFile::exists(path("s.jitscope.all")));
  }

  void whatLiesBesideASessionIsNotFollowed_data() {
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("message");
    for (const char *suffix : {"-wal", "-shm", "-journal"}) {
      QTest::addRow("a link as %s", suffix) << suffix << "link" << "beside it is not a regular file; remove it";
      QTest::addRow("a pipe as %s", suffix) << suffix << "pipe" << "beside it is not a regular file; remove it";
    }
    QTest::newRow("a log of another session") << "-wal" << "log" << "-wal\" beside it is not its own; remove it";
    QTest::newRow("a journal that names other files") << "-journal" << "super" << "-journal\" beside it names other files";
  }
  void whatLiesBesideASessionIsNotFollowed() {
    QFETCH(QString, suffix);
    QFETCH(QString, kind);
    QFETCH(QString, message);
    const QString side = path("s.jitscope" + suffix);
    const QString victim = path("s.jitscope.victim");
    test::writeFile(victim, "precious");
    if (kind == "link") {
      QVERIFY(QFile::link(victim, side));
    } else if (kind == "pipe") {
      QCOMPARE(mkfifo(side.toUtf8().constData(), 0600), 0);
    } else if (kind == "log") {
      test::writeFile(side, QByteArray(4000, 'x'));
    } else {
      test::writeFile(side, victim.toUtf8() + QByteArray("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8));
    }
    const auto reader = SessionReader::open(path("s.jitscope").toStdString());
    JS_COMPARE_ERROR(reader, ErrorCode::StorageOpen);
    QVERIFY2(QString::fromStdString(reader.error().message).contains(message), reader.error().message.c_str());
    QCOMPARE(test::readFile(path("s.jitscope")), m_good);
    QCOMPARE(test::readFile(victim), QByteArray("precious"));
  }

  void theLogOfAnotherRunIsNotTakenOver() {
    // Two runs that were killed; the log of one lies beside the other.
    for (const char *name : {"s.jitscope", "s.jitscope.other"}) {
      QFile::remove(path(name));
      const int status = test::statusOfChild([this, name] {
        session::SessionInfo info = test::sampleInfo();
        info.uuid = name;
        auto writer = session::SessionWriter::create(path(name).toStdString(), info);
        const test::Recording recording = test::sampleRecording();
        if (!writer || !(*writer)->write({recording.events, recording.calls})) {
          return 2;
        }
        _exit(0);
      });
      QCOMPARE(status, 0);
    }
    // With the row of the session in it, by which the two are told apart.
    {
      auto database = Database::open(path("s.jitscope.other").toStdString(), Database::Access::ReadWrite);
      JS_VERIFY_RESULT(database);
      JS_VERIFY_RESULT(database->execute("UPDATE session SET error = 'x'"));
      QVERIFY(QFile::remove(path("s.jitscope-wal")));
      QVERIFY(QFile::copy(path("s.jitscope.other-wal"), path("s.jitscope-wal")));
    }
    const QByteArray before = test::readFile(path("s.jitscope"));
    const auto reader = SessionReader::open(path("s.jitscope").toStdString());
    QVERIFY(!reader);
    QVERIFY2(reader.error().message.find("belongs to another session") != std::string::npos, reader.error().message.c_str());
    QCOMPARE(test::readFile(path("s.jitscope")), before);
  }

  void aTransactionThatWasNotEndedIsTakenBack() {
    const int status = test::statusOfChild([this] {
      auto database = Database::open(path("s.jitscope").toStdString(), Database::Access::ReadWrite);
      // A cache of one page: what is changed goes to the file before the end.
      if (!database ||
          !database->execute("PRAGMA cache_size = 1; PRAGMA synchronous = OFF; BEGIN; UPDATE call_record SET start_ns = 5; "
                             "UPDATE remark SET message = hex(zeroblob(9000))")) {
        return 2;
      }
      _exit(0);
    });
    QCOMPARE(status, 0);
    QVERIFY(QFile::exists(path("s.jitscope-journal")));
    QVERIFY(test::readFile(path("s.jitscope")) != m_good);
    auto reader = SessionReader::open(path("s.jitscope").toStdString());
    JS_VERIFY_RESULT(reader);
    const auto start = (*reader)->database().queryInteger("SELECT start_ns FROM call_record WHERE id = 2");
    JS_VERIFY_RESULT(start);
    QCOMPARE(start->value_or(0), static_cast<std::int64_t>(10 * test::kMs));
  }

  void aLinkToASessionIsASession() {
    QVERIFY(QFile::link(path("s.jitscope"), path("s.jitscope.link")));
    JS_VERIFY_RESULT(SessionReader::open(path("s.jitscope.link").toStdString()));
  }

  void queriesWithoutEndAreStopped() {
    auto database = Database::open(path("s.jitscope").toStdString(), Database::Access::ReadOnly);
    JS_VERIFY_RESULT(database);
    JS_VERIFY_RESULT(database->distrust({.queryTime = std::chrono::milliseconds(50), .bytesPerSecond = 0}));
    const auto counted =
        database->queryInteger("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    JS_COMPARE_ERROR(counted, ErrorCode::StorageCorrupt);
    QVERIFY2(counted.error().message.find("a query was stopped after") != std::string::npos, counted.error().message.c_str());
    // The next one has its own time.
    JS_VERIFY_RESULT(database->queryInteger("SELECT count(*) FROM call"));
    // One that gives rows without end is stopped as well.
    auto rows = database->prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
    JS_VERIFY_RESULT(rows);
    base::Result<bool> row = true;
    while (row && *row) {
      row = rows->step();
    }
    JS_COMPARE_ERROR(row, ErrorCode::StorageCorrupt);
  }

  void whatIsHeldIsBounded() {
    auto database = Database::open(path("s.jitscope").toStdString(), Database::Access::ReadOnly);
    JS_VERIFY_RESULT(database);
    JS_VERIFY_RESULT(database->distrust({.valueBytes = 5000, .heldRows = 10, .heldBytes = 2048}));
    constexpr auto kRows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) SELECT %2 FROM n";
    const auto hold = [&](int rows, const char *value) -> base::Result<void> {
      auto select = database->prepare(QString(kRows).arg(rows).arg(value).toStdString());
      base::Result<bool> row = select->step();
      while (row && *row) {
        std::ignore = select->text(0);
        if (base::Result<void> fits = select->hold(); !fits) {
          return fits;
        }
        row = select->step();
      }
      return row ? base::Result<void>() : std::unexpected(row.error());
    };
    JS_VERIFY_RESULT(hold(10, "i"));
    const auto tooMany = hold(11, "i");
    JS_COMPARE_ERROR(tooMany, ErrorCode::StorageCorrupt);
    QVERIFY(tooMany.error().message.find("more than 10 rows") != std::string::npos);
    JS_COMPARE_ERROR(hold(3, "hex(zeroblob(400))"), ErrorCode::StorageCorrupt);
    const auto tooLong = hold(1, "hex(zeroblob(3000))");
    JS_COMPARE_ERROR(tooLong, ErrorCode::StorageCorrupt);
    QVERIFY2(tooLong.error().message.find("longer than a session may have") != std::string::npos, tooLong.error().message.c_str());
    QVERIFY(!database->execute("ATTACH ':memory:' AS other"));
    QVERIFY(!database->execute("SELECT load_extension('/nowhere')"));
  }

  void valuesOfLargeFilesAreCheckedAsTheyAreRead() {
    // As in a file that is too large to be looked at whole.
    for (const char *sql :
         {"UPDATE call_record SET lookup_ns = -5 WHERE id = 7", "UPDATE call_record SET start_ns = 'soon' WHERE id = 21",
          "UPDATE remark SET kind = 'gossip'", "UPDATE call_record SET context_id = 999 WHERE id = 5"}) {
      test::writeFile(path("s.jitscope"), m_good);
      test::executeSql(path("s.jitscope"), sql);
      auto reader = SessionReader::open(path("s.jitscope").toStdString(), {.verifyUpToBytes = 0, .repair = false});
      JS_VERIFY_RESULT(reader);
      const auto summary = analysis::summarize(**reader, {});
      const auto calls = (*reader)->eachCall({}, [](const event::CallEvent &) { return base::Result<void>(); });
      const auto remarks = session::OptimizerReader(**reader).remarks();
      QVERIFY2(!summary || !calls || !remarks, sql);
      const base::Error &error = !calls ? calls.error() : !remarks ? remarks.error() : summary.error();
      QVERIFY2(error.code == ErrorCode::StorageCorrupt, error.message.c_str());
      QVERIFY2(error.message.find("s.jitscope") != std::string::npos || error.message.find("context") != std::string::npos,
               error.message.c_str());
    }
  }

  void flippedBytesNeverCrash_data() {
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 8; ++seed) {
      QTest::addRow("seed %u", seed) << seed;
    }
  }
  void flippedBytesNeverCrash() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    int refused = 0;
    constexpr int kRounds = 25;
    for (int round = 0; round < kRounds; ++round) {
      QByteArray content = m_good;
      const unsigned flips = 1 + random() % 8;
      for (unsigned i = 0; i < flips; ++i) {
        content[static_cast<qsizetype>(100 + random() % static_cast<unsigned>(content.size() - 100))] = static_cast<char>(random());
      }
      test::writeFile(path("s.jitscope"), content);
      refused += readAll() ? 0 : 1;
    }
    qInfo("%d of %d were refused", refused, kRounds);
  }

  void randomUpdatesNeverCrash_data() { flippedBytesNeverCrash_data(); }
  void randomUpdatesNeverCrash() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const std::vector<QString> columns = columnsOf(path("s.jitscope"));
    constexpr std::array kValues{
        "-1",   "0",      "9223372036854775807", "-9223372036854775808", "4294967296", "1.5", "9e999", "x'ff'", "''", "'\xff'",
        "NULL", "'text'", "zeroblob(70000)"};
    for (int round = 0; round < 25; ++round) {
      test::writeFile(path("s.jitscope"), m_good);
      const QString &column = columns[random() % columns.size()];
      const QString sql =
          QString("UPDATE OR IGNORE \"%1\" SET \"%2\" = %3 WHERE random() % 2 = 0")
              .arg(column.section('.', 0, 0), column.section('.', 1, 1), QString::fromLatin1(kValues[random() % kValues.size()]));
      sqlite3 *database = nullptr;
      QCOMPARE(sqlite3_open(path("s.jitscope").toUtf8().constData(), &database), SQLITE_OK);
      sqlite3_exec(database, sql.toLatin1().constData(), nullptr, nullptr, nullptr); // constraints may refuse it
      sqlite3_close(database);
      std::ignore = readAll();
    }
  }

  void utf8IsToldFromOtherBytes() {
    for (const char *good : {"", "a",
                             "Gr\xc3\xb6\xc3\x9f"
                             "e",
                             "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf",
                             "12345678\xc3\xa4"
                             "abcdefgh"}) {
      QVERIFY2(base::isUtf8(good), good);
    }
    for (const char *bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                            "\xff", "12345678\xe2\x82", "abcdefg\xc3(hijklmnop"}) {
      QVERIFY2(!base::isUtf8(bad), bad);
    }
  }

private:
  [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

  /// Everything that readers make of the file; false where one of them refused it.
  [[nodiscard]] bool readAll() const {
    auto reader = SessionReader::open(path("s.jitscope").toStdString());
    if (!reader) {
      return false;
    }
    const auto summary = analysis::summarize(**reader, {});
    if (!summary) {
      return false;
    }
    for (const std::string_view format : report::reportFormats()) {
      const auto reporter = report::makeReporter(format);
      if (reporter) {
        std::ignore = reporter->render(*summary);
      }
    }
    const auto exporter = report::makeExporter("chrome-trace", "calls");
    return exporter && (*exporter)->write(**reader, [](std::string_view) { return base::Result<void>(); });
  }

  static std::vector<QString> columnsOf(const QString &path) {
    std::vector<QString> columns;
    auto database = Database::open(path.toStdString(), Database::Access::ReadOnly);
    auto select = database->prepare("SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
                                    "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1");
    while (select->step().value_or(false)) {
      columns.push_back(QString::fromStdString(std::string(select->text(0))));
    }
    return columns;
  }

  QTemporaryDir m_folder;
  QByteArray m_good;
};

QTEST_GUILESS_MAIN(TestUntrustedFiles)
#include "tst_untrusted_files.moc"
