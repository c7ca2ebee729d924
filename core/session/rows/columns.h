// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// What the columns of a session hold. A row's declaration (`tables.h`) is the one place that says it: the schema, the statements,
/// the check of files from elsewhere, the renumbering of merged sessions and the reference in the documentation are made from it.
namespace jitscope::session {

enum class ColumnKind : std::uint8_t {
  Id,        ///< of the row
  Reference, ///< the id of a row of another table
  Moment,    ///< nanoseconds since the session began
  Duration,  ///< nanoseconds
  Bytes,
  Process,
  Bench,  ///< counts the benches of a session; where sessions are merged it goes on counting, as ids do
  Number, ///< any other, within its bounds
  Real,
  Word, ///< the name of an enumerator
  Json, ///< an array of objects, or nothing
  Text,
};

inline constexpr std::int64_t kMax31 = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
/// Some 70 years: sessions of different days are merged to one, and one that does not know its day begins in 1970.
inline constexpr std::int64_t kLastMoment = std::int64_t{1} << 61U;
/// 104 days, and a pebibyte and more: doubles hold these to the unit.
inline constexpr std::int64_t kLargest = std::int64_t{1} << 53U;
/// Names stand in many rows of a report, so they are cut to this on writing. Bytes that are not UTF-8 are written as four.
inline constexpr std::size_t kMaxWrittenName = std::size_t{16} << 10U;
inline constexpr std::size_t kMaxName = 4 * kMaxWrittenName;

struct SessionColumn {
  std::string_view name;
  std::string_view meaning; ///< what the name leaves open, for the documentation
  ColumnKind kind = ColumnKind::Text;
  bool isNullable = false;
  bool isDeclared = false; ///< of references: the schema says so, that table has to hold the row
  bool isKey = false;      ///< part of the primary key
  bool isUnique = false;
  bool isFinite = true;       ///< of reals: infinity is no value of theirs
  std::string_view table;     ///< whose ids it holds; empty for what is no id
  std::string_view generated; ///< the expression that it stands for; empty: it is stored
  std::int64_t least = 0;     ///< of whole numbers
  std::int64_t most = kMax64;
  std::size_t maxBytes = kMaxName;                 ///< of texts
  bool (*isWord)(std::string_view word) = nullptr; ///< of words: whether it is one of them

  /// Whether the values of a table's rows are added up.
  [[nodiscard]] constexpr bool isSummed() const { return kind == ColumnKind::Duration || kind == ColumnKind::Bytes; }
};

struct SessionTable {
  std::string_view name;
  std::string_view meaning;           ///< what a row stands for
  std::vector<SessionColumn> columns; ///< those that are stored
  std::vector<SessionColumn> generated;
  /// Grows with the calls, or with what the optimizer did in each compile.
  bool isLarge = false;

  /// The statement that makes it.
  [[nodiscard]] std::string createSql() const;
};

/// Every table that a session can have, in the order of their creation.
[[nodiscard]] std::vector<SessionTable> sessionTables();

} // namespace jitscope::session
