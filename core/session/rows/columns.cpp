// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/columns.h"

#include "base/try.h"
#include "event/event.h"
#include "record/session_end.h"
#include "session/file/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace jitscope::session {

namespace {

constexpr std::int64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
/// Some 70 years: sessions of different days are merged to one, and one that does not know its day begins in 1970.
constexpr std::int64_t kLastMoment = std::int64_t{1} << 61U;
/// 104 days, and a pebibyte and more: doubles hold these to the unit.
constexpr std::int64_t kLargest = std::int64_t{1} << 53U;

/// Which table a column's ids are of where the schema does not say it: the row can be missing, or it is the end of a range.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kReferences{{{"call_id", "call_record"},
                                                                                    {"first_id", "call_record"},
                                                                                    {"last_id", "call_record"},
                                                                                    {"first_function_id", "function"},
                                                                                    {"last_function_id", "function"},
                                                                                    {"first_expectation_id", "expectation"},
                                                                                    {"last_expectation_id", "expectation"}}};

/// Tables whose ids have more than 32 bits.
constexpr std::array<std::string_view, 9> kWideIds{"call_record", "call_span", "expectation", "ir",        "loop",
                                                   "pass",        "remark",    "retrieval",   "study_note"};

constexpr std::array<std::string_view, 8> kLargeTables{"call_record", "call_span", "pass",        "remark",
                                                       "loop",        "ir",        "ir_snapshot", "function_work"};

struct Bounds {
  std::string_view column;
  std::int64_t least;
  std::int64_t most;
};
/// Whole numbers that are not simply counts of 32 bits.
constexpr std::array<Bounds, 13> kBounds{{{"eager", 0, 1},
                                          {"changed", 0, 1},
                                          {"passed", 0, 1},
                                          {"line", 0, std::numeric_limits<std::int32_t>::max()},
                                          {"column_", 0, std::numeric_limits<std::int32_t>::max()},
                                          {"calls", 0, kLargest},
                                          {"calls_per_sample", 1, kLargest},
                                          {"max_samples", 0, kMax64},
                                          {"instructions_before", 0, kLargest},
                                          {"instructions_after", 0, kLargest},
                                          {"objects", 0, kLargest},
                                          {"writer_pid", 0, kMax64},
                                          {"writer_start_ticks", 0, kMax64}}};
/// Bits, and no numbers: any value.
constexpr std::array<std::string_view, 2> kBits{"fingerprint", "seed"};

template <typename Enum, std::optional<Enum> (*FromName)(std::string_view)> bool isNameOf(std::string_view word) {
  return FromName(word).has_value();
}

struct Words {
  std::string_view table; ///< empty: in every table
  std::string_view column;
  bool (*isWord)(std::string_view);
};
constexpr std::array<Words, 10> kWords{{
    {"", "outcome", isNameOf<event::Outcome, event::outcomeFromName>},
    {"", "leg", isNameOf<event::Leg, event::legFromName>},
    {"", "phase", isNameOf<event::CallPhase, event::callPhaseFromName>},
    {"compile", "reason", isNameOf<event::MissReason, event::missReasonFromName>},
    {"retrieval", "reason", isNameOf<event::MissReason, event::missReasonFromName>},
    {"remark", "kind", isNameOf<event::RemarkKind, event::remarkKindFromName>},
    {"loop", "state", isNameOf<event::LoopState, event::loopStateFromName>},
    {"log", "level", isNameOf<event::LogLevel, event::logLevelFromName>},
    {"session", "status", isNameOf<record::SessionStatus, record::sessionStatusFromName>},
    {"merged_session", "status", isNameOf<record::SessionStatus, record::sessionStatusFromName>},
}};

/// Reals that can be infinite, and need not be positive.
constexpr std::array<std::string_view, 3> kUnboundedReals{"max_ulp", "ulp_bound", "value"};

std::string_view undeclaredReference(std::string_view column) {
  const auto *const known = std::ranges::find(kReferences, column, &std::pair<std::string_view, std::string_view>::first);
  return known == kReferences.end() ? std::string_view() : known->second;
}

