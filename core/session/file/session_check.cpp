// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/session_check.h"

#include "base/try.h"
#include "base/utf8.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/file/schema.h"
#include "session/rows/call_spans.h"
#include "session/rows/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::session {

namespace {

using base::Result;

// ---- the schema

/// A row of sqlite_schema.
struct SchemaObject {
  std::string type;
  std::string name;
  std::string table;
  std::int64_t rootPage = 0;
  std::string sql; ///< empty: SQLite made it for a constraint
};

Result<std::vector<SchemaObject>> readSchema(Database &database) {
  return collect<SchemaObject>(
      database, "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid", [](const Statement &row) {
        return SchemaObject{textOf(row, 0), textOf(row, 1), textOf(row, 2), row.integer(3), textOf(row, 4)};
      });
}

/// A database with everything that a session can have.
Result<Database> makeReference() {
  JITSCOPE_TRY(Database reference, Database::inMemory());
  JITSCOPE_TRY_VOID(reference.execute(schemaSql() + indexSql() + mergedSql()));
  return reference;
}

/// What ANALYZE makes; which of them depends on how SQLite was built.
bool isStatisticsTable(const SchemaObject &object) {
  return object.type == "table" && object.table == object.name &&
         ((object.name == "sqlite_stat1" && object.sql == "CREATE TABLE sqlite_stat1(tbl,idx,stat)") ||
          (object.name == "sqlite_stat4" && object.sql == "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"));
}

bool mayBeMissing(const SchemaObject &object) { return object.type == "index" || object.table == "merged_session"; }

std::unexpected<base::Error> foreign(std::string_view what) {
  return base::fail(
      base::ErrorCode::StorageFormat,
      fmt::format("its schema is not that of session format {} ({}); take another copy of it, or record the run again",
                  kSchemaVersion, what));
}

// ---- the values

/// What is wrong with a value; empty for nothing.
std::string complaint(const Statement &row, int index, const SessionColumn &column) {
  const ValueType type = row.type(index);
  if (type == ValueType::Null) {
    return column.isNullable ? "" : "no value, but one is required";
  }
  switch (column.kind) {
  case ColumnKind::Word:
  case ColumnKind::Json:
  case ColumnKind::Text: {
    if (type != ValueType::Text) {
      return "a value that is not text";
    }
    const std::string_view text = row.text(index);
    if (text.size() > column.maxBytes) {
      return fmt::format("a text of {} bytes, where at most {} are possible", text.size(), column.maxBytes);
    }
    if (!base::isUtf8(text)) {
      return fmt::format("{}, which is not UTF-8", quotedValue(text));
    }
    return column.kind == ColumnKind::Word && !column.isWord(text)
               ? fmt::format("{}, which is not one of its words", quotedValue(text))
               : "";
  }
  case ColumnKind::Real: {
    if (type != ValueType::Real && type != ValueType::Integer) {
      return "a value that is not a number";
    }
    const double value = row.real(index);
    const bool isGood = !column.isFinite || (std::isfinite(value) && value >= 0);
    return isGood ? "" : fmt::format("{}, which is out of range", value);
  }
  default:
    break;
  }
  if (type != ValueType::Integer) {
    return type == ValueType::Text ? fmt::format("{}, which is not a whole number", quotedValue(row.text(index)))
                                   : "a value that is not a whole number";
  }
  const std::int64_t value = row.integer(index);
  return value < column.least || value > column.most ? fmt::format("{}, which is out of range", value) : "";
}

/// Goes over the tables of one session.
class ValueCheck {
public:
  ValueCheck(Database &database, CheckedTables tables) : m_database(database), m_tables(tables) {}
  Result<void> run();

private:
  /// What the calls add up to that spans stand for: those up to a last one.
  struct CallSums {
    std::int64_t lastId = 0;
    std::uint64_t calls = 0;
    std::uint64_t totalNs = 0;
    std::uint64_t minNs = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t maxNs = 0;
  };

  Result<void> readIds(const std::vector<SessionTable> &tables);
  Result<void> checkTable(const SessionTable &table);
  Result<void> checkRow(const SessionTable &table, const Statement &row, std::uint64_t position, std::vector<std::int64_t> &sums);
  Result<void> checkSession();
  Result<void> checkSpans();
  Result<void> expectNone(std::string_view sql, std::string_view what);

