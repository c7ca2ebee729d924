// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/file/database.h"
#include "session/rows/tables.h"

#include <tuple>

namespace jitscope::session {

/// The prepared statement that adds rows of one type.
template <typename Row> struct RowInsert {
  Statement statement;
};

/// Writes events, calls apart, as rows of their tables; equal texts of IR are kept once. The statements are prepared once.
class EventRows {
public:
  /// `database` must outlive the object and hold the tables of `schemaSql`.
  [[nodiscard]] static base::Result<EventRows> prepare(Database &database);

  /// Adds the event's row or rows, within whatever transaction is open.
  [[nodiscard]] base::Result<void> insert(const event::Event &event);

private:
  EventRows() = default;

  template <typename Row> Statement &statementOf() { return std::get<RowInsert<Row>>(m_inserts).statement; }
  template <typename Row> base::Result<void> add(const Row &row);
  base::Result<void> add(const event::CompileEvent &compile);
  template <typename Part> base::Result<void> addParts(base::CompileId compile, const std::vector<Part> &parts);
  base::Result<void> addText(base::CompileId compile, const event::IrSnapshot &snapshot);

  std::tuple<RowInsert<event::FunctionEvent>, RowInsert<event::TemplateEvent>, RowInsert<event::SectionEvent>,
             RowInsert<event::BenchCaseEvent>, RowInsert<event::BenchLegEvent>, RowInsert<event::CompileEvent>,
             RowInsert<event::RetrievalEvent>, RowInsert<event::EvictionEvent>, RowInsert<event::MemoryEvent>,
             RowInsert<event::ExpectationEvent>, RowInsert<event::LogEvent>, RowInsert<event::StudyEvent>,
             RowInsert<event::StudyResultEvent>, RowInsert<event::StudyRunEvent>, RowInsert<event::StudyNoteEvent>,
             RowInsert<event::FunctionWork>, RowInsert<event::PassRun>, RowInsert<event::Remark>, RowInsert<event::LoopResult>,
             RowInsert<IrText>, RowInsert<SnapshotRow>>
      m_inserts;
};

} // namespace jitscope::session
