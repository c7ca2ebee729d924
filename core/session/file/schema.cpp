// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/schema.h"

#include "event/compile_cost.h"

#include <fmt/format.h>

namespace jitscope::session {

namespace {

// Who recorded what, where. One row. writer_* tell a reader whether the session is still being written.
constexpr const char *kSessionTable = R"sql(
CREATE TABLE session(
  uuid TEXT NOT NULL, jitscope_version TEXT NOT NULL, llvm_version TEXT NOT NULL, started_utc TEXT NOT NULL,
  script_path TEXT NOT NULL, script_sha256 TEXT NOT NULL, script_text TEXT NOT NULL, command_line TEXT NOT NULL,
  host TEXT NOT NULL, cpu TEXT NOT NULL, cpu_features TEXT NOT NULL, os TEXT NOT NULL, options TEXT NOT NULL,
  status TEXT NOT NULL, error TEXT NOT NULL DEFAULT '', ended_ns INTEGER,
  clock_read_ns REAL NOT NULL, call_overhead_ns REAL NOT NULL,
  writer_pid INTEGER NOT NULL, writer_start_ticks INTEGER NOT NULL, writer_boot_id TEXT NOT NULL);
)sql";

constexpr const char *kNameTables = R"sql(
CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT NOT NULL, line INTEGER NOT NULL, eager INTEGER NOT NULL,
  symbol TEXT NOT NULL DEFAULT '');
CREATE TABLE template(id INTEGER PRIMARY KEY, function_id INTEGER REFERENCES function(id), signature TEXT NOT NULL);
CREATE TABLE section(id INTEGER PRIMARY KEY, name TEXT NOT NULL, start_ns INTEGER NOT NULL);
CREATE TABLE bench_case(
  id INTEGER PRIMARY KEY, bench INTEGER NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
  function_id INTEGER REFERENCES function(id), warmup_ns INTEGER NOT NULL, time_ns INTEGER NOT NULL, parallel INTEGER NOT NULL);
CREATE TABLE bench_leg(
  case_id INTEGER NOT NULL REFERENCES bench_case(id), leg TEXT NOT NULL, position INTEGER NOT NULL, seed INTEGER,
  calls_per_sample INTEGER NOT NULL, clock_step_ns REAL NOT NULL, overhead_ns REAL NOT NULL, max_samples INTEGER NOT NULL,
  is_capped INTEGER NOT NULL);
)sql";

// What repeats from call to call is stored once, in call_context, together with how many calls that were and how long they took:
// the exact counts that need no reading of calls. A call itself is six short integers. wait_ns and compile_ns are NULL where they
// are 0, as nearly always, since a NULL takes no byte of its own. call_span condenses up to 32 calls to one row, so that ten
// million calls can be drawn without reading them; its context is that of its first call, and its other calls may be of other
// templates (see CallSpan).
constexpr const char *kCallTables = R"sql(
CREATE TABLE call_context(
  id INTEGER PRIMARY KEY, template_id INTEGER REFERENCES template(id), section_id INTEGER REFERENCES section(id),
  case_id INTEGER REFERENCES bench_case(id), leg TEXT NOT NULL, phase TEXT NOT NULL, thread INTEGER NOT NULL,
  process INTEGER NOT NULL, outcome TEXT NOT NULL, calls INTEGER NOT NULL, total_ns INTEGER NOT NULL);
CREATE TABLE call_record(
  id INTEGER PRIMARY KEY, context_id INTEGER NOT NULL REFERENCES call_context(id), start_ns INTEGER NOT NULL,
  lookup_ns INTEGER NOT NULL, wait_ns INTEGER, compile_ns INTEGER, execute_ns INTEGER NOT NULL);
CREATE TABLE call_span(
  id INTEGER PRIMARY KEY, context_id INTEGER NOT NULL REFERENCES call_context(id), first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL, start_ns INTEGER NOT NULL, last_start_ns INTEGER NOT NULL, calls INTEGER NOT NULL,
  min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, total_ns INTEGER NOT NULL);
CREATE VIEW call AS
  SELECT r.id AS id, c.template_id AS template_id, c.section_id AS section_id, c.case_id AS case_id, c.leg AS leg, c.phase AS phase,
    c.thread AS thread, c.process AS process, r.start_ns AS start_ns, r.lookup_ns AS lookup_ns,
    coalesce(r.wait_ns, 0) AS wait_ns, coalesce(r.compile_ns, 0) AS compile_ns, r.execute_ns AS execute_ns,
    r.lookup_ns + coalesce(r.wait_ns, 0) + coalesce(r.compile_ns, 0) + r.execute_ns AS total_ns, c.outcome AS outcome
  FROM call_record r JOIN call_context c ON c.id = r.context_id;
)sql";