bool isOneOf(std::string_view name, const auto &names) { return std::ranges::find(names, name) != std::end(names); }

void boundWholeNumber(const std::string &table, SessionColumn &column) {
  const std::string_view name = column.name;
  if (name == "id") {
    column.kind = ColumnKind::Id;
    column.table = table;
  } else if (column.isDeclared || !undeclaredReference(name).empty()) {
    column.kind = ColumnKind::Reference;
    column.table = column.isDeclared ? column.table : undeclaredReference(name);
  } else if (isOneOf(name, std::array<std::string_view, 4>{"start_ns", "last_start_ns", "at_ns", "ended_ns"})) {
    column.kind = ColumnKind::Moment;
    column.most = kLastMoment;
  } else if (name.ends_with("_ns")) {
    column.kind = ColumnKind::Duration;
    column.most = kLargest;
  } else if (name.ends_with("_bytes")) {
    column.kind = ColumnKind::Bytes;
    column.most = kLargest;
  } else if (name == "process" || name.ends_with("_process")) {
    column.kind = ColumnKind::Process;
    column.most = std::numeric_limits<std::uint16_t>::max();
  } else {
    column.kind = ColumnKind::Number;
    column.most = name.starts_with("is_") || name.starts_with("has_") ? 1 : name.ends_with("_entries") ? kLargest : kMax32;
  }
  if (!column.table.empty()) {
    // The last one of a range that holds none is the one before its first, hence may be 0.
    column.least = name.starts_with("last_") ? 0 : 1;
    column.most = isOneOf(std::string_view(column.table), kWideIds) ? kMax64 : kMax32;
  }
  if (const auto *const known = std::ranges::find(kBounds, name, &Bounds::column); known != kBounds.end()) {
    column.least = known->least;
    column.most = known->most;
  }
  if (isOneOf(name, kBits)) {
    column.least = std::numeric_limits<std::int64_t>::min();
    column.most = kMax64;
  }
}

void classify(const std::string &table, std::string_view declared, SessionColumn &column) {
  const std::string_view name = column.name;
  if (declared == "INTEGER") {
    boundWholeNumber(table, column);
  } else if (declared == "REAL") {
    column.kind = ColumnKind::Real;
    column.isFinite = !isOneOf(name, kUnboundedReals);
  } else if (const auto *const words = std::ranges::find_if(
                 kWords, [&](const Words &known) { return known.column == name && (known.table.empty() || known.table == table); });
             words != kWords.end()) {
    column.kind = ColumnKind::Word;
    column.isWord = words->isWord;
  } else if (table == "remark" && name == "args") {
    column.kind = ColumnKind::Json;
  }
}

} // namespace

bool isBench(std::string_view column) { return column == "bench" || column == "first_bench" || column == "last_bench"; }

base::Result<std::vector<SessionTable>> describeTables(Database &reference) {
  JITSCOPE_TRY(const std::vector<std::string> names,
               collect<std::string>(reference,
                                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE "
                                    "'\\' ORDER BY rowid",
                                    [](const Statement &row) { return textOf(row, 0); }));
  std::vector<SessionTable> tables;
  for (const std::string &name : names) {
    SessionTable table{name, {}, isOneOf(std::string_view(name), kLargeTables)};
    JITSCOPE_TRY(Statement select,
                 reference.prepare(
                     fmt::format("SELECT c.name, c.type, c.\"notnull\" = 0 AND c.pk = 0, f.\"table\" FROM "
                                 "pragma_table_info('{0}') c LEFT JOIN pragma_foreign_key_list('{0}') f ON f.\"from\" = c.name "
                                 "ORDER BY c.cid",
                                 name)));
    for (;;) {
      JITSCOPE_TRY(const bool found, select.step());
      if (!found) {
        break;
      }
      SessionColumn column;
      column.name = textOf(select, 0);
      column.isNullable = select.integer(2) != 0;
      column.table = textOf(select, 3);
      column.isDeclared = !column.table.empty();
      classify(name, select.text(1), column);
      table.columns.push_back(std::move(column));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

} // namespace jitscope::session
