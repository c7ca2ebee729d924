// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// What the columns of a session hold, beyond what the SQL of the schema says. A column's name stands for one thing in every table.
namespace jitscope::session {

class Database;

enum class ColumnKind : std::uint8_t {
  Id,        ///< of the row
  Reference, ///< the id of a row of another table
  Moment,    ///< nanoseconds since the session began
  Duration,  ///< nanoseconds
  Bytes,
  Process,
  Number, ///< any other, within its bounds
  Real,
  Word, ///< the name of an enumerator
  Json, ///< an array of objects, or nothing
  Text,
};

/// Whether a column counts its bench from those of the session; where sessions are merged it goes on counting, as ids do.
[[nodiscard]] bool isBench(std::string_view column);

struct SessionColumn {
  std::string name;
  ColumnKind kind = ColumnKind::Text;
  bool isNullable = false;
  std::string table;       ///< whose ids it holds; empty for what is no id
  bool isDeclared = false; ///< the schema says so: that table has to hold the row
  std::int64_t least = 0;  ///< of whole numbers
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool isFinite = true;                            ///< of reals: infinity is no value of theirs
  bool (*isWord)(std::string_view word) = nullptr; ///< of words: whether it is one of them

  /// Whether the values of a table's rows are added up.
  [[nodiscard]] bool isSummed() const { return kind == ColumnKind::Duration || kind == ColumnKind::Bytes; }
};

struct SessionTable {
  std::string name;
  std::vector<SessionColumn> columns;
  /// Grows with the calls, or with what the optimizer did in each compile.
  bool isLarge = false;
};

/// The tables and columns of a database that `schemaSql` made.
[[nodiscard]] base::Result<std::vector<SessionTable>> describeTables(Database &reference);

} // namespace jitscope::session
