// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/time_columns.h"

#include <algorithm>
#include <cmath>

namespace jitscope::analysis {

namespace {

constexpr std::size_t kOutcomeCount = 6;
/// Marks nearer to each other than these cannot be told apart in a picture: columns, and parts of a tenfold duration.
constexpr std::uint64_t kCellColumns = 3;
constexpr double kCellsPerDecade = 24;

} // namespace

TimeColumns::TimeColumns(TimeRange range, std::uint32_t count)
    : m_range{range.fromNs, std::max(range.toNs, range.fromNs + 1)}, m_count(std::max(count, 1U)),
      m_columnNs(static_cast<double>(m_range.lengthNs()) / m_count) {}

std::uint32_t TimeColumns::columnOf(std::uint64_t ns) const {
  if (ns <= m_range.fromNs) {
    return 0;
  }
  const double position = static_cast<double>(ns - m_range.fromNs) / m_columnNs;
  return position >= m_count ? m_count - 1 : static_cast<std::uint32_t>(position);
}

MarkColumns::MarkColumns(const TimeColumns &columns) : m_columns(columns), m_cells(std::size_t{columns.count()} * kOutcomeCount) {}

void MarkColumns::add(const session::CallSpan &span, event::Outcome outcome) {
  const TimeRange &range = m_columns.range();
  if (span.lastStartNs < range.fromNs || span.startNs >= range.toNs) {
    return;
  }
  const std::uint32_t first = m_columns.columnOf(span.startNs);
  const std::uint32_t last = m_columns.columnOf(span.lastStartNs);
  const std::uint32_t width = last - first + 1;
  for (std::uint32_t column = first; column <= last; ++column) {
    const std::uint32_t share = span.calls / width + (column - first < span.calls % width ? 1 : 0);
    if (share == 0) {
      continue;
    }
    Cell &cell = m_cells[std::size_t{column} * kOutcomeCount + static_cast<std::size_t>(outcome)];
    if (cell.calls == 0) {
      cell = {share, span.minNs, span.maxNs, span.firstId};
      continue;
    }
    cell.calls += share;
    cell.minNs = std::min(cell.minNs, span.minNs);
    cell.maxNs = std::max(cell.maxNs, span.maxNs);
  }
}

std::vector<TimelineMark> MarkColumns::marks() const {
  std::vector<TimelineMark> marks;
  for (std::size_t i = 0; i < m_cells.size(); ++i) {
    const Cell &cell = m_cells[i];
    if (cell.calls > 0) {
      const std::size_t column = i / kOutcomeCount;
      const double middle = m_columns.nsAt(static_cast<double>(column) + 0.5);
      marks.push_back({middle, cell.minNs, cell.maxNs, cell.calls, static_cast<event::Outcome>(i % kOutcomeCount), cell.firstId});
    }
  }
  return marks;
}

void MarkCells::add(base::CallId id, std::uint64_t startNs, std::uint64_t totalNs, event::Outcome outcome) {
  const double level = totalNs == 0 ? 0 : std::log10(static_cast<double>(totalNs)) * kCellsPerDecade + 1;
  const std::uint64_t key = (m_columns.columnOf(startNs) / kCellColumns) << 32U | static_cast<std::uint64_t>(level) << 8U |
                            static_cast<std::uint64_t>(outcome);
  const auto [entry, isNew] = m_markOf.try_emplace(key, m_marks.size());
  if (isNew) {
    m_marks.push_back({static_cast<double>(startNs), totalNs, totalNs, 1, outcome, id});
    return;
  }
  TimelineMark &mark = m_marks[entry->second];
  ++mark.calls;
  mark.minNs = std::min(mark.minNs, totalNs);
  mark.maxNs = std::max(mark.maxNs, totalNs);
}

BusyColumns::BusyColumns(const TimeColumns &columns) : m_columns(columns), m_shares(columns.count(), 0) {}

void BusyColumns::add(double startNs, double endNs, double totalNs) {
  const double length = std::max(endNs - startNs, 1.0);
  const double density = std::min(totalNs / length, 1.0);
  const double from = std::max(m_columns.positionOf(startNs), 0.0);
  const double to = std::min(m_columns.positionOf(startNs + length), static_cast<double>(m_columns.count()));
  for (double position = from; position < to;) {
    const auto column = static_cast<std::size_t>(position);
    const double next = std::min(std::floor(position) + 1, to);
    if (column < m_shares.size()) {
      m_shares[column] = static_cast<float>(std::min(1.0, m_shares[column] + (next - position) * density));
    }
    position = next;
  }
}

} // namespace jitscope::analysis
