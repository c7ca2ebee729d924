// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/each_row.h"

#include "session/database.h"

#include <utility>

namespace jitscope::analysis {

base::Result<void> eachRow(session::Database &database, std::string_view sql,
                           const std::function<void(const session::Statement &)> &visit) {
  base::Result<session::Statement> select = database.prepare(sql);
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  for (;;) {
    const base::Result<bool> row = select->step();
    if (!row) {
      return std::unexpected(row.error());
    }
    if (!*row) {
      return {};
    }
    visit(*select);
  }
}

} // namespace jitscope::analysis
