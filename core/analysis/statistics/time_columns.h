// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "event/event.h"
#include "session/rows/call_spans.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

/// Level of detail: what of any number of calls shows in a picture that is so many columns wide.
namespace jitscope::analysis {

/// The columns of a picture of a time range: the way from time to column and back.
class TimeColumns {
public:
  /// A range without length is shown as one nanosecond; `count` is at least 1.
  TimeColumns(TimeRange range, std::uint32_t count);

  [[nodiscard]] const TimeRange &range() const { return m_range; }
  [[nodiscard]] std::uint32_t count() const { return m_count; }
  [[nodiscard]] double columnNs() const { return m_columnNs; }
  /// Where a moment lies, in columns from the left edge; below 0 or above `count()` outside of the range.
  [[nodiscard]] double positionOf(double ns) const { return (ns - static_cast<double>(m_range.fromNs)) / m_columnNs; }
  /// The column of a moment, the nearest one for moments outside of the range.
  [[nodiscard]] std::uint32_t columnOf(std::uint64_t ns) const;
  /// The moment at a position in columns.
  [[nodiscard]] double nsAt(double position) const { return static_cast<double>(m_range.fromNs) + position * m_columnNs; }

private:
  TimeRange m_range;
  std::uint32_t m_count;
  double m_columnNs;
};

/// One mark of a picture: a call, or several that fall into one place.
struct TimelineMark {
  double startNs = 0; ///< when the call began; for several, the middle of their column
  std::uint64_t minNs = 0;
  std::uint64_t maxNs = 0;
  std::uint64_t calls = 0;
  event::Outcome outcome = event::Outcome::Hit;
  base::CallId firstId; ///< the call, or the first one of the first span of calls

  friend bool operator==(const TimelineMark &, const TimelineMark &) = default;
};

/// Minimum, maximum and count per column and outcome.
class MarkColumns {
public:
  explicit MarkColumns(const TimeColumns &columns);

  /// Adds a span as far as it lies within the range. One that is wider than a column counts in each that it touches, its calls
  /// shared out evenly.
  void add(const session::CallSpan &span, event::Outcome outcome);
  /// The marks from left to right, in one column by outcome.
  [[nodiscard]] std::vector<TimelineMark> marks() const;

private:
  struct Cell {
    std::uint64_t calls = 0;
    std::uint64_t minNs = 0;
    std::uint64_t maxNs = 0;
    base::CallId firstId;
  };
  TimeColumns m_columns;
  std::vector<Cell> m_cells; ///< six outcomes for each column
};

/// Marks of single calls; those that agree in outcome and nearly in start (three columns) and duration (ten percent) become one: a
/// mark is wider and higher than that.
class MarkCells {
public:
  explicit MarkCells(const TimeColumns &columns) : m_columns(columns) {}

  /// Adds a call that begins within the range.
  void add(base::CallId id, std::uint64_t startNs, std::uint64_t totalNs, event::Outcome outcome);
  /// The marks in the order of their first call.
  [[nodiscard]] const std::vector<TimelineMark> &marks() const { return m_marks; }

private:
  TimeColumns m_columns;
  std::vector<TimelineMark> m_marks;
  std::unordered_map<std::uint64_t, std::size_t> m_markOf;
};

/// How much of each column a thread spent in calls.
class BusyColumns {
public:
  explicit BusyColumns(const TimeColumns &columns);

  /// Adds `totalNs` of work that took place from `startNs` until `endNs`, spread evenly.
  void add(double startNs, double endNs, double totalNs);
  /// For each column the busy share, 0 to 1.
  [[nodiscard]] const std::vector<float> &shares() const { return m_shares; }

private:
  TimeColumns m_columns;
  std::vector<float> m_shares;
};

} // namespace jitscope::analysis
