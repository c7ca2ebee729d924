// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/try.h"
#include "event/event.h"
#include "session/rows/tables.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::session {

/// Gives the number of the receiving session that stands for one of the other session.
using Renumber = std::function<base::Result<std::uint64_t>(std::uint64_t)>;

/// Adds to numbers; empty, hence nothing to do, for 0.
[[nodiscard]] Renumber renumberBy(std::int64_t offset);

/// How the numbers of one session become those of another, by what the rows' declarations say of their columns. Merges, cold legs
/// and module studies bring their rows in this way.
struct Renumbering {
  /// What becomes of the ids of a table's rows; an empty function: they stay.
  std::function<Renumber(std::string_view table)> ids;
  Renumber process = {};   ///< empty: processes stay
  std::int64_t bench = 0;  ///< is added to the numbers of benches
  std::int64_t timeNs = 0; ///< is added to moments

  /// What becomes of a column's values, NULL apart; empty: they stay.
  [[nodiscard]] Renumber of(const SessionColumn &column) const;
};

/// Renumbers rows of one type.
template <typename Row> class RowRenumbering {
public:
  explicit RowRenumbering(const Renumbering &renumbering) {
    for (const Column<Row> &column : tableOf<Row>().columns) {
      if (Renumber renumber = column.whole == nullptr ? Renumber() : renumbering.of(column)) {
        m_columns.emplace_back(&column, std::move(renumber));
      }
    }
  }

  /// NULL, which reads as 0, stays where a column may be NULL.
  [[nodiscard]] base::Result<void> apply(Row &row) const {
    for (const auto &[column, renumber] : m_columns) {
      const std::uint64_t value = column->whole(row);
      if (value != 0 || !column->isNullable) {
        JITSCOPE_TRY(const std::uint64_t number, renumber(value));
        column->setWhole(row, number);
      }
    }
    return {};
  }

private:
  std::vector<std::pair<const Column<Row> *, Renumber>> m_columns;
};

/// A single row.
template <typename Row> [[nodiscard]] base::Result<void> renumberRow(Row &row, const Renumbering &renumbering) {
  return RowRenumbering<Row>(renumbering).apply(row);
}

/// A compile with all that hangs on it.
[[nodiscard]] base::Result<void> renumberCompile(event::CompileEvent &compile, const Renumbering &renumbering);

} // namespace jitscope::session
