// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/schema_reference.h"

#include "session/rows/columns.h"

#include <fmt/format.h>

namespace jitscope::session {

namespace {

/// What a column holds, in a few words.
std::string holds(const SessionColumn &column) {
  const auto whole = [&column]() -> std::string {
    switch (column.kind) {
    case ColumnKind::Id:
      return "id";
    case ColumnKind::Reference:
      return fmt::format("id of `{}`", column.table);
    case ColumnKind::Moment:
      return "ns since the start";
    case ColumnKind::Duration:
      return "ns";
    case ColumnKind::Bytes:
      return "bytes";
    case ColumnKind::Process:
      return "process number";
    case ColumnKind::Bench:
      return "bench number";
    case ColumnKind::Number:
      return column.most == 1 ? "0 or 1" : "number";
    case ColumnKind::Real:
      return column.name.ends_with("_ns") ? "ns, real" : "real";
    case ColumnKind::Word:
      return "word";
    case ColumnKind::Json:
      return "JSON array";
    case ColumnKind::Text:
      break;
    }
    return "text";
  };
  return whole() + (column.isNullable ? " or NULL" : "");
}

} // namespace

std::string schemaReference() {
  std::string text;
  for (const SessionTable &table : sessionTables()) {
    text += fmt::format("#### `{}`\n\nOne row for each {}.\n\n| column | holds | meaning |\n|---|---|---|\n", table.name,
                        table.meaning);
    for (const auto *columns : {&table.columns, &table.generated}) {
      for (const SessionColumn &column : *columns) {
        text += fmt::format("| `{}` | {} | {} |\n", column.name, holds(column), column.meaning);
      }
    }
    text += "\n";
  }
  text.pop_back();
  return text;
}

} // namespace jitscope::session
