// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/optimizer_reader.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <fmt/format.h>

namespace jitscope::session {

namespace {

event::Stage stageAt(const Statement &row, int column) { return valueOf(row, column, event::stageFromName, "is no stage"); }

PassRow readPass(const Statement &row) {
  PassRow result;
  result.compileId = idOf<base::CompileId>(row, 0);
  event::PassRun &pass = result.pass;
  pass.functionId = idOf<base::FunctionId>(row, 1);
  pass.unitId = idOf<base::FunctionId>(row, 2);
  pass.stage = stageAt(row, 3);
  pass.seq = row.number(4);
  pass.name = textOf(row, 5);
  pass.durationNs = row.unsignedInteger(6);
  pass.changed = row.integer(7) != 0;
  pass.fingerprint = static_cast<std::uint64_t>(row.integer(8));
  return result;
}

RemarkRow readRemark(const Statement &row) {
  RemarkRow result;
  result.compileId = idOf<base::CompileId>(row, 0);
  event::Remark &remark = result.remark;
  remark.functionId = idOf<base::FunctionId>(row, 1);
  remark.unitId = idOf<base::FunctionId>(row, 2);
  remark.stage = stageAt(row, 3);
  remark.passSeq = row.number(4);
  remark.kind = valueOf(row, 5, event::remarkKindFromName, "is no kind of remark");
  remark.pass = textOf(row, 6);
  remark.name = textOf(row, 7);
  remark.function = textOf(row, 8);
  remark.file = textOf(row, 9);
  remark.line = static_cast<int>(row.integer(10));
  remark.column = static_cast<int>(row.integer(11));
  remark.message = textOf(row, 12);
  remark.calleeId = idOf<base::FunctionId>(row, 13);
  remark.args = textOf(row, 14);
  return result;
}

LoopRow readLoop(const Statement &row) {
  LoopRow result;
  result.compileId = idOf<base::CompileId>(row, 0);
  event::LoopResult &loop = result.loop;
  loop.functionId = idOf<base::FunctionId>(row, 1);
  loop.holderId = idOf<base::FunctionId>(row, 2);
  loop.unitId = idOf<base::FunctionId>(row, 3);
  loop.symbol = textOf(row, 4);
  loop.stage = stageAt(row, 5);
  loop.file = textOf(row, 6);
  loop.line = static_cast<int>(row.integer(7));
  loop.column = static_cast<int>(row.integer(8));
  loop.order = row.number(9);
  loop.state = event::loopStateFromName(row.text(10)).value_or(event::LoopState::Scalar);
  loop.pass = textOf(row, 11);
  loop.width = row.number(12);
  loop.isScalable = row.integer(13) != 0;
  loop.interleave = row.number(14);
  loop.reasonName = textOf(row, 15);
  loop.reason = textOf(row, 16);
  loop.reasonLine = static_cast<int>(row.integer(17));
  loop.reasonColumn = static_cast<int>(row.integer(18));
  loop.instruction = textOf(row, 19);
  loop.isReached = row.integer(20) != 0;
  return result;
}

SnapshotRow readSnapshot(const Statement &row) {
  return {idOf<base::CompileId>(row, 0), idOf<base::FunctionId>(row, 1), stageAt(row, 2), row.number(3), row.integer(4)};
}

event::IrSnapshot readWholeSnapshot(const Statement &row) {
  return {idOf<base::FunctionId>(row, 0), stageAt(row, 1), row.number(2), textOf(row, 3)};
}

event::StudyEvent readStudy(const Statement &row) {
  event::StudyEvent study;
  study.id = idOf<base::StudyId>(row, 0);
  study.sectionId = idOf<base::SectionId>(row, 1);
  study.functionId = idOf<base::FunctionId>(row, 2);
  study.name = textOf(row, 3);
  study.line = static_cast<int>(row.integer(4));
  study.isModules = row.integer(5) != 0;
  study.triple = textOf(row, 6);
  study.cpu = textOf(row, 7);
  study.cpuFeatures = textOf(row, 8);
  study.options = textOf(row, 9);
  return study;
}

event::StudyResultEvent readResult(const Statement &row) {
  event::StudyResultEvent result;
  result.studyId = idOf<base::StudyId>(row, 0);
  result.position = row.number(1);
  result.pipeline = textOf(row, 2);
  result.compileId = idOf<base::CompileId>(row, 3);
  result.instructionsBefore = row.unsignedInteger(4);
  result.instructionsAfter = row.unsignedInteger(5);
  result.codeBytes = row.unsignedInteger(6);
  result.objects = row.unsignedInteger(7);
  result.isExecuted = row.integer(8) != 0;
  result.isEqual = row.integer(9) != 0;
  result.maxUlp = row.real(10);
  result.ulpBound = row.real(11);
  result.error = textOf(row, 12);
  return result;
}

event::StudyRunEvent readRun(const Statement &row) {
  return {idOf<base::StudyId>(row, 0), textOf(row, 1), row.number(2), row.unsignedInteger(3), row.unsignedInteger(4)};
}

event::StudyNoteEvent readNote(const Statement &row) { return {idOf<base::StudyId>(row, 0), textOf(row, 1)}; }

std::string restriction(std::optional<base::CompileId> compile) {
  return compile ? fmt::format(" WHERE compile_id = {}", compile->value) : "";
}

} // namespace

base::Result<std::vector<PassRow>> OptimizerReader::passes(std::optional<base::CompileId> compile) {
  return collect(m_session.database(),
                 "SELECT compile_id, function_id, unit_id, stage, seq, name, duration_ns, changed, fingerprint FROM pass" +
                     restriction(compile) + " ORDER BY id",
                 readPass);
}

base::Result<std::vector<RemarkRow>> OptimizerReader::remarks(std::optional<base::CompileId> compile) {
  return collect(m_session.database(),
                 "SELECT compile_id, function_id, unit_id, stage, pass_seq, kind, pass, name, function, file, line, column_, "
                 "message, callee_id, args FROM remark" +
                     restriction(compile) + " ORDER BY id",
                 readRemark);
}

base::Result<std::vector<LoopRow>> OptimizerReader::loops(std::optional<base::CompileId> compile) {
  return collect(
      m_session.database(),
      "SELECT compile_id, function_id, holder_id, unit_id, symbol, stage, file, line, column_, order_, state, pass, width, "
      "is_scalable, interleave, reason_name, reason, reason_line, reason_column, instruction, is_reached FROM loop" +
          restriction(compile) + " ORDER BY id",
      readLoop);
}

base::Result<std::vector<SnapshotRow>> OptimizerReader::snapshots(std::optional<base::CompileId> compile) {
  return collect(m_session.database(),
                 "SELECT compile_id, function_id, stage, pass_seq, ir_id FROM ir_snapshot" + restriction(compile) +
                     " ORDER BY rowid",
                 readSnapshot);
}

base::Result<std::string> OptimizerReader::irText(std::int64_t irId) {
  base::Result<std::optional<std::string>> text =
      m_session.database().queryText(fmt::format("SELECT text FROM ir WHERE id = {}", irId));
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  if (!*text) {
    return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("the session refers to IR text {}, which it lacks", irId));
  }
  return **std::move(text);
}

