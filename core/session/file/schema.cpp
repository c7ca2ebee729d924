// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/schema.h"

#include "event/compile_cost.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

namespace jitscope::session {

namespace {

// wait_ns and compile_ns without the NULL that stands for 0.
constexpr const char *kCallView = R"sql(
CREATE VIEW call AS
  SELECT r.id AS id, c.template_id AS template_id, c.section_id AS section_id, c.case_id AS case_id, c.leg AS leg, c.phase AS phase,
    c.thread AS thread, c.process AS process, r.start_ns AS start_ns, r.lookup_ns AS lookup_ns,
    coalesce(r.wait_ns, 0) AS wait_ns, coalesce(r.compile_ns, 0) AS compile_ns, r.execute_ns AS execute_ns,
    r.total_ns AS total_ns, c.outcome AS outcome
  FROM call_record r JOIN call_context c ON c.id = r.context_id;
)sql";

bool isOfMerged(const SessionTable &table) { return table.name == tableOf<MergedPart>().name; }

} // namespace

std::string schemaSql() {
  std::string tables;
  for (const SessionTable &table : sessionTables()) {
    tables += isOfMerged(table) ? "" : table.createSql();
  }
  // The page size has to be set before the first table; the rest is one transaction.
  return fmt::format("PRAGMA page_size={};\nBEGIN;\nPRAGMA application_id={};\nPRAGMA user_version={};\n{}{}{}COMMIT;\n", kPageSize,
                     kApplicationId, kSchemaVersion, tables, kCallView, event::outcomeViewSql());
}

std::string indexSql() {
  return R"sql(
CREATE INDEX IF NOT EXISTS call_by_context ON call_record(context_id);
CREATE INDEX IF NOT EXISTS compile_by_template ON compile(template_id);
CREATE INDEX IF NOT EXISTS compile_by_study ON compile(study_id) WHERE study_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS compile_by_call ON compile(call_id);
CREATE INDEX IF NOT EXISTS function_work_by_compile ON function_work(compile_id);
CREATE INDEX IF NOT EXISTS retrieval_by_call ON retrieval(call_id);
CREATE INDEX IF NOT EXISTS pass_by_compile ON pass(compile_id);
CREATE INDEX IF NOT EXISTS remark_by_compile ON remark(compile_id);
CREATE INDEX IF NOT EXISTS loop_by_compile ON loop(compile_id);
CREATE INDEX IF NOT EXISTS ir_snapshot_by_compile ON ir_snapshot(compile_id);
)sql";
}

std::string mergedSql() { return tableOf<MergedPart>().description().createSql(); }

} // namespace jitscope::session