  Database &m_database;
  CheckedTables m_tables;
  std::map<std::string, std::vector<std::int64_t>, std::less<>> m_ids; ///< of tables that others refer to, in order
  CallSums m_calls;
};

std::unexpected<base::Error> wrong(std::string message) { return base::fail(base::ErrorCode::StorageCorrupt, std::move(message)); }

Result<void> ValueCheck::readIds(const std::vector<SessionTable> &tables) {
  for (const SessionTable &table : tables) {
    for (const SessionColumn &column : table.columns) {
      if (!column.isDeclared || m_ids.contains(column.table)) {
        continue;
      }
      JITSCOPE_TRY(std::vector<std::int64_t> ids,
                   collect<std::int64_t>(m_database, fmt::format("SELECT id FROM \"{}\" ORDER BY id", column.table),
                                         [](const Statement &row) { return row.integer(0); }));
      // Ids count from 1 without gaps to speak of, by which readers may keep what they know of each in a row.
      constexpr std::int64_t kGaps = 1'000'000;
      if (!ids.empty() && ids.back() > kGaps + 16 * static_cast<std::int64_t>(ids.size())) {
        return wrong(fmt::format("table {}: the id {} is far beyond its {} rows", column.table, ids.back(), ids.size()));
      }
      m_ids.emplace(std::string(column.table), std::move(ids));
    }
  }
  return {};
}

Result<void> ValueCheck::checkRow(const SessionTable &table, const Statement &row, std::uint64_t position,
                                  std::vector<std::int64_t> &sums) {
  const auto place = [&](const SessionColumn &column) {
    const bool hasId = table.columns.front().kind == ColumnKind::Id && row.type(0) == ValueType::Integer;
    return fmt::format("table {}, {} {}, column {}", table.name, hasId ? "id" : "row",
                       hasId ? row.integer(0) : static_cast<std::int64_t>(position), column.name);
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const SessionColumn &column = table.columns[i];
    const int index = static_cast<int>(i);
    if (const std::string what = complaint(row, index, column); !what.empty()) {
      return wrong(fmt::format("{}: {}", place(column), what));
    }
    if (column.isDeclared && row.type(index) != ValueType::Null) {
      const std::vector<std::int64_t> &ids = m_ids.find(column.table)->second;
      const std::int64_t id = row.integer(index);
      // Nearly always the ids are 1, 2, 3 and so on.
      const bool isInPlace = id >= 1 && static_cast<std::uint64_t>(id) <= ids.size() && ids[static_cast<std::size_t>(id) - 1] == id;
      if (!isInPlace && !std::ranges::binary_search(ids, id)) {
        return wrong(fmt::format("{}: {} {}, which the session does not hold", place(column), column.table, id));
      }
    }
    if (column.isSummed() && __builtin_add_overflow(sums[i], row.integer(index), &sums[i])) {
      return wrong(fmt::format("{}: the sum of the values up to here does not fit into 64 bits", place(column)));
    }
  }
  return {};
}

Result<void> ValueCheck::checkTable(const SessionTable &table) {
  std::vector<std::string> names;
  std::ranges::transform(table.columns, std::back_inserter(names),
                         [](const SessionColumn &column) { return fmt::format("\"{}\"", column.name); });
  const bool isOfCalls = table.name == "call_record";
  if (isOfCalls) {
    names.emplace_back("total_ns");
  }
  JITSCOPE_TRY(Statement select, m_database.prepare(fmt::format("SELECT {} FROM \"{}\"", fmt::join(names, ", "), table.name)));
  std::vector<std::int64_t> sums(table.columns.size(), 0);
  for (std::uint64_t position = 1;; ++position) {
    JITSCOPE_TRY(const bool found, select.step());
    if (!found) {
      break;
    }
    JITSCOPE_TRY_VOID(checkRow(table, select, position, sums));
    if (isOfCalls && select.integer(0) <= m_calls.lastId) {
      const std::uint64_t totalNs = select.unsignedInteger(static_cast<int>(table.columns.size()));
      ++m_calls.calls;
      m_calls.totalNs += totalNs;
      m_calls.minNs = std::min(m_calls.minNs, totalNs);
      m_calls.maxNs = std::max(m_calls.maxNs, totalNs);
    }
  }
  for (const SessionColumn &column : table.columns) {
    if (column.kind == ColumnKind::Json) {
      JITSCOPE_TRY_VOID(expectNone(fmt::format("SELECT id FROM \"{0}\" WHERE \"{1}\" <> '' AND iif(json_valid(\"{1}\"), "
                                               "json_type(\"{1}\") <> 'array', 1) LIMIT 1",
                                               table.name, column.name),
                                   fmt::format("table {}, id {{}}, column {}: it is not a JSON array", table.name, column.name)));
    }
  }
  return {};
}

Result<void> ValueCheck::expectNone(std::string_view sql, std::string_view what) {
  JITSCOPE_TRY(const std::optional<std::int64_t> found, m_database.queryInteger(sql));
  return found ? wrong(fmt::format(fmt::runtime(what), *found)) : Result<void>();
}

Result<void> ValueCheck::checkSession() {
  JITSCOPE_TRY(const std::optional<std::int64_t> rows, m_database.queryInteger("SELECT count(*) FROM session"));
  if (rows != 1) {
    return wrong(rows == 0 ? std::string("table session is empty") : fmt::format("table session has {} rows", rows.value_or(0)));
  }
  JITSCOPE_TRY_VOID(
      expectNone("SELECT id FROM template WHERE function_id IS NULL LIMIT 1", "table template, id {}: it has no function"));
  return expectNone("SELECT case_id FROM bench_leg GROUP BY case_id, leg HAVING count(*) > 1 LIMIT 1",
                    "table bench_leg: case {} has two legs of one kind");
}

Result<void> ValueCheck::checkSpans() {
  JITSCOPE_TRY_VOID(expectNone("SELECT c.id FROM call_context c LEFT JOIN (SELECT context_id, count(*) AS calls, sum(total_ns) AS "
                               "total_ns FROM call_record GROUP BY context_id) r ON r.context_id = c.id "
                               "WHERE c.calls <> coalesce(r.calls, 0) OR c.total_ns <> coalesce(r.total_ns, 0) LIMIT 1",
                               "table call_context, id {}: its calls or their total time are not those of table call_record"));
  JITSCOPE_TRY_VOID(expectNone(
      fmt::format("SELECT s.id FROM call_span s LEFT JOIN call_record f ON f.id = s.first_id LEFT JOIN call_record l ON "
                  "l.id = s.last_id WHERE f.context_id IS NOT s.context_id OR f.start_ns IS NOT s.start_ns OR l.id IS NULL OR "
                  "s.first_id > s.last_id OR s.start_ns > s.last_start_ns OR s.calls NOT BETWEEN 1 AND {} OR s.min_ns > s.max_ns "
                  "OR s.total_ns NOT BETWEEN s.min_ns AND s.max_ns * s.calls LIMIT 1",
                  kCallsPerSpan),
      "table call_span, id {}: it does not match the calls that it summarizes"));
  JITSCOPE_TRY(Statement select, m_database.prepare("SELECT sum(calls), sum(total_ns), min(min_ns), max(max_ns) FROM call_span"));
  JITSCOPE_TRY(const bool found, select.step());
  if (found && !select.isNull(0)) {
    const bool isEqual = select.unsignedInteger(0) == m_calls.calls && select.unsignedInteger(1) == m_calls.totalNs &&
                         select.unsignedInteger(2) == m_calls.minNs && select.unsignedInteger(3) == m_calls.maxNs;
    JITSCOPE_TRY_VOID(select.sound());
    if (!isEqual) {
      return wrong(
          fmt::format("table call_span: its {} calls are not the {} that table call_record has up to id {}, or took another "
                      "time",
                      select.integer(0), m_calls.calls, m_calls.lastId));
    }
  }
  return {};
}

Result<void> ValueCheck::run() {
  JITSCOPE_TRY(const std::vector<SchemaObject> objects, readSchema(m_database));
  std::vector<SessionTable> tables = sessionTables();
  std::erase_if(tables, [&](const SessionTable &table) {
    const bool isThere = std::ranges::find(objects, table.name, &SchemaObject::name) != objects.end();
    return !isThere || (m_tables != CheckedTables::All && table.isLarge);
  });
  JITSCOPE_TRY_VOID(checkSession());
  JITSCOPE_TRY_VOID(readIds(tables));
  if (m_tables == CheckedTables::All) {
    JITSCOPE_TRY(const std::optional<std::int64_t> last, m_database.queryInteger("SELECT max(last_id) FROM call_span"));
    m_calls.lastId = last.value_or(0);
  }
  for (const SessionTable &table : tables) {
    JITSCOPE_TRY_VOID(checkTable(table));
  }
  return m_tables == CheckedTables::All ? checkSpans() : Result<void>();
}

} // namespace

