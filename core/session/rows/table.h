// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"
#include "session/file/query.h"
#include "session/rows/columns.h"

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace jitscope::session {

/// A column and the member of `Row` that it holds. Without one (`bind` is null) whoever writes rows gives the value apart.
template <typename Row> struct Column : SessionColumn {
  void (*bind)(Statement &, int index, const Row &, const SessionColumn &) = nullptr;
  void (*read)(const Statement &, int index, Row &) = nullptr;
  std::uint64_t (*whole)(const Row &) = nullptr;          ///< the value, of ids and whole numbers
  void (*setWhole)(Row &, std::uint64_t value) = nullptr; ///< of ids and whole numbers
};

/// A table and the struct that its rows are read to and written from.
template <typename Row> struct Table {
  std::string_view name;
  std::string_view meaning;
  std::span<const Column<Row>> columns;
  bool isLarge = false;

  [[nodiscard]] SessionTable description() const {
    SessionTable table{name, meaning, {}, {}, isLarge};
    for (const Column<Row> &column : columns) {
      (column.generated.empty() ? table.columns : table.generated).push_back(column);
    }
    return table;
  }

  /// Where a column is, counted from 0. It has to be one of the table's.
  [[nodiscard]] int indexOf(std::string_view column) const {
    int index = 0;
    while (columns[static_cast<std::size_t>(index)].name != column) {
      ++index;
    }
    return index;
  }
};

/// The declaration of a row type, for those of `tables.h`.
template <typename Row> const Table<Row> &tableOf();

/// A value that a statement computes instead of storing what is bound; `expression` may use the column's parameter.
struct Computed {
  std::string_view column;
  std::string expression;
};

/// Prepares to add rows of a type.
template <typename Row> std::string insertSql(const std::vector<Computed> &computed = {}) {
  std::string names;
  std::string values;
  int index = 0;
  for (const Column<Row> &column : tableOf<Row>().columns) {
    if (!column.generated.empty()) {
      continue;
    }
    ++index;
    std::string value = "?" + std::to_string(index);
    for (const Computed &entry : computed) {
      value = entry.column == column.name ? entry.expression : value;
    }
    names.append(index == 1 ? "" : ", ").append(column.name);
    values.append(index == 1 ? "" : ", ").append(value);
  }
  return std::string("INSERT INTO ").append(tableOf<Row>().name).append("(").append(names) + ") VALUES(" + values + ")";
}

/// The names of a table's columns, separated by commas, each after `prefix`.
template <typename Row> std::string columnNames(std::string_view prefix = {}) {
  std::string names;
  for (const Column<Row> &column : tableOf<Row>().columns) {
    if (column.generated.empty()) {
      names.append(names.empty() ? "" : ", ").append(prefix).append(column.name);
    }
  }
  return names;
}

/// Binds what a statement of `insertSql` takes from the row. The row must live until the statement has run.
template <typename Row> void bindRow(Statement &statement, const Row &row) {
  int index = 0;
  for (const Column<Row> &column : tableOf<Row>().columns) {
    ++index;
    if (column.bind != nullptr) {
      column.bind(statement, index, row, column);
    }
  }
}

/// Reads the columns of `columnNames`, of which the first is at `first`.
template <typename Row> void readRow(const Statement &statement, Row &row, int first = 0) {
  int index = first;
  for (const Column<Row> &column : tableOf<Row>().columns) {
    if (column.read != nullptr) {
      column.read(statement, index, row);
    }
    ++index;
  }
}

template <typename Row> Row readRow(const Statement &statement) {
  Row row{};
  readRow(statement, row);
  return row;
}

/// The rows of a type; `rest` is what follows the table's name in the query.
template <typename Row> base::Result<std::vector<Row>> collectRows(Database &database, std::string_view rest) {
  return collect<Row>(
      database, "SELECT " + columnNames<Row>().append(" FROM ").append(tableOf<Row>().name).append(" ").append(rest), readRow<Row>);
}

// ---- declaring

template <typename Value> struct IsId : std::false_type {};
template <typename Tag, typename Rep> struct IsId<base::Id<Tag, Rep>> : std::true_type {};

/// Whose ids a type of ids has.
template <typename Id> struct TableOfId;
template <> struct TableOfId<base::FunctionId> {
  static constexpr std::string_view kName = "function";
};
template <> struct TableOfId<base::TemplateId> {
  static constexpr std::string_view kName = "template";
};
template <> struct TableOfId<base::SectionId> {
  static constexpr std::string_view kName = "section";
};
template <> struct TableOfId<base::CaseId> {
  static constexpr std::string_view kName = "bench_case";
};
template <> struct TableOfId<base::CallId> {
  static constexpr std::string_view kName = "call_record";
};
template <> struct TableOfId<base::CompileId> {
  static constexpr std::string_view kName = "compile";
};
template <> struct TableOfId<base::StudyId> {
  static constexpr std::string_view kName = "study";
};

/// The way back from an enumerator's name, and what a message says of another one.
template <typename Enum> struct Words;

template <auto Get, typename Row> using ValueAt = std::remove_cvref_t<std::invoke_result_t<decltype(Get), Row &>>;

/// Moves the values of one member between rows and statements. NULL stands for "none": 0, an empty text.
template <auto Get, typename Row> struct Access {
  using Value = ValueAt<Get, Row>;

  static constexpr bool kIsWhole = (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) || IsId<Value>::value;

  static std::uint64_t whole(const Row &row) {
    if constexpr (IsId<Value>::value) {
      return std::invoke(Get, row).value;
    } else {
      return static_cast<std::uint64_t>(std::invoke(Get, row));
    }
  }

  static void setWhole(Row &row, std::uint64_t value) {
    if constexpr (IsId<Value>::value) {
      std::invoke(Get, row) = Value(static_cast<decltype(Value::value)>(value));
    } else {
      std::invoke(Get, row) = static_cast<Value>(value);
    }
  }

  static void bind(Statement &statement, int index, const Row &row, const SessionColumn &column) {
    const bool isNullable = column.isNullable;
    const Value &value = std::invoke(Get, row);
    if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
      value ? statement.bind(index, *value) : statement.bindNull(index);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      const bool isLong = column.maxBytes == kMaxName && value.size() > kMaxWrittenName;
      isNullable &&value.empty() ? statement.bindNull(index)
      : isLong                   ? statement.bindCut(index, value, kMaxWrittenName)
                                 : statement.bind(index, std::string_view(value));
    } else if constexpr (std::is_enum_v<Value>) {
      statement.bind(index, nameOf(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      statement.bind(index, value);
    } else if constexpr (kIsWhole) {
      const std::uint64_t number = whole(row);
      isNullable &&number == 0 ? statement.bindNull(index) : statement.bind(index, number);
    } else {
      static_assert(std::is_same_v<Value, bool>);
      statement.bind(index, static_cast<int>(value));
    }
  }

  static void read(const Statement &statement, int index, Row &row) {
    Value &value = std::invoke(Get, row);
    if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
      // 64 bits, of which SQLite takes one for a sign
      value = statement.isNull(index) ? Value() : Value(static_cast<std::uint64_t>(statement.integer(index)));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = std::string(statement.text(index));
    } else if constexpr (std::is_enum_v<Value>) {
      value = valueOf(statement, index, Words<Value>::kFromName, Words<Value>::kComplaint);
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = statement.real(index);
    } else if constexpr (IsId<Value>::value) {
      value = idOf<Value>(statement, index);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = statement.integer(index) != 0;
    } else if constexpr (std::is_signed_v<Value>) {
      value = static_cast<Value>(statement.integer(index));
    } else if constexpr (sizeof(Value) <= sizeof(std::uint32_t)) {
      value = static_cast<Value>(statement.number(index));
    } else {
      value = statement.unsignedInteger(index);
    }
  }

  /// Any 64 bits.
  static void readBits(const Statement &statement, int index, Row &row) {
    setWhole(row, static_cast<std::uint64_t>(statement.integer(index)));
  }
};

/// Makes the columns of one row type; what the type of a member tells of its column need not be said.
template <typename Row> struct Columns {
  /// A member, or a function from a row to a part of it.
  template <auto Get> static constexpr Column<Row> of(std::string_view name, std::string_view meaning = {}) {
    using Way = Access<Get, Row>;
    using Value = typename Way::Value;
    Column<Row> column{describe<Value>(name, meaning)};
    column.bind = Way::bind;
    column.read = Way::read;
    if constexpr (Way::kIsWhole) {
      column.whole = Way::whole;
      column.setWhole = Way::setWhole;
    }
    return column;
  }

  /// NULL stands for 0 or an empty text.
  static constexpr Column<Row> null(Column<Row> column) {
    column.isNullable = true;
    return column;
  }
  template <auto Get> static constexpr Column<Row> orNull(std::string_view name, std::string_view meaning = {}) {
    return null(of<Get>(name, meaning));
  }

  /// An id that is never none.
  template <auto Get> static constexpr Column<Row> required(std::string_view name, std::string_view meaning = {}) {
    Column<Row> column = of<Get>(name, meaning);
    column.isNullable = false;
    return column;
  }

  /// The id of the row itself.
  template <auto Get> static constexpr Column<Row> id(std::string_view table) {
    using Value = ValueAt<Get, Row>;
    Column<Row> column = required<Get>("id");
    column.kind = ColumnKind::Id;
    column.isDeclared = false;
    column.isKey = true;
    column.table = table;
    column.least = 1;
    column.most = sizeof(Value) > sizeof(std::uint32_t) ? kMax64 : kMax32;
    return column;
  }
  /// A number that is the id of another table's row.
  static constexpr Column<Row> references(Column<Row> column, std::string_view table, std::int64_t most = kMax32) {
    column.kind = ColumnKind::Reference;
    column.isDeclared = true;
    column.table = table;
    column.least = 1;
    column.most = most;
    return column;
  }
  /// The ends of a range of ids. The last one of a range that holds none is the one before its first, hence may be 0.
  template <auto Get> static constexpr Column<Row> firstOf(std::string_view name, std::string_view table) {
    Column<Row> column = references(required<Get>(name), table, sizeof(ValueAt<Get, Row>) > 4 ? kMax64 : kMax32);
    column.isDeclared = false;
    return column;
  }
  template <auto Get> static constexpr Column<Row> lastOf(std::string_view name, std::string_view table) {
    Column<Row> column = firstOf<Get>(name, table);
    column.least = 0;
    return column;
  }

  template <auto Get> static constexpr Column<Row> moment(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Moment, kLastMoment);
  }
  template <auto Get> static constexpr Column<Row> duration(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Duration, kLargest);
  }
  template <auto Get> static constexpr Column<Row> bytes(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Bytes, kLargest);
  }
  /// A count of up to 2^53.
  template <auto Get> static constexpr Column<Row> count(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Number, kLargest);
  }
  template <auto Get> static constexpr Column<Row> process(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Process, std::numeric_limits<std::uint16_t>::max());
  }
  template <auto Get> static constexpr Column<Row> bench(std::string_view name, std::string_view meaning = {}) {
    return bounded(of<Get>(name, meaning), ColumnKind::Bench, kMax32);
  }
  /// Bits and no number: any value.
  template <auto Get> static constexpr Column<Row> bits(std::string_view name, std::string_view meaning = {}) {
    Column<Row> column = orNull<Get>(name, meaning);
    column.least = std::numeric_limits<std::int64_t>::min();
    column.most = kMax64;
    if constexpr (Access<Get, Row>::kIsWhole) {
      column.read = Access<Get, Row>::readBits;
    }
    return column;
  }

  // What whoever writes rows gives apart, if at all.

  /// An id that SQLite gives.
  static constexpr Column<Row> ownId(std::string_view table) {
    Column<Row> column;
    column.name = "id";
    column.kind = ColumnKind::Id;
    column.isKey = true;
    column.table = table;
    column.least = 1;
    return column;
  }
  /// A row of another table that has to be there.
  static constexpr Column<Row> owner(std::string_view name, std::string_view table, std::string_view meaning = {},
                                     std::int64_t most = kMax32) {
    Column<Row> column;
    column.name = name;
    column.meaning = meaning;
    column.kind = ColumnKind::Reference;
    column.isDeclared = true;
    column.table = table;
    column.least = 1;
    column.most = most;
    return column;
  }
  static constexpr Column<Row> generated(std::string_view name, std::string_view expression, std::string_view meaning) {
    Column<Row> column;
    column.name = name;
    column.meaning = meaning;
    column.kind = ColumnKind::Duration;
    column.generated = expression;
    return column;
  }

  static constexpr Column<Row> range(Column<Row> column, std::int64_t most, std::int64_t least = 0) {
    return bounded(column, column.kind, most, least);
  }
  static constexpr Column<Row> key(Column<Row> column) {
    column.isKey = true;
    return column;
  }
  static constexpr Column<Row> unique(Column<Row> column) {
    column.isUnique = true;
    return column;
  }
  /// A real that can be infinite, and need not be positive.
  static constexpr Column<Row> unbounded(Column<Row> column) {
    column.isFinite = false;
    return column;
  }
  /// A text of any length, which belongs to one row alone: a script, a message.
  static constexpr Column<Row> document(Column<Row> column) {
    column.maxBytes = std::numeric_limits<std::size_t>::max();
    return column;
  }
  static constexpr Column<Row> json(Column<Row> column) {
    column.kind = ColumnKind::Json;
    return column;
  }

