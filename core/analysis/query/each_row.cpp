// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/each_row.h"

#include "base/try.h"
#include "session/file/database.h"

#include <utility>

namespace jitscope::analysis {

base::Result<void> eachRow(session::Database &database, std::string_view sql,
                           const std::function<void(const session::Statement &)> &visit) {
  JITSCOPE_TRY(session::Statement select, database.prepare(sql));
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      return {};
    }
    visit(select);
    if (base::Result<void> fits = select.bounded(); !fits) {
      return fits;
    }
  }
}

} // namespace jitscope::analysis