constexpr const char *kCompileTables = R"sql(
CREATE TABLE compile(
  id INTEGER PRIMARY KEY, call_id INTEGER, template_id INTEGER REFERENCES template(id), pipeline TEXT NOT NULL,
  reason TEXT NOT NULL, nearest_template_id INTEGER REFERENCES template(id), difference TEXT NOT NULL, start_ns INTEGER NOT NULL,
  trace_ns INTEGER NOT NULL, lower_ns INTEGER NOT NULL, optimize_ns INTEGER NOT NULL, codegen_ns INTEGER NOT NULL,
  link_ns INTEGER NOT NULL, total_ns INTEGER NOT NULL, code_bytes INTEGER NOT NULL, process INTEGER NOT NULL, target TEXT NOT NULL,
  study_id INTEGER REFERENCES study(id), repetition INTEGER NOT NULL DEFAULT 0,
  has_loops INTEGER NOT NULL DEFAULT 0);
CREATE TABLE function_work(
  compile_id INTEGER NOT NULL REFERENCES compile(id), function_id INTEGER REFERENCES function(id), optimized INTEGER NOT NULL,
  linked INTEGER NOT NULL, emitted INTEGER NOT NULL, reused INTEGER NOT NULL DEFAULT 0, optimize_ns INTEGER NOT NULL,
  emit_ns INTEGER NOT NULL, code_bytes INTEGER NOT NULL, repeat_optimize_ns INTEGER NOT NULL DEFAULT 0,
  repeat_emit_ns INTEGER NOT NULL DEFAULT 0, repeat_code_bytes INTEGER NOT NULL DEFAULT 0);
CREATE TABLE retrieval(
  id INTEGER PRIMARY KEY, call_id INTEGER, template_id INTEGER REFERENCES template(id), outcome TEXT NOT NULL,
  reason TEXT NOT NULL, nearest_template_id INTEGER REFERENCES template(id), difference TEXT NOT NULL, start_ns INTEGER NOT NULL,
  trace_ns INTEGER NOT NULL, load_ns INTEGER NOT NULL, code_bytes INTEGER NOT NULL, process INTEGER NOT NULL);
)sql";

// What the optimizer did: times of passes, its remarks, what became of each loop, and the IR at each stage, equal texts once.
// unit_id is the function whose module was being optimized: with pipelines that work function by function it tells a function from
// its copies elsewhere.
constexpr const char *kOptimizerTables = R"sql(
CREATE TABLE pass(
  id INTEGER PRIMARY KEY, compile_id INTEGER NOT NULL REFERENCES compile(id), function_id INTEGER REFERENCES function(id),
  unit_id INTEGER REFERENCES function(id), stage TEXT NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL,
  duration_ns INTEGER NOT NULL, changed INTEGER NOT NULL, fingerprint INTEGER);
CREATE TABLE remark(
  id INTEGER PRIMARY KEY, compile_id INTEGER NOT NULL REFERENCES compile(id), function_id INTEGER REFERENCES function(id),
  unit_id INTEGER REFERENCES function(id), stage TEXT NOT NULL, pass_seq INTEGER, kind TEXT NOT NULL, pass TEXT NOT NULL,
  name TEXT NOT NULL, function TEXT NOT NULL, file TEXT, line INTEGER, column_ INTEGER, message TEXT NOT NULL, args TEXT NOT NULL);
CREATE TABLE loop(
  id INTEGER PRIMARY KEY, compile_id INTEGER NOT NULL REFERENCES compile(id), function_id INTEGER REFERENCES function(id),
  holder_id INTEGER REFERENCES function(id), unit_id INTEGER REFERENCES function(id), symbol TEXT NOT NULL, stage TEXT NOT NULL,
  file TEXT, line INTEGER, column_ INTEGER, order_ INTEGER NOT NULL, state TEXT NOT NULL, pass TEXT NOT NULL, width INTEGER,
  is_scalable INTEGER NOT NULL, interleave INTEGER NOT NULL, reason_name TEXT NOT NULL, reason TEXT NOT NULL,
  reason_line INTEGER, reason_column INTEGER, instruction TEXT NOT NULL, is_reached INTEGER NOT NULL);
