// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/session_counts.h"

#include "analysis/each_row.h"
#include "base/try.h"
#include "event/compile_cost.h"
#include "session/database.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace jitscope::analysis {

namespace {

struct Query {
  Count count;
  std::string sql; ///< value, name of the function, whether it is eager
};

// How often a study compiles depends on how fast it is: its compiles do not count.
std::vector<Query> queries() {
  return {
      Query{Count::Compiles, "SELECT count(*), '', 0 FROM compile WHERE study_id IS NULL"},
      Query{Count::PaidCalls,
            fmt::format("SELECT coalesce(sum(calls), 0), '', 0 FROM call_context WHERE {}", event::paidForCompileSql())},
      Query{Count::Templates,
            "SELECT count(*), f.name, f.eager FROM template t JOIN function f ON f.id = t.function_id GROUP BY f.name, f.eager"},
      Query{Count::Compiles, "SELECT count(*), f.name, f.eager FROM compile c JOIN template t ON t.id = c.template_id "
                             "JOIN function f ON f.id = t.function_id WHERE c.study_id IS NULL GROUP BY f.name, f.eager"},
      Query{Count::CodeBytes, "SELECT sum(c.code_bytes), f.name, f.eager FROM compile c JOIN template t ON t.id = c.template_id "
                              "JOIN function f ON f.id = t.function_id WHERE c.study_id IS NULL GROUP BY f.name, f.eager"},
      // Functions that were compiled and have no such remark count 0, so that losing the last one shows. Sessions whose recorder
      // took no remarks have no rows.
      Query{
          Count::VectorizedLoops,
          "SELECT (SELECT count(*) FROM remark r JOIN compile c ON c.id = r.compile_id JOIN template t ON t.id = c.template_id "
          "JOIN function g ON g.id = t.function_id WHERE g.name = f.name AND g.eager = f.eager AND r.kind = 'passed' AND r.pass = "
          "'loop-vectorize' AND r.name = 'Vectorized'), f.name, f.eager FROM function f "
          "WHERE EXISTS (SELECT 1 FROM remark) AND EXISTS (SELECT 1 FROM compile c JOIN template t ON t.id = c.template_id "
          "WHERE t.function_id = f.id) GROUP BY f.name, f.eager"},
  };
}

base::Result<void> addCounts(SessionCounts &counts, session::Database &database, const Query &query) {
  return eachRow(database, query.sql, [&](const session::Statement &row) {
    counts[{query.count, std::string(row.text(1)), row.integer(2) != 0}] += row.unsignedInteger(0);
  });
}

} // namespace

std::string_view nameOf(Count count) {
  switch (count) {
  case Count::Compiles:
    return "compiles";
  case Count::PaidCalls:
    return "calls that compiled";
  case Count::Templates:
    return "templates";
  case Count::CodeBytes:
    return "code bytes";
  case Count::VectorizedLoops:
    break;
  }
  return "vectorized loops";
}

base::Result<SessionCounts> readSessionCounts(session::Database &database) {
  SessionCounts counts;
  for (const Query &query : queries()) {
    JITSCOPE_TRY_VOID(addCounts(counts, database, query));
  }
  return counts;
}

} // namespace jitscope::analysis
