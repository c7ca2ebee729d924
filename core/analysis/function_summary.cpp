// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/function_summary.h"

#include "analysis/query/each_row.h"
#include "analysis/query/selection.h"
#include "base/try.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>

namespace jitscope::analysis {

using session::Database;
using session::SessionReader;
using session::Statement;

base::Result<std::vector<TemplateCalls>> readTemplateCalls(Database &database, const Selection &selection) {
  // A context has the sums of all its calls; a range needs the calls themselves.
  const std::string sums = selection.range
                               ? fmt::format("(SELECT context_id, count(*) AS some_calls, sum(total_ns) AS some_ns FROM "
                                             "call_record WHERE {} GROUP BY context_id) JOIN call_context ON id = context_id",
                                             callCondition(selection))
                               : std::string("(SELECT *, calls AS some_calls, total_ns AS some_ns FROM call_context)");
  const std::string sql = fmt::format("SELECT template_id, outcome, some_calls, some_ns FROM {} WHERE {} ORDER BY id", sums,
                                      contextCondition(selection));
  return session::collect<TemplateCalls>(database, sql, [](const Statement &row) {
    return TemplateCalls{base::TemplateId(row.number(0)), event::outcomeFromName(row.text(1)).value_or(event::Outcome::Retrace),
                         row.unsignedInteger(2), row.unsignedInteger(3)};
  });
}

base::Result<std::vector<FunctionSummary>> readFunctions(SessionReader &reader, const Selection &selection) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY(std::vector<event::FunctionEvent> functions, reader.functions());
  JITSCOPE_TRY(std::vector<event::TemplateEvent> templates, reader.templates());
  JITSCOPE_TRY(const std::vector<TemplateCalls> calls, readTemplateCalls(reader.database(), selection));
  std::map<base::FunctionId, FunctionSummary> byId;
  for (event::FunctionEvent &function : functions) {
    byId.emplace(function.id, FunctionSummary{function.id, std::move(function.name), function.line, function.eager, {}});
  }
  std::unordered_map<base::TemplateId, TemplateSummary> entries;
  for (event::TemplateEvent &known : templates) {
    TemplateSummary &entry = entries[known.id];
    entry.id = known.id;
    entry.signature = std::move(known.signature);
  }
  for (const TemplateCalls &some : calls) {
    TemplateSummary &entry = entries[some.templateId];
    entry.calls += some.calls;
    entry.callNs += some.totalNs;
    entry.outcomes.add(some.outcome, some.calls);
  }
  // SQLite takes code_bytes from the row that has the maximal id (https://www.sqlite.org/lang_select.html#bareagg).
  JITSCOPE_TRY_VOID(eachRow(
      reader.database(),
      "SELECT template_id, count(*), sum(total_ns), code_bytes, sum(iif(call_id IS NULL, total_ns, 0)), max(id) FROM compile c "
      "WHERE c.study_id IS NULL AND " +
          compileCondition(selection, "c") + " GROUP BY template_id",
      [&entries](const Statement &row) {
        TemplateSummary &entry = entries[base::TemplateId(row.number(0))];
        entry.compiles = row.unsignedInteger(1);
        entry.compileNs = row.unsignedInteger(2);
        entry.codeBytes = row.unsignedInteger(3);
        entry.aheadNs = row.unsignedInteger(4);
      }));
  const bool everything = selection.isEmpty();
  for (const event::TemplateEvent &known : templates) {
    const TemplateSummary &entry = entries[known.id];
    if (!everything && entry.calls == 0 && entry.compiles == 0) {
      continue;
    }
    FunctionSummary &function = byId[known.functionId];
    function.id = known.functionId;
    function.templates.push_back(std::move(entries[known.id]));
  }
  std::vector<FunctionSummary> result;
  for (auto &[id, function] : byId) {
    if (!function.templates.empty()) {
      result.push_back(std::move(function));
    }
  }
  return result;
}

} // namespace jitscope::analysis
