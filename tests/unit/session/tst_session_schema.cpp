// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/database.h"
#include "session/file/schema.h"
#include "session/rows/columns.h"
#include "session/rows/schema_reference.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <map>

using namespace jitscope;
using session::Database;

namespace {

/// The tables and columns that the outside relies on.
const std::map<QString, QString> kContract{
    {"session",
     "uuid jitscope_version llvm_version started_utc script_path script_sha256 script_text command_line host cpu cpu_features "
     "os options status error"},
    {"function", "id name line"},
    {"template", "id function_id signature"},
    {"section", "id name start_ns"},
    {"bench_case", "id bench name warmup_ns time_ns parallel"},
    {"bench_leg", "case_id leg position seed calls_per_sample clock_step_ns overhead_ns max_samples is_capped"},
    {"call", "id template_id section_id case_id leg phase thread process start_ns lookup_ns wait_ns compile_ns execute_ns total_ns "
             "outcome"},
    {"call_span", "id context_id first_id last_id start_ns last_start_ns calls min_ns max_ns total_ns"},
    {"compile", "id call_id template_id pipeline reason nearest_template_id difference trace_ns lower_ns optimize_ns codegen_ns "
                "link_ns total_ns code_bytes process"},
    {"function_work", "compile_id function_id optimized linked emitted optimize_ns emit_ns code_bytes"},
    {"pass", "id compile_id function_id stage seq name duration_ns changed"},
    {"remark", "id compile_id function_id kind pass name function line column_ message callee_id args"},
    {"loop", "id compile_id function_id holder_id unit_id symbol stage file line column_ order_ state pass width is_scalable "
             "interleave reason_name reason reason_line reason_column instruction is_reached"},
    {"ir", "id sha256 text"},
    {"ir_snapshot", "compile_id function_id stage pass_seq ir_id"},
    {"memory", "at_ns tensor_live_bytes tensor_peak_bytes cache_entries cache_code_bytes"},
    {"eviction", "at_ns template_id reason code_bytes"},
    {"case_statistic", "case_id leg name value"},
    {"expectation", "id line name passed expected actual"},
    {"log", "at_ns level message"},
};

} // namespace

