// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/table_copy.h"

#include "base/try.h"
#include "session/database.h"
#include "session/query.h"

#include <sqlite3.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {

namespace {

using base::Result;

struct Finalize {
  void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};
/// For values of any type, which `Statement` does not know.
using RawStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

Result<RawStatement> prepareRaw(Database &database, const std::string &sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) {
    return std::unexpected(lastError(database.handle()));
  }
  return RawStatement(statement);
}

/// Which table a column's ids are of.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kReferences{{{"function_id", "function"},
                                                                                     {"holder_id", "function"},
                                                                                     {"unit_id", "function"},
                                                                                     {"study_id", "study"},
                                                                                     {"first_function_id", "function"},
                                                                                     {"last_function_id", "function"},
                                                                                     {"first_expectation_id", "expectation"},
                                                                                     {"last_expectation_id", "expectation"},
                                                                                     {"template_id", "template"},
                                                                                     {"nearest_template_id", "template"},
                                                                                     {"section_id", "section"},
                                                                                     {"case_id", "bench_case"},
                                                                                     {"context_id", "call_context"},
                                                                                     {"call_id", "call_record"},
                                                                                     {"compile_id", "compile"}}};

std::int64_t offsetFor(const std::string &table, std::string_view column, const Offsets &offsets) {
  if (column == "id") {
    return offsets.of(table);
  }
  if (column == "start_ns" || column == "at_ns") {
    return offsets.timeNs;
  }
  if (column == "process" || column == "first_process" || column == "last_process") {
    return offsets.process;
  }
  if (column == "bench" || column == "first_bench" || column == "last_bench") {
    return offsets.bench;
  }
  const auto *const known = std::ranges::find(kReferences, column, &std::pair<std::string_view, std::string_view>::first);
  return known == kReferences.end() ? 0 : offsets.of(std::string(known->second));
}

Result<std::vector<std::string>> readNames(Database &database, const std::string &sql) {
  return collect<std::string>(database, sql, [](const Statement &row) { return textOf(row, 0); });
}

/// Tables with content of their own, in the order of their creation, by which a table comes after those it refers to.
Result<std::vector<std::string>> tablesOf(Database &database) {
  return readNames(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND "
                             "name <> 'session' ORDER BY rowid");
}

Result<std::vector<std::string>> columnsOf(Database &database, const std::string &table) {
  return readNames(database, fmt::format("SELECT name FROM pragma_table_info('{}') ORDER BY cid", table));
}

/// Makes what the source has and the target lacks: sessions of versions in between.
Result<void> makeRoom(Database &source, Database &target, const std::string &table, const std::vector<std::string> &columns) {
  JITSCOPE_TRY(const std::vector<std::string> known, columnsOf(target, table));
  if (known.empty()) {
    Result<std::optional<std::string>> sql =
        source.queryText(fmt::format("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '{}'", table));
    return sql ? target.execute(sql->value_or("")) : std::unexpected(std::move(sql.error()));
  }
  for (const std::string &column : columns) {
    if (std::ranges::find(known, column) == known.end()) {
      if (Result<void> added = target.execute(fmt::format(R"(ALTER TABLE "{}" ADD COLUMN "{}")", table, column)); !added) {
        return added;
      }
    }
  }
  return {};
}

/// Ids of IR in the source, and what they are in the target.
using IrIds = std::unordered_map<std::int64_t, std::int64_t>;

Result<IrIds> copyIr(Database &source, Database &target) {
  const Result<RawStatement> select = prepareRaw(source, "SELECT id, sha256, text FROM ir ORDER BY id");
  const Result<RawStatement> insert =
      prepareRaw(target, "INSERT INTO ir(sha256, text) VALUES(?1, ?2) ON CONFLICT(sha256) DO NOTHING");
  const Result<RawStatement> find = prepareRaw(target, "SELECT id FROM ir WHERE sha256 = ?1");
  for (const Result<RawStatement> *statement : {&select, &insert, &find}) {
    if (!*statement) {
      return std::unexpected(statement->error());
    }
  }
  IrIds ids;
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(select->get())) == SQLITE_ROW) {
    for (int column = 1; column <= 2; ++column) {
      sqlite3_bind_value(insert->get(), column, sqlite3_column_value(select->get(), column));
    }
    sqlite3_bind_value(find->get(), 1, sqlite3_column_value(select->get(), 1));
    if (sqlite3_step(insert->get()) != SQLITE_DONE || sqlite3_step(find->get()) != SQLITE_ROW) {
      return std::unexpected(lastError(target.handle()));
    }
    ids.emplace(sqlite3_column_int64(select->get(), 0), sqlite3_column_int64(find->get(), 0));
    sqlite3_reset(insert->get());
    sqlite3_reset(find->get());
  }
  if (status != SQLITE_DONE) {
    return std::unexpected(lastError(source.handle()));
  }
  return ids;
}

