// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/columns.h"

#include "session/rows/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace jitscope::session {

namespace {

std::string_view sqlTypeOf(ColumnKind kind) {
  switch (kind) {
  case ColumnKind::Word:
  case ColumnKind::Json:
  case ColumnKind::Text:
    return "TEXT";
  case ColumnKind::Real:
    return "REAL";
  default:
    return "INTEGER";
  }
}

template <typename... Rows> std::vector<SessionTable> describeAll() { return {tableOf<Rows>().description()...}; }

} // namespace

std::string SessionTable::createSql() const {
  std::vector<std::string> parts;
  std::vector<std::string_view> keys;
  for (const SessionColumn &column : columns) {
    if (column.isKey) {
      keys.push_back(column.name);
    }
  }
  for (const SessionColumn &column : columns) {
    const bool isRowId = column.isKey && column.kind == ColumnKind::Id;
    std::string &part = parts.emplace_back(fmt::format("{} {}", column.name, sqlTypeOf(column.kind)));
    part += column.isKey && keys.size() == 1 ? " PRIMARY KEY" : "";
    part += column.isNullable || isRowId ? "" : " NOT NULL";
    part += column.isUnique ? " UNIQUE" : "";
    part += column.kind == ColumnKind::Reference && column.isDeclared ? fmt::format(" REFERENCES {}(id)", column.table) : "";
  }
  for (const SessionColumn &column : generated) {
    parts.push_back(fmt::format("{} {} GENERATED ALWAYS AS ({}) VIRTUAL", column.name, sqlTypeOf(column.kind), column.generated));
  }
  if (keys.size() > 1) {
    parts.push_back(fmt::format("PRIMARY KEY({})", fmt::join(keys, ", ")));
  }
  return fmt::format("CREATE TABLE {}(\n  {}){};\n", name, fmt::join(parts, ",\n  "), keys.size() > 1 ? " WITHOUT ROWID" : "");
}

std::vector<SessionTable> sessionTables() {
  return describeAll<SessionRecord, event::FunctionEvent, event::TemplateEvent, event::SectionEvent, event::BenchCaseEvent,
                     event::BenchLegEvent, CaseStatisticRow, CallContext, event::CallEvent, CallSpan, event::CompileEvent,
                     event::RetrievalEvent, event::FunctionWork, event::PassRun, event::Remark, event::LoopResult, IrText,
                     SnapshotRow, event::StudyEvent, event::StudyResultEvent, event::StudyRunEvent, event::StudyNoteEvent,
                     event::EvictionEvent, event::MemoryEvent, event::ExpectationEvent, event::LogEvent, MergedPart>();
}

} // namespace jitscope::session
