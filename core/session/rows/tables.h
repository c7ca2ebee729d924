// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "event/event.h"
#include "record/session_end.h"
#include "session/file/process_identity.h"
#include "session/file/session_info.h"
#include "session/import/merged_part.h"
#include "session/rows/call_spans.h"
#include "session/rows/compile_part.h"
#include "session/rows/table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The declaration of every row: `tableOf<Row>()` in `tables_*.cpp`. A column that is added there is stored, read, checked, merged
/// and documented.
namespace jitscope::session {

/// Table `session`: the run that a file holds.
struct SessionRecord {
  SessionInfo info;
  record::SessionStatus status = record::SessionStatus::Running;
  std::string error;
  std::optional<std::uint64_t> endedNs;
  ProcessIdentity writer;
};

/// What repeats from call to call, and the sums of these calls. Of `call`, what differs within a context says nothing.
struct CallContext {
  std::uint32_t id = 0;
  event::CallEvent call;
  std::uint64_t calls = 0;
  std::uint64_t totalNs = 0;
};

/// A text of IR, kept once.
struct IrText {
  std::string sha256;
  std::string text;
};

/// A statistic of a case and leg.
struct CaseStatisticRow {
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  std::string name;
  double value = 0;
};

// Of a call, table `call_record` alone; `CallContext` has the rest.
template <> const Table<event::CallEvent> &tableOf();
template <> const Table<CallContext> &tableOf();
template <> const Table<CallSpan> &tableOf();
template <> const Table<SessionRecord> &tableOf();
template <> const Table<MergedPart> &tableOf();
template <> const Table<event::FunctionEvent> &tableOf();
template <> const Table<event::TemplateEvent> &tableOf();
template <> const Table<event::SectionEvent> &tableOf();
template <> const Table<event::BenchCaseEvent> &tableOf();
template <> const Table<event::BenchLegEvent> &tableOf();
template <> const Table<event::CompileEvent> &tableOf();
template <> const Table<event::RetrievalEvent> &tableOf();
template <> const Table<event::EvictionEvent> &tableOf();
template <> const Table<event::MemoryEvent> &tableOf();
template <> const Table<CaseStatisticRow> &tableOf();
template <> const Table<event::ExpectationEvent> &tableOf();
template <> const Table<event::LogEvent> &tableOf();
template <> const Table<event::StudyEvent> &tableOf();
template <> const Table<event::StudyResultEvent> &tableOf();
template <> const Table<event::StudyRunEvent> &tableOf();
template <> const Table<event::StudyNoteEvent> &tableOf();
// What hangs on a compile: its id (`compile_id`) is given apart.
template <> const Table<event::FunctionWork> &tableOf();
template <> const Table<event::PassRun> &tableOf();
template <> const Table<event::Remark> &tableOf();
template <> const Table<event::LoopResult> &tableOf();
template <> const Table<SnapshotRow> &tableOf();
template <> const Table<IrText> &tableOf();

/// What hangs on compiles; `rest` is what follows the table's name in the query.
template <typename Part> base::Result<std::vector<CompilePart<Part>>> collectParts(Database &database, std::string_view rest) {
  return collect<CompilePart<Part>>(
      database, "SELECT " + columnNames<Part>().append(" FROM ").append(tableOf<Part>().name).append(" ").append(rest),
      [](const Statement &row) {
        return CompilePart<Part>{idOf<base::CompileId>(row, tableOf<Part>().indexOf("compile_id")), readRow<Part>(row)};
      });
}

template <> struct Words<event::Outcome> {
  static constexpr auto *kFromName = event::outcomeFromName;
  static constexpr std::string_view kComplaint = "is no outcome";
};
template <> struct Words<event::MissReason> {
  static constexpr auto *kFromName = event::missReasonFromName;
  static constexpr std::string_view kComplaint = "is no reason of a miss";
};
template <> struct Words<event::Leg> {
  static constexpr auto *kFromName = event::legFromName;
  static constexpr std::string_view kComplaint = "is no leg";
};
template <> struct Words<event::CallPhase> {
  static constexpr auto *kFromName = event::callPhaseFromName;
  static constexpr std::string_view kComplaint = "is no phase";
};
template <> struct Words<event::Stage> {
  static constexpr auto *kFromName = event::stageFromName;
  static constexpr std::string_view kComplaint = "is no stage";
};
template <> struct Words<event::EvictionReason> {
  static constexpr auto *kFromName = event::evictionReasonFromName;
  static constexpr std::string_view kComplaint = "is no reason of an eviction";
};
template <> struct Words<event::LogLevel> {
  static constexpr auto *kFromName = event::logLevelFromName;
  static constexpr std::string_view kComplaint = "is no level";
};
template <> struct Words<event::RemarkKind> {
  static constexpr auto *kFromName = event::remarkKindFromName;
  static constexpr std::string_view kComplaint = "is no kind of remark";
};
template <> struct Words<event::LoopState> {
  static constexpr auto *kFromName = event::loopStateFromName;
  static constexpr std::string_view kComplaint = "is no state of a loop";
};
template <> struct Words<record::SessionStatus> {
  static constexpr auto *kFromName = record::sessionStatusFromName;
  static constexpr std::string_view kComplaint = "is no status";
};

} // namespace jitscope::session