Result<void> copyTable(Database &source, Database &target, const std::string &table, const Offsets &offsets, const IrIds &irIds) {
  JITSCOPE_TRY(const std::vector<std::string> columns, columnsOf(source, table));
  if (Result<void> made = makeRoom(source, target, table, columns); !made) {
    return made;
  }
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::vector<std::string> parameters;
  int irColumn = -1;
  for (const std::string &column : columns) {
    irColumn = column == "ir_id" ? static_cast<int>(names.size()) : irColumn;
    const std::int64_t offset = offsetFor(table, column, offsets);
    names.push_back(fmt::format("\"{}\"", column));
    values.push_back(offset == 0 ? names.back() : fmt::format("\"{}\" + {}", column, offset));
    parameters.push_back(fmt::format("?{}", names.size()));
  }
  const Result<RawStatement> select = prepareRaw(source, fmt::format("SELECT {} FROM \"{}\"", fmt::join(values, ", "), table));
  const Result<RawStatement> insert = prepareRaw(
      target, fmt::format("INSERT INTO \"{}\"({}) VALUES({})", table, fmt::join(names, ", "), fmt::join(parameters, ", ")));
  if (!select || !insert) {
    return std::unexpected((select ? insert : select).error());
  }
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(select->get())) == SQLITE_ROW) {
    for (int column = 0; column < static_cast<int>(names.size()); ++column) {
      sqlite3_bind_value(insert->get(), column + 1, sqlite3_column_value(select->get(), column));
    }
    if (irColumn >= 0) {
      const auto known = irIds.find(sqlite3_column_int64(select->get(), irColumn));
      if (known == irIds.end()) {
        return base::fail(base::ErrorCode::StorageCorrupt,
                          fmt::format("table {} refers to IR that the session does not hold", table));
      }
      sqlite3_bind_int64(insert->get(), irColumn + 1, known->second);
    }
    if (sqlite3_step(insert->get()) != SQLITE_DONE) {
      return std::unexpected(lastError(target.handle()));
    }
    sqlite3_reset(insert->get());
  }
  return status == SQLITE_DONE ? Result<void>() : std::unexpected(lastError(source.handle()));
}

} // namespace

std::int64_t Offsets::of(const std::string &table) const {
  const auto known = ids.find(table);
  return known == ids.end() ? 0 : known->second;
}

Result<Offsets> readOffsets(Database &target) {
  Offsets offsets;
  JITSCOPE_TRY(const std::vector<std::string> tables, tablesOf(target));
  const auto read = [&target](const std::string &sql) -> Result<std::int64_t> {
    const Result<std::optional<std::int64_t>> value = target.queryInteger(sql);
    return value ? Result<std::int64_t>(value->value_or(0)) : std::unexpected(value.error());
  };
  for (const std::string &table : tables) {
    JITSCOPE_TRY(const std::vector<std::string> columns, columnsOf(target, table));
    if (std::ranges::find(columns, "id") != columns.end()) {
      JITSCOPE_TRY(const std::int64_t last, read(fmt::format("SELECT coalesce(max(id), 0) FROM \"{}\"", table)));
      offsets.ids[table] = last;
    }
  }
  const Result<std::int64_t> bench = read("SELECT coalesce(max(bench), 0) FROM bench_case");
  // The first session keeps its numbers: none is taken yet.
  const Result<std::int64_t> process = read("SELECT coalesce(max(last_process) + 1, 0) FROM merged_session");
  if (!bench || !process) {
    return std::unexpected(!bench ? bench.error() : process.error());
  }
  offsets.bench = *bench;
  offsets.process = *process;
  return offsets;
}

Result<void> copyTables(Database &source, Database &target, const Offsets &offsets) {
  const Result<std::vector<std::string>> tables = tablesOf(source);
  JITSCOPE_TRY(const IrIds irIds, tables ? copyIr(source, target) : std::unexpected(tables.error()));
  for (const std::string &table : *tables) {
    if (table != "ir") {
      if (Result<void> copied = copyTable(source, target, table, offsets, irIds); !copied) {
        return copied;
      }
    }
  }
  return {};
}

} // namespace jitscope::session
