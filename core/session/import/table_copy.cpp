// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/table_copy.h"

#include "base/sha256.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/import/renumbering.h"

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

/// Tables with content of their own, in the order of their creation. Table merged_session is only in sessions that were merged.
Result<std::vector<SessionTable>> tablesOf(Database &database) {
  JITSCOPE_TRY(const std::optional<std::int64_t> merged,
               database.queryInteger("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'merged_session'"));
  std::vector<SessionTable> tables = sessionTables();
  std::erase_if(tables, [&](const SessionTable &table) {
    return table.name == "session" || (table.name == "merged_session" && !merged.has_value());
  });
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

/// The offsets as what becomes of each number. Texts of IR are the same in all sessions, and are numbered anew.
Renumbering renumberingOf(const Offsets &offsets, const IrIds &irIds) {
  Renumbering result;
  result.ids = [&offsets, &irIds](std::string_view table) -> Renumber {
    if (table != tableOf<IrText>().name) {
      return renumberBy(offsets.of(std::string(table)));
    }
    return [&irIds](std::uint64_t id) -> Result<std::uint64_t> {
      const auto known = irIds.find(static_cast<std::int64_t>(id));
      if (known == irIds.end()) {
        return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("the session refers to IR text {}, which it lacks", id));
      }
      return static_cast<std::uint64_t>(known->second);
    };
  };
  result.process = renumberBy(offsets.process);
  result.bench = offsets.bench;
  result.timeNs = offsets.timeNs;
  return result;
}

Result<void> copyTable(Database &source, Database &target, const SessionTable &table, const Renumbering &renumbering) {
  std::vector<std::string_view> names;
  std::vector<std::string> parameters;
  std::vector<Renumber> renumbers;
  for (const SessionColumn &column : table.columns) {
    names.push_back(column.name);
    parameters.push_back(fmt::format("?{}", names.size()));
    renumbers.push_back(renumbering.of(column));
  }
  JITSCOPE_TRY(Statement select, source.prepare(fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), table.name)));
  JITSCOPE_TRY(Statement insert, target.prepare(fmt::format("INSERT INTO {}({}) VALUES({})", table.name, fmt::join(names, ", "),
                                                            fmt::join(parameters, ", "))));
  for (;;) {
    JITSCOPE_TRY(const bool found, select.step());
    if (!found) {
      return {};
    }
    for (int column = 0; column < static_cast<int>(names.size()); ++column) {
      const Renumber &renumber = renumbers[static_cast<std::size_t>(column)];
      if (!renumber || select.isNull(column)) {
        insert.bindFrom(column + 1, select, column);
        continue;
      }
      JITSCOPE_TRY(const std::uint64_t number, renumber(static_cast<std::uint64_t>(select.integer(column))));
      insert.bind(column + 1, number);
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
      JITSCOPE_TRY(offsets.ids[std::string(table.name)], read(fmt::format("SELECT coalesce(max(id), 0) FROM \"{}\"", table.name)));
    }
  }
  JITSCOPE_TRY(offsets.bench, read("SELECT coalesce(max(bench), 0) FROM bench_case"));
  // The first session keeps its numbers: none is taken yet.
  JITSCOPE_TRY(offsets.process, read("SELECT coalesce(max(last_process) + 1, 0) FROM merged_session"));
  return offsets;
}

Result<void> copyTables(Database &source, Database &target, const Offsets &offsets) {
  JITSCOPE_TRY(const IrIds irIds, copyIr(source, target));
  const Renumbering renumbering = renumberingOf(offsets, irIds);
  JITSCOPE_TRY(const std::vector<SessionTable> tables, tablesOf(source));
  for (const SessionTable &table : tables) {
    if (table.name != "ir") {
      JITSCOPE_TRY_VOID(copyTable(source, target, table, renumbering));
    }
  }
  return {};
}

} // namespace jitscope::session
