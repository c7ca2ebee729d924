// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/session_glance.h"

#include "analysis/each_row.h"
#include "analysis/function_summary.h"
#include "analysis/selection.h"
#include "base/try.h"
#include "session/database.h"

#include <optional>
#include <utility>

namespace jitscope::analysis {

base::Result<SessionGlance> readSessionGlance(session::Database &database) {
  SessionGlance glance;
  JITSCOPE_TRY_VOID(eachRow(database, "SELECT pipeline FROM compile GROUP BY pipeline ORDER BY min(id)",
                            [&glance](const session::Statement &row) { glance.pipelines.emplace_back(row.text(0)); }));
  JITSCOPE_TRY(const std::vector<TemplateCalls> calls, readTemplateCalls(database, Selection()));
  for (const TemplateCalls &some : calls) {
    glance.outcomes.add(some.outcome, some.calls);
  }
  // Whatever a script does with Jitscope begins with a function, but for an expectation of something else.
  JITSCOPE_TRY(const std::optional<std::int64_t> any,
               database.queryInteger(
                   "SELECT EXISTS(SELECT 1 FROM function) OR EXISTS(SELECT 1 FROM expectation) OR EXISTS(SELECT 1 FROM study)"));
  glance.hasRecords = any.value_or(0) != 0;
  return glance;
}

} // namespace jitscope::analysis