CREATE TABLE ir(id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE ir_snapshot(
  compile_id INTEGER NOT NULL REFERENCES compile(id), function_id INTEGER REFERENCES function(id), stage TEXT NOT NULL,
  pass_seq INTEGER, ir_id INTEGER NOT NULL REFERENCES ir(id));
)sql";

// One input under several pipelines. The compiles of a study are rows of compile with its study_id.
constexpr const char *kStudyTables = R"sql(
CREATE TABLE study(
  id INTEGER PRIMARY KEY, section_id INTEGER REFERENCES section(id), function_id INTEGER REFERENCES function(id),
  name TEXT NOT NULL, line INTEGER NOT NULL, is_modules INTEGER NOT NULL, triple TEXT NOT NULL, cpu TEXT NOT NULL,
  cpu_features TEXT NOT NULL, options TEXT NOT NULL);
CREATE TABLE study_result(
  study_id INTEGER NOT NULL REFERENCES study(id), position INTEGER NOT NULL, pipeline TEXT NOT NULL,
  compile_id INTEGER REFERENCES compile(id), instructions_before INTEGER NOT NULL, instructions_after INTEGER NOT NULL,
  code_bytes INTEGER NOT NULL, objects INTEGER NOT NULL, is_executed INTEGER NOT NULL, is_equal INTEGER NOT NULL,
  max_ulp REAL NOT NULL, ulp_bound REAL NOT NULL, error TEXT NOT NULL, PRIMARY KEY(study_id, position)) WITHOUT ROWID;
CREATE TABLE study_run(
  study_id INTEGER NOT NULL REFERENCES study(id), pipeline TEXT NOT NULL, repetition INTEGER NOT NULL, calls INTEGER NOT NULL,
  execute_ns INTEGER NOT NULL);
CREATE TABLE study_note(id INTEGER PRIMARY KEY, study_id INTEGER NOT NULL REFERENCES study(id), message TEXT NOT NULL);
)sql";

constexpr const char *kOtherTables = R"sql(
CREATE TABLE memory(
  at_ns INTEGER NOT NULL, tensor_live_bytes INTEGER NOT NULL, tensor_peak_bytes INTEGER NOT NULL, cache_entries INTEGER NOT NULL,
  cache_code_bytes INTEGER NOT NULL);
CREATE TABLE eviction(
  at_ns INTEGER NOT NULL, template_id INTEGER REFERENCES template(id), reason TEXT NOT NULL, code_bytes INTEGER NOT NULL);
CREATE TABLE case_statistic(
  case_id INTEGER NOT NULL REFERENCES bench_case(id), leg TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY(case_id, leg, name)) WITHOUT ROWID;
CREATE TABLE expectation(
  id INTEGER PRIMARY KEY, line INTEGER NOT NULL, name TEXT NOT NULL, passed INTEGER NOT NULL, expected TEXT NOT NULL,
  actual TEXT NOT NULL);
CREATE TABLE log(at_ns INTEGER NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL);
)sql";

} // namespace

std::string schemaSql() {
  // The page size must be set before the first table; the rest is one transaction.
  return fmt::format("PRAGMA page_size={};\nBEGIN;\nPRAGMA application_id={};\nPRAGMA user_version={};\n{}{}{}{}{}{}{}{}COMMIT;\n",
                     kPageSize, kApplicationId, kSchemaVersion, kSessionTable, kNameTables, kCallTables, event::outcomeViewSql(),
                     kCompileTables, kOptimizerTables, kStudyTables, kOtherTables);
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

std::string mergedSql() {
  return R"sql(
CREATE TABLE merged_session(
  uuid TEXT PRIMARY KEY, script_path TEXT NOT NULL, script_sha256 TEXT NOT NULL, script_text TEXT NOT NULL,
  command_line TEXT NOT NULL, started_utc TEXT NOT NULL, host TEXT NOT NULL, cpu TEXT NOT NULL, options TEXT NOT NULL,
  status TEXT NOT NULL, error TEXT NOT NULL, start_ns INTEGER NOT NULL, first_process INTEGER NOT NULL,
  last_process INTEGER NOT NULL, first_function_id INTEGER NOT NULL, last_function_id INTEGER NOT NULL,
  first_bench INTEGER NOT NULL, last_bench INTEGER NOT NULL,
  first_expectation_id INTEGER NOT NULL, last_expectation_id INTEGER NOT NULL);
)sql";
}

} // namespace jitscope::session
