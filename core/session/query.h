// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/database.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the readers of this module share: rows to structs.
namespace jitscope::session {

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

/// An id; none for NULL.
template <typename IdType> IdType idOf(const Statement &row, int column) {
  return IdType(static_cast<decltype(IdType::value)>(row.integer(column)));
}

} // namespace jitscope::session
