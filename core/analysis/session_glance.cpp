// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/session_glance.h"

#include "analysis/each_row.h"
#include "analysis/function_summary.h"
#include "analysis/selection.h"
#include "session/database.h"

#include <optional>
#include <utility>

namespace jitscope::analysis {

base::Result<SessionGlance> readSessionGlance(session::Database &database) {
  SessionGlance glance;
  base::Result<void> read = eachRow(database, "SELECT pipeline FROM compile GROUP BY pipeline ORDER BY min(id)",
                                    [&glance](const session::Statement &row) { glance.pipelines.emplace_back(row.text(0)); });
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  const base::Result<std::vector<TemplateCalls>> calls = readTemplateCalls(database, Selection());
  if (!calls) {
    return std::unexpected(calls.error());
  }
  for (const TemplateCalls &some : *calls) {
    glance.outcomes.add(some.outcome, some.calls);
  }
  // Whatever a script does with Jitscope begins with a function, but for an expectation of something else.
  const base::Result<std::optional<std::int64_t>> any = database.queryInteger(
      "SELECT EXISTS(SELECT 1 FROM function) OR EXISTS(SELECT 1 FROM expectation) OR EXISTS(SELECT 1 FROM study)");
  if (!any) {
    return std::unexpected(any.error());
  }
  glance.hasRecords = any->value_or(0) != 0;
  return glance;
}

} // namespace jitscope::analysis
