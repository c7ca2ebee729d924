// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/optimizer_tables.h"

#include "session/file/query.h"

#include <fmt/format.h>

namespace jitscope::analysis {

namespace {

using session::collect;
using session::Statement;
using session::textOf;

struct Reason {
  base::TemplateId templateId;
  event::MissReason reason = event::MissReason::NewFunction;
  std::uint64_t count = 0;
};

} // namespace

base::Result<std::vector<PassSum>> readPassSums(session::Database &database, const Selection &selection, base::CompileId compile) {
  const std::string sql = fmt::format("SELECT p.name, count(*), sum(p.changed), sum(p.duration_ns) FROM compile c JOIN pass p "
                                      "ON p.compile_id = c.id WHERE {} GROUP BY p.name ORDER BY sum(p.duration_ns) DESC, p.name",
                                      compileCondition(selection, "c", compile));
  return collect<PassSum>(database, sql, [](const Statement &row) {
    return PassSum{textOf(row, 0), row.unsignedInteger(1), row.unsignedInteger(2), row.unsignedInteger(3)};
  });
}

base::Result<std::vector<WorkTotal>> readWorkTotals(session::Database &database, const Selection &selection) {
  const std::string sql =
      fmt::format("SELECT c.pipeline, w.function_id, coalesce(f.name, ''), count(*), sum(w.optimized), sum(w.linked), "
                  "sum(w.emitted), sum(w.reused), "
                  "sum(w.optimize_ns), sum(w.emit_ns), sum(w.code_bytes), sum(w.repeat_optimize_ns + w.repeat_emit_ns) "
                  "FROM compile c JOIN function_work w ON w.compile_id = c.id LEFT JOIN function f ON f.id = w.function_id "
                  "WHERE c.repetition = 0 AND {} GROUP BY c.pipeline, w.function_id ORDER BY c.pipeline, w.function_id",
                  compileCondition(selection, "c"));
  return collect<WorkTotal>(database, sql, [](const Statement &row) {
    return WorkTotal{textOf(row, 0),         base::FunctionId(row.number(1)), textOf(row, 2),          row.unsignedInteger(3),
                     row.unsignedInteger(4), row.unsignedInteger(5),          row.unsignedInteger(6),  row.unsignedInteger(7),
                     row.unsignedInteger(8), row.unsignedInteger(9),          row.unsignedInteger(10), row.unsignedInteger(11)};
  });
}

base::Result<std::map<base::TemplateId, ReasonCounts>> readReasons(session::Database &database, const Selection &selection,
                                                                   CompilesOf which) {
  const std::string sql = fmt::format("SELECT c.template_id, c.reason, count(*) FROM compile c WHERE c.study_id IS NULL AND {} AND "
                                      "{} GROUP BY c.template_id, c.reason",
                                      which == CompilesOf::Calls ? "c.call_id IS NOT NULL" : "1", compileCondition(selection, "c"));
  const base::Result<std::vector<Reason>> rows = collect<Reason>(database, sql, [](const Statement &row) {
    return Reason{base::TemplateId(row.number(0)), event::missReasonFromName(row.text(1)).value_or(event::MissReason::NewFunction),
                  row.unsignedInteger(2)};
  });
  if (!rows) {
    return std::unexpected(rows.error());
  }
  std::map<base::TemplateId, ReasonCounts> reasons;
  for (const Reason &row : *rows) {
    reasons[row.templateId][row.reason] += row.count;
  }
  return reasons;
}

} // namespace jitscope::analysis