class TestSessionSchema : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("sample.jitscope").toStdString();
    std::filesystem::remove(m_path);
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    base::Result<Database> opened = Database::open(m_path, Database::Access::ReadOnly);
    JS_VERIFY_RESULT(opened);
    m_database = *std::move(opened);
  }

  void cleanup() { m_database.close(); }

  void everyTableHasTheColumnsOfTheContract_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("columns");
    for (const auto &[table, columns] : kContract) {
      QTest::newRow(qPrintable(table)) << table << columns;
    }
  }
  void everyTableHasTheColumnsOfTheContract() {
    QFETCH(QString, table);
    QFETCH(QString, columns);
    QStringList actual;
    auto select = m_database.prepare(QString("SELECT name FROM pragma_table_info('%1')").arg(table).toStdString());
    JS_VERIFY_RESULT(select);
    while (select->step().value_or(false)) {
      actual.append(QString::fromUtf8(select->text(0).data(), static_cast<qsizetype>(select->text(0).size())));
    }
    for (const QString &column : columns.split(' ')) {
      QVERIFY2(actual.contains(column), qPrintable(column + " is not in " + actual.join(' ')));
    }
    if (table == "call") {
      QCOMPARE(actual.join(' '), columns);
    }
  }

  void theDocumentationListsEveryColumn() {
    QFile file(QStringLiteral(JITSCOPE_SOURCE_DIR "/docs/sessions.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString reference = QString::fromStdString(session::schemaReference());
    QVERIFY2(QString::fromUtf8(file.readAll()).contains(reference),
             "docs/sessions.md differs from what `jitscope manual schema` prints");
  }

  /// The declaration of rows is what SQLite made of it: names, order, NULL and references.
  void everyTableIsAsDeclared() {
    std::size_t tables = 0;
    for (const session::SessionTable &table : session::sessionTables()) {
      if (table.name == "merged_session") {
        continue;
      }
      ++tables;
      auto select = m_database.prepare(fmt::format(
          "SELECT c.name, c.\"notnull\" = 0 AND c.pk = 0, coalesce(f.\"table\", '') FROM pragma_table_info('{0}') c LEFT JOIN "
          "pragma_foreign_key_list('{0}') f ON f.\"from\" = c.name ORDER BY c.cid",
          table.name));
      JS_VERIFY_RESULT(select);
      for (const session::SessionColumn &column : table.columns) {
        QVERIFY2(select->step().value_or(false), column.name.data());
        QCOMPARE(std::string(select->text(0)), std::string(column.name));
        QCOMPARE(select->integer(1) != 0, column.isNullable);
        QCOMPARE(std::string(select->text(2)), column.isDeclared ? std::string(column.table) : std::string());
      }
      QVERIFY2(!select->step().value_or(true), table.name.data());
    }
    QCOMPARE(
        static_cast<std::int64_t>(tables),
        *m_database
             .queryInteger("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
             .value());
  }

  void theFileSaysWhatItIs() {
    QCOMPARE(*m_database.queryInteger("PRAGMA application_id").value(), std::int64_t{session::kApplicationId});
    QCOMPARE(*m_database.queryInteger("PRAGMA user_version").value(), std::int64_t{session::kSchemaVersion});
    QFile file(QString::fromStdString(m_path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.read(100).mid(68, 4), QByteArray("Jtsc"));
  }

  void aFinishedSessionIsOnePlainFile() {
    QCOMPARE(QString::fromStdString(*m_database.queryText("PRAGMA journal_mode").value()), QString("delete"));
    for (const char *suffix : {"-wal", "-shm", "-journal"}) {
      QVERIFY(!std::filesystem::exists(m_path + suffix));
    }
    QCOMPARE(std::distance(std::filesystem::directory_iterator(m_folder.path().toStdString()), {}), 1);
  }

  void aCallIsTheSumOfItsParts() {
    QCOMPARE(*m_database.queryInteger("SELECT count(*) FROM call").value(), std::int64_t{21});
    QCOMPARE(*m_database
                  .queryInteger("SELECT count(*) FROM call WHERE total_ns <> lookup_ns + wait_ns + compile_ns + execute_ns "
                                "OR total_ns IS NULL")
                  .value(),
             std::int64_t{0});
    QCOMPARE(*m_database.queryInteger("SELECT total_ns FROM call WHERE id = 2").value(), std::int64_t{1'004'050'000});
    QCOMPARE(*m_database.queryInteger("SELECT wait_ns FROM call WHERE id = 21").value(), std::int64_t{3'000'000});
    QCOMPARE(*m_database.queryInteger("SELECT total_ns FROM call WHERE id = 21").value(), std::int64_t{3'700'100});
  }

  void aCallReadsInPlainWords() {
    const auto words =
        m_database.queryText("SELECT leg || '|' || phase || '|' || outcome || '|' || process || '|' || case_id || '|' || "
                             "section_id || '|' || template_id || '|' || thread FROM call WHERE id = 7");
    JS_VERIFY_RESULT(words);
    QCOMPARE(QString::fromStdString(words->value_or("")), QString("cold|sample|miss|1|1|3|3|0"));
    QCOMPARE(*m_database.queryInteger("SELECT count(*) FROM call WHERE case_id IS NULL AND leg = '' AND phase = 'run'").value(),
             std::int64_t{7});
  }

  void referencesLeadSomewhere() {
    auto violations = m_database.prepare("PRAGMA foreign_key_check");
    JS_VERIFY_RESULT(violations);
    const base::Result<bool> found = violations->step();
    JS_VERIFY_RESULT(found);
    QVERIFY2(!*found, violations->text(0).data());
  }

  void missesAreFoundByIndex() {
    QString plan;
    auto explain = m_database.prepare("EXPLAIN QUERY PLAN SELECT id, total_ns FROM call WHERE outcome = 'miss'");
    JS_VERIFY_RESULT(explain);
    while (explain->step().value_or(false)) {
      plan += QString::fromUtf8(explain->text(3).data()) + "\n";
    }
    QVERIFY2(plan.contains("call_by_context"), qPrintable(plan));
  }

private:
  QTemporaryDir m_folder;
  std::string m_path;
  Database m_database;
};

QTEST_GUILESS_MAIN(TestSessionSchema)
#include "tst_session_schema.moc"
