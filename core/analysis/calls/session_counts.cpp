// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/session_counts.h"

#include "analysis/query/each_row.h"
#include "base/try.h"
#include "event/compile_cost.h"
#include "event/loops.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

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
  };
}

base::Result<void> addCounts(SessionCounts &counts, session::Database &database, const Query &query) {
  return eachRow(database, query.sql, [&](const session::Statement &row) {
    counts[{query.count, std::string(row.text(1)), row.integer(2) != 0}] += row.unsignedInteger(0);
  });
}

/// A function whose loops were recorded and that has none counts 0, so that losing the last one shows; compiles without a record
/// of loops do not count. Modules from elsewhere have no template and count for their root.
base::Result<void> addVectorizedLoops(SessionCounts &counts, session::SessionReader &reader) {
  std::map<base::CompileId, CountKey> keys;
  JITSCOPE_TRY_VOID(eachRow(
      reader.database(),
      "SELECT c.id, f.name, f.eager FROM compile c LEFT JOIN template t ON t.id = c.template_id LEFT JOIN study s ON s.id = "
      "c.study_id JOIN function f ON f.id = coalesce(t.function_id, s.function_id) WHERE c.has_loops",
      [&](const session::Statement &row) {
        CountKey key{Count::VectorizedLoops, std::string(row.text(1)), row.integer(2) != 0};
        counts[key] += 0;
        keys.emplace(session::idOf<base::CompileId>(row, 0), std::move(key));
      }));
  JITSCOPE_TRY(std::vector<session::LoopRow> rows, session::OptimizerReader(reader).loops());
  std::map<base::CompileId, std::vector<event::LoopResult>> loops;
  for (session::LoopRow &row : rows) {
    loops[row.compileId].push_back(std::move(row.part));
  }
  for (const auto &[compile, found] : loops) {
    if (const auto key = keys.find(compile); key != keys.end()) {
      counts[key->second] += event::vectorizedLoops(found).size();
    }
  }
  return {};
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

base::Result<SessionCounts> readSessionCounts(session::SessionReader &reader) {
  session::Database &database = reader.database();
  SessionCounts counts;
  for (const Query &query : queries()) {
    JITSCOPE_TRY_VOID(addCounts(counts, database, query));
  }
  JITSCOPE_TRY_VOID(addVectorizedLoops(counts, reader));
  return counts;
}

} // namespace jitscope::analysis
