// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/session_overview.h"

#include "analysis/function_summary.h"
#include "analysis/query/each_row.h"
#include "analysis/query/selection.h"
#include "base/try.h"
#include "session/file/database.h"

#include <optional>
#include <utility>

namespace jitscope::analysis {

base::Result<SessionOverview> readSessionOverview(session::Database &database) {
  SessionOverview overview;
  JITSCOPE_TRY_VOID(eachRow(database, "SELECT pipeline FROM compile GROUP BY pipeline ORDER BY min(id)",
                            [&overview](const session::Statement &row) { overview.pipelines.emplace_back(row.text(0)); }));
  JITSCOPE_TRY(const std::vector<TemplateCalls> calls, readTemplateCalls(database, Selection()));
  for (const TemplateCalls &some : calls) {
    overview.outcomes.add(some.outcome, some.calls);
  }
  // Whatever a script does with Jitscope begins with a function, except for an expectation of something else.
  JITSCOPE_TRY(const std::optional<std::int64_t> any,
               database.queryInteger(
                   "SELECT EXISTS(SELECT 1 FROM function) OR EXISTS(SELECT 1 FROM expectation) OR EXISTS(SELECT 1 FROM study)"));
  overview.hasRecords = any.value_or(0) != 0;
  return overview;
}

} // namespace jitscope::analysis