private:
  static constexpr Column<Row> bounded(Column<Row> column, ColumnKind kind, std::int64_t most, std::int64_t least = 0) {
    column.kind = kind;
    column.least = least;
    column.most = most;
    return column;
  }
  template <typename Value> static constexpr SessionColumn describe(std::string_view name, std::string_view meaning) {
    SessionColumn column;
    column.name = name;
    column.meaning = meaning;
    if constexpr (IsId<Value>::value) {
      column.kind = ColumnKind::Reference;
      column.table = TableOfId<Value>::kName;
      // Calls are recorded when they end: what belongs to one that did not end refers to none.
      column.isDeclared = !std::is_same_v<Value, base::CallId>;
      column.isNullable = true;
      column.least = 1;
      column.most = sizeof(Value::value) > sizeof(std::uint32_t) ? kMax64 : kMax32;
    } else if constexpr (std::is_enum_v<Value>) {
      column.kind = ColumnKind::Word;
      column.isWord = [](std::string_view word) { return Words<Value>::kFromName(word).has_value(); };
    } else if constexpr (std::is_same_v<Value, bool>) {
      column.kind = ColumnKind::Number;
      column.most = 1;
    } else if constexpr (std::is_floating_point_v<Value>) {
      column.kind = ColumnKind::Real;
    } else if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
      column.kind = ColumnKind::Number;
      column.isNullable = true;
    } else if constexpr (std::is_integral_v<Value>) {
      column.kind = ColumnKind::Number;
      column.most = std::is_signed_v<Value> ? kMax31 : sizeof(Value) > sizeof(std::uint32_t) ? kMax64 : kMax32;
    }
    return column;
  }
};

} // namespace jitscope::session
