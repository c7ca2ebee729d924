// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/file/database.h"

namespace jitscope::session {

/// Writes studies and what came of them.
class StudyRows {
public:
  /// `database` must outlive the object and hold the tables of `schemaSql`.
  [[nodiscard]] static base::Result<StudyRows> prepare(Database &database);

  [[nodiscard]] base::Result<void> add(const event::StudyEvent &event);
  [[nodiscard]] base::Result<void> add(const event::StudyResultEvent &event);
  [[nodiscard]] base::Result<void> add(const event::StudyRunEvent &event);
  [[nodiscard]] base::Result<void> add(const event::StudyNoteEvent &event);

private:
  StudyRows() = default;

  Statement m_study;
  Statement m_result;
  Statement m_run;
  Statement m_note;
};

} // namespace jitscope::session
