// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/table_copy.h"

#include "base/sha256.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/rows/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {

namespace {

using base::Result;

/// Texts of IR are the same in all sessions, and are numbered again.
bool isOfIr(const SessionColumn &column) { return column.kind == ColumnKind::Reference && column.table == "ir"; }

std::int64_t offsetFor(const SessionColumn &column, const Offsets &offsets) {
  switch (column.kind) {
  case ColumnKind::Id:
  case ColumnKind::Reference:
    return isOfIr(column) ? 0 : offsets.of(column.table);
  case ColumnKind::Moment:
    return offsets.timeNs;
  case ColumnKind::Process:
    return offsets.process;
  default:
    return isBench(column.name) ? offsets.bench : 0;
  }
}

/// Tables with content of their own, in the order of their creation.
Result<std::vector<SessionTable>> tablesOf(Database &database) {
  JITSCOPE_TRY(std::vector<SessionTable> tables, describeTables(database));
  std::erase_if(tables, [](const SessionTable &table) { return table.name == "session"; });
  return tables;
}

/// Ids of IR in the source, and what they are in the target.
using IrIds = std::unordered_map<std::int64_t, std::int64_t>;

Result<IrIds> copyIr(Database &source, Database &target) {
  JITSCOPE_TRY(Statement select, source.prepare("SELECT id, sha256, text FROM ir ORDER BY id"));
  JITSCOPE_TRY(Statement insert, target.prepare("INSERT INTO ir(sha256, text) VALUES(?1, ?2) ON CONFLICT(sha256) DO NOTHING"));
  JITSCOPE_TRY(Statement find, target.prepare("SELECT id FROM ir WHERE sha256 = ?1"));
  IrIds ids;
  for (;;) {
    JITSCOPE_TRY(const bool found, select.step());
    if (!found) {
      return ids;
    }
    // Equal sums stand for equal texts in other sessions, too, so they are not taken on trust.
    const std::string sum = base::sha256Of(select.text(2));
    if (sum != select.text(1)) {
      return base::fail(base::ErrorCode::StorageCorrupt,
                        fmt::format("table ir, id {}, column sha256: it is not that of the text", select.integer(0)));
    }
    insert.bind(1, std::string_view(sum));
    insert.bindFrom(2, select, 2);
    JITSCOPE_TRY_VOID(insert.run());
    find.bind(1, std::string_view(sum));
    JITSCOPE_TRY_VOID(find.step());
    ids.emplace(select.integer(0), find.integer(0));
    find.reset();
  }
}

Result<void> copyTable(Database &source, Database &target, const SessionTable &table, const Offsets &offsets, const IrIds &irIds) {
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::vector<std::string> parameters;
  int irColumn = -1;
  for (const SessionColumn &column : table.columns) {
    irColumn = isOfIr(column) ? static_cast<int>(names.size()) : irColumn;
    const std::int64_t offset = offsetFor(column, offsets);
    names.push_back(fmt::format("\"{}\"", column.name));
    values.push_back(offset == 0 ? names.back() : fmt::format("\"{}\" + {}", column.name, offset));
    parameters.push_back(fmt::format("?{}", names.size()));
  }
  JITSCOPE_TRY(Statement select, source.prepare(fmt::format("SELECT {} FROM \"{}\"", fmt::join(values, ", "), table.name)));
  JITSCOPE_TRY(Statement insert, target.prepare(fmt::format("INSERT INTO \"{}\"({}) VALUES({})", table.name, fmt::join(names, ", "),
                                                            fmt::join(parameters, ", "))));
  for (;;) {
    JITSCOPE_TRY(const bool found, select.step());
    if (!found) {
      return {};
    }
    for (int column = 0; column < static_cast<int>(names.size()); ++column) {
      insert.bindFrom(column + 1, select, column);
    }
    if (irColumn >= 0) {
      const auto known = irIds.find(select.integer(irColumn));
      if (known == irIds.end()) {
        return base::fail(base::ErrorCode::StorageCorrupt,
                          fmt::format("table {} refers to IR that the session does not hold", table.name));
      }
      insert.bind(irColumn + 1, known->second);
    }
    JITSCOPE_TRY_VOID(insert.run());
  }
}

} // namespace

std::int64_t Offsets::of(const std::string &table) const {
  const auto known = ids.find(table);
  return known == ids.end() ? 0 : known->second;
}

Result<Offsets> readOffsets(Database &target) {
  Offsets offsets;
  JITSCOPE_TRY(const std::vector<SessionTable> tables, tablesOf(target));
  const auto read = [&target](const std::string &sql) -> Result<std::int64_t> {
    JITSCOPE_TRY(const std::optional<std::int64_t> value, target.queryInteger(sql));
    return value.value_or(0);
  };
  for (const SessionTable &table : tables) {
    if (std::ranges::find(table.columns, ColumnKind::Id, &SessionColumn::kind) != table.columns.end()) {
      JITSCOPE_TRY(offsets.ids[table.name], read(fmt::format("SELECT coalesce(max(id), 0) FROM \"{}\"", table.name)));
    }
  }
  JITSCOPE_TRY(offsets.bench, read("SELECT coalesce(max(bench), 0) FROM bench_case"));
  // The first session keeps its numbers: none is taken yet.
  JITSCOPE_TRY(offsets.process, read("SELECT coalesce(max(last_process) + 1, 0) FROM merged_session"));
  return offsets;
}

Result<void> copyTables(Database &source, Database &target, const Offsets &offsets) {
  JITSCOPE_TRY(const IrIds irIds, copyIr(source, target));
  JITSCOPE_TRY(const std::vector<SessionTable> tables, tablesOf(target));
  JITSCOPE_TRY(const std::vector<SessionTable> present, tablesOf(source));
  for (const SessionTable &table : tables) {
    // Table merged_session is only in sessions that were merged before.
    if (table.name != "ir" && std::ranges::find(present, table.name, &SessionTable::name) != present.end()) {
      JITSCOPE_TRY_VOID(copyTable(source, target, table, offsets, irIds));
    }
  }
  return {};
}

} // namespace jitscope::session
