// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/compile_list.h"

#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"

#include <algorithm>

namespace jitscope::analysis {

base::Result<std::vector<CompileSpan>> readCompileSpans(session::Database &database, const Selection &selection) {
  base::Result<session::Statement> select =
      database.prepare("SELECT c.id, c.call_id, c.template_id, coalesce(x.process, c.process), x.thread, c.start_ns, c.trace_ns, "
                       "c.lower_ns, c.optimize_ns, c.codegen_ns, c.link_ns, c.total_ns, c.pipeline, f.name FROM compile c "
                       "LEFT JOIN call_record r ON r.id = c.call_id LEFT JOIN call_context x ON x.id = r.context_id "
                       "LEFT JOIN study y ON y.id = c.study_id LEFT JOIN template t ON t.id = c.template_id "
                       "LEFT JOIN function f ON f.id = coalesce(t.function_id, y.function_id) WHERE " +
                       compileCondition(selection, "c") + " ORDER BY c.start_ns, c.id");
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  std::vector<CompileSpan> spans;
  for (;;) {
    JITSCOPE_TRY(const bool row, select->step());
    if (!row) {
      return spans;
    }
    CompileSpan &span = spans.emplace_back();
    span.id = base::CompileId(select->number(0));
    span.callId = base::CallId(select->unsignedInteger(1));
    span.templateId = base::TemplateId(select->number(2));
    span.thread = {static_cast<std::uint16_t>(select->integer(3)), select->number(4)};
    span.startNs = select->unsignedInteger(5);
    for (std::size_t phase = 0; phase < span.phasesNs.size(); ++phase) {
      span.phasesNs[phase] = select->unsignedInteger(6 + static_cast<int>(phase));
    }
    span.totalNs = select->unsignedInteger(11);
    span.pipeline = select->text(12);
    span.functionName = select->text(13);
  }
}

base::Result<std::vector<RepeatedCompile>> readRepeatedCompiles(session::Database &database, const Selection &selection) {
  const std::string sql = "SELECT c.id, coalesce(min(o.id), 0) FROM compile c LEFT JOIN compile o ON o.study_id = c.study_id AND "
                          "o.pipeline = c.pipeline AND o.template_id IS c.template_id AND o.repetition = 0 "
                          "WHERE c.repetition > 0 AND " +
                          compileCondition(selection, "c") + " GROUP BY c.id ORDER BY c.id";
  return session::collect<RepeatedCompile>(database, sql, [](const session::Statement &row) {
    return RepeatedCompile{base::CompileId(row.number(0)), base::CompileId(row.number(1))};
  });
}

void takeCompilesFrom(std::vector<ProcessStart> &starts, const std::vector<CompileSpan> &compiles) {
  for (ProcessStart &start : starts) {
    for (const CompileSpan &compile : compiles) {
      const std::uint64_t end = compile.startNs + compile.totalNs;
      if (end <= start.unrecorded.toNs) {
        start.unrecorded.fromNs = std::max(start.unrecorded.fromNs, end);
      }
    }
  }
}

void addThreadsOf(const std::vector<CompileSpan> &compiles, TimelineView &view) {
  for (const CompileSpan &compile : compiles) {
    const auto place = std::ranges::lower_bound(view.threads, compile.thread);
    if (place == view.threads.end() || *place != compile.thread) {
      view.busy.insert(view.busy.begin() + (place - view.threads.begin()), std::vector<float>(view.columns));
      view.threads.insert(place, compile.thread);
    }
  }
}

} // namespace jitscope::analysis
