// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/rows/compile_part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::session {

class SessionReader;

using PassRow = CompilePart<event::PassRun>;
using RemarkRow = CompilePart<event::Remark>;
using LoopRow = CompilePart<event::LoopResult>;

/// Reads what the optimizer did: work, passes, remarks, loops, IR, and the studies that compare pipelines. Borrows a reader: its
/// thread, its snapshot. Rows are in the order in which they were recorded.
class OptimizerReader {
public:
  explicit OptimizerReader(SessionReader &session) : m_session(session) {}

  /// The passes of one compile, or of all.
  [[nodiscard]] base::Result<std::vector<PassRow>> passes(std::optional<base::CompileId> compile = {});
  /// The remarks of one compile, or of all.
  [[nodiscard]] base::Result<std::vector<RemarkRow>> remarks(std::optional<base::CompileId> compile = {});
  /// The loops of one compile, or of all.
  [[nodiscard]] base::Result<std::vector<LoopRow>> loops(std::optional<base::CompileId> compile = {});
  /// The snapshots of one compile, or of all, without their texts.
  [[nodiscard]] base::Result<std::vector<SnapshotRow>> snapshots(std::optional<base::CompileId> compile = {});
  /// One text. StorageCorrupt where there is no such text.
  [[nodiscard]] base::Result<std::string> irText(std::int64_t irId);

  /// Gives a compile its passes, remarks and loops.
  [[nodiscard]] base::Result<void> attachFindings(event::CompileEvent &compile);
  /// The same, and its snapshots with their texts.
  [[nodiscard]] base::Result<void> attachTo(event::CompileEvent &compile);

  [[nodiscard]] base::Result<std::vector<event::StudyEvent>> studies();
  /// In the order of studies and of the pipelines within one.
  [[nodiscard]] base::Result<std::vector<event::StudyResultEvent>> studyResults();
  [[nodiscard]] base::Result<std::vector<event::StudyRunEvent>> studyRuns();
  [[nodiscard]] base::Result<std::vector<event::StudyNoteEvent>> studyNotes();

private:
  SessionReader &m_session;
};

} // namespace jitscope::session
