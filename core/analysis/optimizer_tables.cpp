// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/optimizer_tables.h"

#include "session/query.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::analysis {

namespace {

using session::collect;
using session::Statement;
using session::textOf;

/// The condition on compile c.
std::string compilesOf(const Selection &selection, base::CompileId compile) {
  return compile.isValid() ? fmt::format("c.id = {}", compile.value) : compileCondition(selection, "c");
}

struct Reason {
  base::TemplateId templateId;
  event::MissReason reason = event::MissReason::NewFunction;
  std::uint64_t count = 0;
};

} // namespace

base::Result<std::vector<PassSum>> readPassSums(session::Database &database, const Selection &selection, base::CompileId compile) {
  const std::string sql = fmt::format("SELECT p.name, count(*), sum(p.changed), sum(p.duration_ns) FROM compile c JOIN pass p "
                                      "ON p.compile_id = c.id WHERE {} GROUP BY p.name ORDER BY sum(p.duration_ns) DESC, p.name",
                                      compilesOf(selection, compile));
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

bool RemarkGroup::isIn(const std::string &pipeline) const { return std::ranges::binary_search(pipelines, pipeline); }

base::Result<std::vector<RemarkGroup>> readRemarkGroups(session::Database &database, const Selection &selection,
                                                        base::CompileId compile) {
  // Pipelines are joined by a character that none of their names has.
  const std::string sql = fmt::format(
      "SELECT r.kind, r.pass, r.name, r.function_id, coalesce(f.name, r.function), r.line, r.column_, r.message, count(*), "
      "group_concat(DISTINCT c.pipeline), max(c.id) FROM compile c JOIN remark r ON r.compile_id = c.id "
      "LEFT JOIN function f ON f.id = r.function_id WHERE {} "
      "GROUP BY coalesce(f.name, r.function), r.line, r.column_, r.pass, r.name, r.kind, r.message "
      "ORDER BY coalesce(f.name, r.function), r.line, r.column_, r.pass, r.name, r.kind, r.message",
      compilesOf(selection, compile));
  return collect<RemarkGroup>(database, sql, [](const Statement &row) {
    RemarkGroup group;
    group.kind = event::remarkKindFromName(row.text(0)).value_or(event::RemarkKind::Analysis);
    group.pass = row.text(1);
    group.name = row.text(2);
    group.functionId = base::FunctionId(row.number(3));
    group.functionName = row.text(4);
    group.line = static_cast<int>(row.integer(5));
    group.column = static_cast<int>(row.integer(6));
    group.message = row.text(7);
    group.count = row.unsignedInteger(8);
    std::string_view names = row.text(9);
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(','), names.size());
      group.pipelines.emplace_back(names.substr(0, end));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    std::ranges::sort(group.pipelines);
    group.compileId = base::CompileId(row.number(10));
    return group;
  });
}

base::Result<std::map<base::TemplateId, ReasonCounts>> readReasons(session::Database &database, const Selection &selection) {
  const std::string sql = fmt::format(
      "SELECT c.template_id, c.reason, count(*) FROM compile c WHERE c.study_id IS NULL AND {} GROUP BY c.template_id, c.reason",
      compileCondition(selection, "c"));
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
