// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/seen_calls.h"
#include "analysis/query/selection.h"
#include "analysis/statistics/time_columns.h"
#include "base/error.h"
#include "session/rows/call_spans.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// A thread of a process of the run; process 0 is the script's own.
struct ThreadName {
  std::uint16_t process = 0;
  std::uint32_t thread = 0;
  friend auto operator<=>(const ThreadName &, const ThreadName &) = default;
};

/// When a process of a cold leg began to record. What it did before, it did unrecorded: it ran the script again, up to its case.
struct ProcessStart {
  std::uint16_t process = 0;
  TimeRange unrecorded; ///< from the end of what was recorded before, by whatever process, to its own first call
};

/// The calls in a time range as a picture shows them.
struct TimelineView {
  TimeRange range;
  std::uint32_t columns = 0;
  bool exact = false;      ///< every call was read; otherwise marks are minimum, maximum and count per column
  std::uint64_t calls = 0; ///< in the range; where not exact, spans at its edges count in full
  std::vector<TimelineMark> marks;
  std::vector<ThreadName> threads;
  std::vector<std::vector<float>> busy; ///< for each thread the busy share of each column
};

/// Whether the session's spans, which the first sessions did not have, are those of all its calls.
[[nodiscard]] base::Result<bool> spansHoldAllCalls(session::Database &database);

/// The selected calls of a session, condensed in memory: some 2.3 bytes a call. Ten million calls are read in about a fifth of a
/// second where the session's own spans can be used, and drawn in a few milliseconds. A selection of a function or template needs
/// all its calls to be read, once. One thread at a time.
class CallSpanIndex {
public:
  /// With no more calls than this in its range, a view shows each of them.
  static constexpr std::uint64_t kExactCalls = 50'000;

  explicit CallSpanIndex(Selection selection) : m_selection(selection) {}

  /// Reads what was recorded since the last `update`: everything at first. Returns whether there was anything new.
  [[nodiscard]] base::Result<bool> update(session::Database &database);

  [[nodiscard]] const Selection &selection() const { return m_selection; }
  [[nodiscard]] std::uint64_t calls() const { return m_calls; }
  /// From the first start of a call to the last end; empty without calls.
  [[nodiscard]] TimeRange extent() const;
  [[nodiscard]] const std::vector<ThreadName> &threads() const { return m_threads; }

  /// Of each process of a cold leg, in the order of their starts. Empty for a selection, which leaves out what came before.
  [[nodiscard]] std::vector<ProcessStart> processStarts() const;

  /// A picture of `range`. Reads single calls from `database` where the range has few.
  [[nodiscard]] base::Result<TimelineView> view(session::Database &database, TimeRange range, std::uint32_t columnCount) const;

  /// Ids between which the calls that begin in `range` lie, inclusive; the first is none where there are no such calls.
  [[nodiscard]] std::pair<base::CallId, base::CallId> idsIn(TimeRange range) const;

private:
  /// What a context says of its calls, as far as a picture needs it.
  struct Context {
    bool selected = false;
    event::Outcome outcome = event::Outcome::Hit;
    std::size_t thread = 0; ///< index into m_threads
    event::CallEvent call;  ///< the rest, for condensing
  };

  base::Result<void> readContexts(session::Database &database);
  base::Result<void> readSpans(session::Database &database);
  base::Result<void> condenseCalls(session::Database &database);
  void add(const session::CallSpan &span);
  void sortFrom(std::size_t first);
  [[nodiscard]] std::size_t firstTouching(std::uint64_t ns) const;
  base::Result<void> addExactMarks(session::Database &database, const TimeColumns &columns, TimelineView &view,
                                   std::vector<BusyColumns> &busy) const;

  Selection m_selection;
  bool m_fromSpans = false;
  bool m_decided = false;
  SeenCalls m_seen;           ///< where calls are read
  std::int64_t m_lastRow = 0; ///< of call_span or call_record, whichever is read
  std::uint64_t m_calls = 0;
  std::vector<Context> m_contexts; ///< by id
  std::vector<ThreadName> m_threads;
  std::vector<session::CallSpan> m_spans; ///< by start
  std::vector<std::uint64_t> m_endBefore; ///< for each span the latest end of it and all before it
  session::CallSpanBuilder m_builder;
};

} // namespace jitscope::analysis