base::Result<void> OptimizerReader::attachFindings(event::CompileEvent &compile) {
  JITSCOPE_TRY(std::vector<PassRow> passRows, passes(compile.id));
  JITSCOPE_TRY(std::vector<RemarkRow> remarkRows, remarks(compile.id));
  JITSCOPE_TRY(std::vector<LoopRow> loopRows, loops(compile.id));
  for (PassRow &row : passRows) {
    compile.passes.push_back(std::move(row.pass));
  }
  for (RemarkRow &row : remarkRows) {
    compile.remarks.push_back(std::move(row.remark));
  }
  for (LoopRow &row : loopRows) {
    compile.loops.push_back(std::move(row.loop));
  }
  return {};
}

base::Result<void> OptimizerReader::attachTo(event::CompileEvent &compile) {
  if (base::Result<void> attached = attachFindings(compile); !attached) {
    return attached;
  }
  base::Result<std::vector<event::IrSnapshot>> whole =
      collect(m_session.database(),
              fmt::format("SELECT s.function_id, s.stage, s.pass_seq, i.text FROM ir_snapshot s JOIN ir i ON i.id = s.ir_id "
                          "WHERE s.compile_id = {} ORDER BY s.rowid",
                          compile.id.value),
              readWholeSnapshot);
  if (!whole) {
    return std::unexpected(std::move(whole.error()));
  }
  compile.snapshots = *std::move(whole);
  return {};
}

base::Result<std::vector<event::StudyEvent>> OptimizerReader::studies() {
  return collect(m_session.database(),
                 "SELECT id, section_id, function_id, name, line, is_modules, triple, cpu, cpu_features, options FROM study "
                 "ORDER BY id",
                 readStudy);
}

base::Result<std::vector<event::StudyResultEvent>> OptimizerReader::studyResults() {
  return collect(m_session.database(),
                 "SELECT study_id, position, pipeline, compile_id, instructions_before, instructions_after, code_bytes, objects, "
                 "is_executed, is_equal, max_ulp, ulp_bound, error FROM study_result ORDER BY study_id, position",
                 readResult);
}

base::Result<std::vector<event::StudyRunEvent>> OptimizerReader::studyRuns() {
  return collect(m_session.database(), "SELECT study_id, pipeline, repetition, calls, execute_ns FROM study_run ORDER BY rowid",
                 readRun);
}

base::Result<std::vector<event::StudyNoteEvent>> OptimizerReader::studyNotes() {
  return collect(m_session.database(), "SELECT study_id, message FROM study_note ORDER BY id", readNote);
}

} // namespace jitscope::session
