// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/sessions/session_files.h"
#include "support/sessions/studied_session.h"

#include <QString>
#include <QTest>

#include <vector>

/// Sessions as somebody would make them who means harm, or whose disk does.
namespace jitscope::test {

/// A change to a sound session, and what is said about it.
struct HostileChange {
  const char *name;
  const char *sql;
  const char *message;
  bool isForeign = false; ///< its schema is none of ours; otherwise its values are no run's
};

/// A session with rows in every table.
inline void writeFullSession(const QString &path) {
  const base::Result<void> written = writeSession(path.toStdString(), studiedRecording());
  QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
  executeSql(path,
             "INSERT INTO bench_leg VALUES(2, 'warm', 1, NULL, 1, 11.0, 24.0, 2000000, 0);"
             "INSERT INTO study VALUES(1, 1, 2, 'f', 3, 0, '', '', '', '');"
             "INSERT INTO study_note(study_id, message) VALUES(1, 'n');"
             "INSERT INTO study_run VALUES(1, 'deferred', 1, 1, 9);"
             "INSERT INTO compile SELECT (SELECT max(id) + 1 FROM compile), NULL, template_id, pipeline, 'study', NULL, '', "
             "start_ns, trace_ns, lower_ns, optimize_ns, codegen_ns, link_ns, total_ns, code_bytes, process, target, 1, 0, 0 FROM "
             "compile WHERE id = 2;"
             "INSERT INTO study_result SELECT 1, 0, pipeline, id, 1, 1, code_bytes, 1, 1, 1, 9e999, 0, '' FROM compile WHERE "
             "study_id = 1;"
             "INSERT INTO case_statistic VALUES(1, 'cold', 'median', 3.5)");
}

inline const std::vector<HostileChange> &hostileChanges() {
  static const std::vector<HostileChange> changes{
      // The schema.
      {"a view without end for a table",
       "DROP TABLE function; CREATE VIEW function(id, name, line, eager, symbol) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
       "SELECT i + 1 FROM n) SELECT i, 'f', 0, 0, '' FROM n",
       "its view \"function\" is not the table of a session", true},
      {"a view without end for the session",
       "CREATE TABLE kept AS SELECT * FROM session; DROP TABLE session; CREATE VIEW session AS WITH RECURSIVE n(i) AS (SELECT 1 "
       "UNION ALL SELECT i + 1 FROM n) SELECT kept.* FROM kept, n WHERE n.i < 0",
       "it has the table \"kept\", which is not part of a session", true},
      {"another definition of the calls",
       "DROP VIEW call; CREATE VIEW call AS SELECT id, randomblob(900000000) AS total_ns FROM call_record",
       "its view \"call\" is not the view of a session", true},
      {"a trigger", "CREATE TRIGGER t AFTER UPDATE ON session BEGIN DELETE FROM call_record; END",
       "it has the trigger \"t\", which is not part of a session", true},
      {"one more table", "CREATE TABLE evil(x)", "it has the table \"evil\"", true},
      {"one more index", "CREATE INDEX evil ON function(name)", "it has the index \"evil\"", true},
      {"another index", "DROP INDEX compile_by_call; CREATE INDEX compile_by_call ON compile(abs(call_id))",
       "its index \"compile_by_call\" is not the index of a session", true},
      {"an index as a table", "DROP INDEX compile_by_call; CREATE TABLE compile_by_call(x)",
       "its table \"compile_by_call\" is not the index of a session", true},
      {"a table less", "DROP TABLE log", "it lacks the table \"log\"", true},
      {"a view less", "DROP VIEW call", "it lacks the view \"call\"", true},
      {"a column by another name", "ALTER TABLE log RENAME COLUMN level TO grade",
       "its table \"log\" is not the table of a session", true},
      {"a column more", "ALTER TABLE log ADD COLUMN x", "its table \"log\" is not the table of a session", true},
      {"a computed column",
       "DROP TABLE log; CREATE TABLE log(at_ns INTEGER NOT NULL, level TEXT NOT NULL, message TEXT AS (hex(zeroblob(400000000))))",
       "its table \"log\" is not the table of a session", true},
      {"a table of a module", "DROP TABLE log; CREATE VIRTUAL TABLE log USING fts5(at_ns, level, message)",
       "its table \"log\" is not the table of a session", true},
      {"two tables in one place",
       "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = "
       "'call_record') WHERE name = 'call_span'",
       "its table \"call_span\" shares its storage with something else", true},
      {"a name that would write to a terminal", "CREATE TABLE \"\x1b[2J\"(x)", "it has the table \"?[2J\"", true},
      // References.
      {"no such template", "UPDATE call_context SET template_id = 99 WHERE id = 1",
       "table call_context, id 1, column template_id: template 99, which the session does not hold"},
      {"no such section", "UPDATE call_context SET section_id = 99 WHERE id = 2", "section 99, which the session does not hold"},
      {"no such case", "UPDATE call_context SET case_id = 99 WHERE id = 2", "bench_case 99, which the session does not hold"},
      {"no such context", "UPDATE call_record SET context_id = 999 WHERE id = 5",
       "table call_record, id 5, column context_id: call_context 999, which the session does not hold"},
      {"no such function", "DELETE FROM function WHERE id = 2", "function 2, which the session does not hold"},
      {"a template without function", "UPDATE template SET function_id = NULL WHERE id = 1",
       "table template, id 1: it has no function"},
      {"no such IR", "UPDATE ir_snapshot SET ir_id = 77", "table ir_snapshot, row 1, column ir_id: ir 77"},
      {"no such compile", "UPDATE study_result SET compile_id = 50", "compile 50, which the session does not hold"},
      {"no such nearest template", "UPDATE compile SET nearest_template_id = 50 WHERE id = 3",
       "column nearest_template_id: template 50"},
      {"two legs of a kind", "INSERT INTO bench_leg SELECT * FROM bench_leg", "case 2 has two legs of one kind"},
      // Ids.
      {"an id of 64 bits", "INSERT INTO function VALUES(9223372036854775807, 'f', 1, 0, '')", "is far beyond its "},
      {"an id far away", "UPDATE call_context SET id = 4000000000 WHERE id = 1",
       "table call_context: the id 4000000000 is far beyond its "},
      {"a negative id", "INSERT INTO section VALUES(-1, 's', 0)", "table section, id -1, column id: -1, which is out of range"},
      // Numbers.
      {"a text as a time", "UPDATE call_record SET start_ns = 'soon' WHERE id = 3",
       "table call_record, id 3, column start_ns: \"soon\", which is not a whole number"},
      {"bytes as a time", "UPDATE call_record SET execute_ns = x'00ff' WHERE id = 3", "a value that is not a whole number"},
      {"half a nanosecond", "UPDATE call_record SET start_ns = 1.5 WHERE id = 3", "a value that is not a whole number"},
      {"a negative time", "UPDATE call_record SET lookup_ns = -5 WHERE id = 3", "column lookup_ns: -5, which is out of range"},
      {"a huge time", "UPDATE compile SET total_ns = 9223372036854775807 WHERE id = 2",
       "9223372036854775807, which is out of range"},
      {"times that add up to more than 64 bits",
       "INSERT INTO eviction SELECT 1, 1, 'entries', 9007199254740992 FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + "
       "1 "
       "FROM n WHERE i < 1100) SELECT i FROM n)",
       "the sum of the values up to here does not fit into 64 bits"},
      {"a process beyond 16 bits", "UPDATE compile SET process = 70000 WHERE id = 2",
       "column process: 70000, which is out of range"},
      {"a line before the first", "UPDATE function SET line = -1 WHERE id = 2", "column line: -1, which is out of range"},
      {"a flag that is neither", "UPDATE pass SET changed = 7", "column changed: 7, which is out of range"},
      {"an endless clock", "UPDATE session SET clock_read_ns = 9e999", "column clock_read_ns: inf, which is out of range"},
      {"a clock of letters", "UPDATE session SET clock_read_ns = 'fast'", "is no number"},
      {"an end before the beginning", "UPDATE session SET ended_ns = -1", "column ended_ns: -1, which is out of range"},
      // Words and texts.
      {"an unknown outcome", "UPDATE call_context SET outcome = 'luck' WHERE id = 1",
       "table call_context, id 1, column outcome: \"luck\", which is not one of its words"},
      {"an unknown leg", "UPDATE bench_leg SET leg = 'third'", "column leg: \"third\", which is not one of its words"},
      {"an unknown phase", "UPDATE call_context SET phase = '' WHERE id = 1", "column phase: \"\", which is not one of its words"},
      {"an unknown reason", "UPDATE compile SET reason = 'whim' WHERE id = 1",
       "column reason: \"whim\", which is not one of its words"},
      {"an unknown kind", "UPDATE remark SET kind = 'gossip'", "column kind: \"gossip\", which is not one of its words"},
      {"an unknown level", "UPDATE log SET level = 'shout'", "column level: \"shout\", which is not one of its words"},
      {"an unknown status", "UPDATE session SET status = 'dancing'", "\"dancing\" in column \"status\" is no status"},
      {"a name that is not UTF-8", "UPDATE function SET name = CAST(x'ff41' AS TEXT) WHERE id = 2",
       "table function, id 2, column name: \"?A\", which is not UTF-8"},
      {"IR that is not UTF-8", "UPDATE ir SET text = CAST(x'c0af' AS TEXT) WHERE id = 1",
       "column text: \"??\", which is not UTF-8"},
      {"bytes as a name", "UPDATE function SET name = x'41' WHERE id = 2", "column name: a value that is not text"},
      {"a name of 5 MB", "UPDATE function SET name = hex(zeroblob(2500000)) WHERE id = 2",
       "table function, id 2, column name: a text of 5000000 bytes, where at most 65536 are possible"},
      {"a signature of 5 MB", "UPDATE template SET signature = hex(zeroblob(2500000)) WHERE id = 1",
       "table template, id 1, column signature: a text of 5000000 bytes"},
      {"half a JSON text", "UPDATE remark SET args = '[{\"key\":' WHERE id = 1",
       "table remark, id 1, column args: it is not a JSON array"},
      {"another JSON text", "UPDATE remark SET args = '{}' WHERE id = 2",
       "table remark, id 2, column args: it is not a JSON array"},
      // What stands for the calls.
      {"a span of more calls", "UPDATE call_span SET calls = calls + 1 WHERE id = 1", "table call_span"},
      {"a span of another time", "UPDATE call_span SET total_ns = total_ns + 1, max_ns = max_ns + 1 WHERE id = 1",
       "table call_span"},
      {"a span of another call", "UPDATE call_span SET first_id = 20 WHERE id = 1",
       "it does not match the calls that it summarizes"},
      {"a call less", "DELETE FROM call_record WHERE id = 1", "table call_context"},
      // Figures that contradict each other.
      {"phases beyond their compile", "UPDATE compile SET optimize_ns = total_ns + 1 WHERE id = 1",
       "table compile, id 1: its phases take longer than the whole compile"},
      {"a compile of a hit",
       "UPDATE compile SET call_id = (SELECT min(id) FROM call WHERE outcome = 'hit') WHERE call_id IS NOT NULL",
       ": its call did not compile"},
      {"a compile of another template's call",
       "UPDATE compile SET template_id = (SELECT min(id) FROM template WHERE id <> compile.template_id) WHERE call_id IS NOT NULL",
       ": its call is of another template"},
      {"a compile of another process", "UPDATE compile SET process = process + 1 WHERE call_id IS NOT NULL",
       ": its call is of another process"},
      {"a compile longer than its call", "UPDATE compile SET total_ns = total_ns + 3000000000 WHERE call_id IS NOT NULL",
       "table compile, id "},
      {"a compile before its call", "UPDATE compile SET start_ns = 0 WHERE call_id > 1", ": it does not lie within its call"},
      {"a compile of a study and a call", "UPDATE compile SET study_id = 1 WHERE call_id IS NOT NULL",
       ": it belongs to a study and to a call"},
      {"a repetition of nothing", "UPDATE compile SET repetition = 3 WHERE id = 1", ": it is a repetition, but of no study"},
      {"a compile without template", "UPDATE compile SET template_id = NULL WHERE id = 1",
       "table compile, id 1: it has no template"},
      {"calls without template", "UPDATE call_context SET template_id = NULL",
       "table call_context, id 1: its calls have no template"},
      {"samples of no case", "UPDATE call_context SET case_id = NULL WHERE phase = 'sample'",
       "calls of a case are not calls of the script"},
      {"a leg of no case", "UPDATE call_context SET leg = 'warm' WHERE case_id IS NULL", ": its leg does not go with its case"},
      {"an end before the last call", "UPDATE session SET ended_ns = 1000", "after the end of the session"},
      {"a call after the end", "UPDATE call_record SET execute_ns = execute_ns + 3600000000000 WHERE id = 1", "table call_"},
      {"passes longer than their phase", "UPDATE pass SET duration_ns = 9000000000000",
       ": its passes take longer than its phase optimize"},
      {"work beyond the compile", "UPDATE function_work SET optimize_ns = 9000000000000",
       ": optimizing its functions takes longer than its phase optimize"},
      {"copies beyond the whole", "UPDATE function_work SET repeat_optimize_ns = optimize_ns + 1",
       ": more time or code goes to copies of a function than to the function"},
      {"a retrieval of another outcome",
       "UPDATE retrieval SET call_id = (SELECT min(id) FROM call WHERE outcome = 'hit') WHERE call_id IS NOT NULL",
       ": its call has another outcome"},
      {"a retrieval of another process", "UPDATE retrieval SET process = process + 1 WHERE call_id IS NOT NULL",
       "table retrieval, id 1: its call is of another process"},
      {"a retrieval longer than its call", "UPDATE retrieval SET load_ns = load_ns + 3600000000000 WHERE call_id IS NOT NULL",
       ": it takes longer than its call"},
      {"a result of another pipeline", "UPDATE study_result SET pipeline = 'per-function'",
       "table study_result, id 1: its compile is of another study or pipeline"},
      {"memory below its content", "UPDATE memory SET tensor_peak_bytes = 0, tensor_live_bytes = 8",
       "table memory, id 1: more bytes of tensors are live than at the peak"},
      {"a message after the end", "UPDATE log SET at_ns = 3600000000000",
       "table log, id 1: its time is after the end of the session"},
      {"an eviction after the end", "UPDATE eviction SET at_ns = 3600000000000",
       "table eviction, id 1: its time is after the end of the session"},
      {"a section after the end", "UPDATE section SET start_ns = 3600000000000 WHERE id = 1",
       "table section, id 1: it begins after the end of the session"},
      {"an overhead of years", "UPDATE session SET call_overhead_ns = 1e300",
       "column call_overhead_ns: recording a call cannot take"},
      {"a clock of years", "UPDATE session SET clock_read_ns = 1e300", "column clock_read_ns: reading the clock cannot take"},
      {"options that are no JSON", "UPDATE session SET options = '{opt: 3'", "column options is not a JSON object"},
      {"options that are a list", "UPDATE session SET options = '[1]'", "column options is not a JSON object"},
      {"a start that is no time", "UPDATE session SET started_utc = 'yesterday'", "column started_utc is not a time"},
      // The row of the session.
      {"two sessions in one", "INSERT INTO session SELECT * FROM session", "table session has 2 rows"},
      {"no session", "DELETE FROM session", "table session is empty"},
  };
  return changes;
}

} // namespace jitscope::test
