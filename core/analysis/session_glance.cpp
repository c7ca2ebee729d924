// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/session_glance.h"

#include "analysis/each_row.h"
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
  // The calls of a span agree in their outcome.
  const base::Result<void> calls = eachRow(
      database, "SELECT c.outcome, sum(s.calls) FROM call_span s JOIN call_context c ON c.id = s.context_id GROUP BY c.outcome",
      [&glance](const session::Statement &row) {
        if (const std::optional<event::Outcome> outcome = event::outcomeFromName(row.text(0))) {
          glance.outcomes.add(*outcome, row.unsignedInteger(1));
        }
      });
  // Whatever a script does with Jitscope begins with a function, but for an expectation of something else.
  const base::Result<std::optional<std::int64_t>> any =
      calls ? database.queryInteger(
                  "SELECT EXISTS(SELECT 1 FROM function) OR EXISTS(SELECT 1 FROM expectation) OR EXISTS(SELECT 1 FROM study)")
            : std::unexpected(calls.error());
  if (!any) {
    return std::unexpected(any.error());
  }
  glance.hasRecords = any->value_or(0) != 0;
  return glance;
}

} // namespace jitscope::analysis