Result<void> checkSchema(Database &database) {
  JITSCOPE_TRY(const std::vector<SchemaObject> objects, readSchema(database));
  JITSCOPE_TRY(Database reference, makeReference());
  JITSCOPE_TRY(const std::vector<SchemaObject> expected, readSchema(reference));
  std::set<std::int64_t> rootPages{1}; // sqlite_schema's own
  for (const SchemaObject &object : objects) {
    const auto known = std::ranges::find(expected, object.name, &SchemaObject::name);
    const auto named = [&] { return fmt::format("{} {}", object.type.substr(0, 20), quotedValue(object.name)); };
    if (known == expected.end() ? !isStatisticsTable(object) : false) {
      return foreign(fmt::format("it has the {}, which is not part of a session", named()));
    }
    if (known != expected.end() && (known->type != object.type || known->table != object.table || known->sql != object.sql)) {
      return foreign(fmt::format("its {} is not the {} of a session", named(), known->type));
    }
    if (object.rootPage != 0 && !rootPages.insert(object.rootPage).second) {
      return foreign(fmt::format("its {} shares its storage with something else", named()));
    }
    if ((object.rootPage == 0) != (object.type == "view")) {
      return foreign(fmt::format("its {} has no storage", named()));
    }
  }
  for (const SchemaObject &object : expected) {
    if (!mayBeMissing(object) && std::ranges::find(objects, object.name, &SchemaObject::name) == objects.end()) {
      return foreign(fmt::format("it lacks the {} \"{}\"", object.type, object.name));
    }
  }
  return {};
}

Result<void> checkValues(Database &database, CheckedTables tables) { return ValueCheck(database, tables).run(); }

} // namespace jitscope::session
