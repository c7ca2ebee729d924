// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/optimizer_reader.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/rows/tables.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <utility>

namespace jitscope::session {

namespace {

std::string restriction(std::optional<base::CompileId> compile) {
  return compile ? fmt::format("WHERE compile_id = {}", compile->value) : "";
}

} // namespace

base::Result<std::vector<PassRow>> OptimizerReader::passes(std::optional<base::CompileId> compile) {
  return collectParts<event::PassRun>(m_session.database(), restriction(compile) + " ORDER BY id");
}

base::Result<std::vector<RemarkRow>> OptimizerReader::remarks(std::optional<base::CompileId> compile) {
  return collectParts<event::Remark>(m_session.database(), restriction(compile) + " ORDER BY id");
}

base::Result<std::vector<LoopRow>> OptimizerReader::loops(std::optional<base::CompileId> compile) {
  return collectParts<event::LoopResult>(m_session.database(), restriction(compile) + " ORDER BY id");
}

base::Result<std::vector<SnapshotRow>> OptimizerReader::snapshots(std::optional<base::CompileId> compile) {
  return collectRows<SnapshotRow>(m_session.database(), restriction(compile) + " ORDER BY rowid");
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
    compile.passes.push_back(std::move(row.part));
  }
  for (RemarkRow &row : remarkRows) {
    compile.remarks.push_back(std::move(row.part));
  }
  for (LoopRow &row : loopRows) {
    compile.loops.push_back(std::move(row.part));
  }
  return {};
}

base::Result<void> OptimizerReader::attachTo(event::CompileEvent &compile) {
  if (base::Result<void> attached = attachFindings(compile); !attached) {
    return attached;
  }
  JITSCOPE_TRY(compile.snapshots,
               collect<event::IrSnapshot>(
                   m_session.database(),
                   fmt::format("SELECT {}, text FROM ir_snapshot JOIN ir ON ir.id = ir_id WHERE compile_id = {} ORDER BY "
                               "ir_snapshot.rowid",
                               columnNames<SnapshotRow>(), compile.id.value),
                   [](const Statement &row) {
                     const SnapshotRow snapshot = readRow<SnapshotRow>(row);
                     const int text = static_cast<int>(tableOf<SnapshotRow>().columns.size());
                     return event::IrSnapshot{snapshot.functionId, snapshot.stage, snapshot.passSeq, textOf(row, text)};
                   }));
  return {};
}

base::Result<std::vector<event::StudyEvent>> OptimizerReader::studies() {
  return collectRows<event::StudyEvent>(m_session.database(), "ORDER BY id");
}

base::Result<std::vector<event::StudyResultEvent>> OptimizerReader::studyResults() {
  return collectRows<event::StudyResultEvent>(m_session.database(), "ORDER BY study_id, position");
}

base::Result<std::vector<event::StudyRunEvent>> OptimizerReader::studyRuns() {
  return collectRows<event::StudyRunEvent>(m_session.database(), "ORDER BY rowid");
}

base::Result<std::vector<event::StudyNoteEvent>> OptimizerReader::studyNotes() {
  return collectRows<event::StudyNoteEvent>(m_session.database(), "ORDER BY id");
}

} // namespace jitscope::session
