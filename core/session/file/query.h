// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/file/database.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the readers of this module share: rows to structs.
namespace jitscope::session {

/// Prepares the statements that an object keeps, each by its SQL.
template <typename Owner, std::size_t N>
base::Result<void> prepareAll(Database &database, Owner &owner,
                              const std::array<std::pair<Statement Owner::*, const char *>, N> &statements) {
  for (const auto &[member, sql] : statements) {
    base::Result<Statement> statement = database.prepare(sql);
    if (!statement) {
      return std::unexpected(std::move(statement.error()));
    }
    owner.*member = *std::move(statement);
  }
  return {};
}

/// All rows of a query that has been bound.
template <typename Row> base::Result<std::vector<Row>> collect(Statement select, Row (*read)(const Statement &)) {
  std::vector<Row> rows;
  for (;;) {
    const base::Result<bool> row = select.step();
    if (!row) {
      return std::unexpected(row.error());
    }
    if (!*row) {
      return rows;
    }
    rows.push_back(read(select));
    if (base::Result<void> fits = select.hold(); !fits) {
      return std::unexpected(std::move(fits.error()));
    }
  }
}

/// All rows of a query without parameters.
template <typename Row>
base::Result<std::vector<Row>> collect(Database &database, std::string_view sql, Row (*read)(const Statement &)) {
  base::Result<Statement> select = database.prepare(sql);
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  return collect(*std::move(select), read);
}

inline std::string textOf(const Statement &row, int column) { return std::string(row.text(column)); }

/// An id; none for NULL. One that its type does not hold is refused.
template <typename IdType> IdType idOf(const Statement &row, int column) {
  if constexpr (sizeof(IdType::value) > sizeof(std::uint32_t)) {
    return IdType(row.unsignedInteger(column));
  } else {
    return IdType(row.number(column));
  }
}

/// The value that a name stands for; one that stands for none is refused, as no `what`, and reads as the first.
template <typename Enum>
Enum valueOf(const Statement &row, int column, std::optional<Enum> (*fromName)(std::string_view), std::string_view what) {
  const std::optional<Enum> value = fromName(row.text(column));
  if (!value) {
    row.refuse(column, what);
  }
  return value.value_or(Enum{});
}

} // namespace jitscope::session
