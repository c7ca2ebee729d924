// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/file/database.h"
#include "session/rows/optimizer_rows.h"
#include "session/rows/study_rows.h"

#include <optional>

namespace jitscope::session {

/// Writes events, calls apart, as rows of their tables. The statements are prepared once.
class EventRows {
public:
  /// `database` must outlive the object and hold the tables of `schemaSql`.
  [[nodiscard]] static base::Result<EventRows> prepare(Database &database);

  /// Adds the event's row or rows, within whatever transaction is open.
  [[nodiscard]] base::Result<void> insert(const event::Event &event);

private:
  EventRows() = default;

  base::Result<void> add(const event::FunctionEvent &event);
  base::Result<void> add(const event::TemplateEvent &event);
  base::Result<void> add(const event::SectionEvent &event);
  base::Result<void> add(const event::BenchCaseEvent &event);
  base::Result<void> add(const event::BenchLegEvent &event);
  base::Result<void> add(const event::CompileEvent &event);
  base::Result<void> add(const event::RetrievalEvent &event);
  base::Result<void> add(const event::EvictionEvent &event);
  base::Result<void> add(const event::MemoryEvent &event);
  base::Result<void> add(const event::ExpectationEvent &event);
  base::Result<void> add(const event::LogEvent &event);
  base::Result<void> add(const event::StudyEvent &event);
  base::Result<void> add(const event::StudyResultEvent &event);
  base::Result<void> add(const event::StudyRunEvent &event);
  base::Result<void> add(const event::StudyNoteEvent &event);

  Statement m_function;
  Statement m_template;
  Statement m_section;
  Statement m_benchCase;
  Statement m_benchLeg;
  Statement m_compile;
  Statement m_retrieval;
  Statement m_eviction;
  Statement m_memory;
  Statement m_expectation;
  Statement m_log;
  std::optional<OptimizerRows> m_optimizer;
  std::optional<StudyRows> m_studies;
};

} // namespace jitscope::session
