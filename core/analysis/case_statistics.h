// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/call_groups.h"
#include "analysis/statistics.h"
#include "base/error.h"
#include "event/event.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// Calls counted by outcome.
class OutcomeCounts {
public:
  [[nodiscard]] std::uint64_t operator[](event::Outcome outcome) const { return m_counts[static_cast<std::size_t>(outcome)]; }
  void add(event::Outcome outcome, std::uint64_t count) { m_counts[static_cast<std::size_t>(outcome)] += count; }
  [[nodiscard]] std::uint64_t total() const;

private:
  std::array<std::uint64_t, 6> m_counts{};
};

/// What one leg of one benchmark case measured: its samples only, neither warm-up nor set-up.
struct LegStatistics {
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  Statistics times; ///< of the calls' totals; `times.first` is the sample that started first
  OutcomeCounts outcomes;
  CallMark first;
  event::Outcome firstOutcome = event::Outcome::Hit;
  CallMark longest;
  event::Outcome longestOutcome = event::Outcome::Hit;
};

/// Statistics of every case and leg that has samples, ordered by case, cold before warm.
[[nodiscard]] std::vector<LegStatistics> legStatistics(std::span<const CallGroup> groups);

/// The rows that table `case_statistic` gets for one leg: name and value, in nanoseconds where the name does not say otherwise.
/// No row for a mode that does not exist.
[[nodiscard]] std::vector<std::pair<std::string_view, double>> statisticRows(const LegStatistics &statistics);

/// Computes the statistics of a finished session and stores them in its table `case_statistic`, replacing what is there.
/// A session without samples is left as it is.
[[nodiscard]] base::Result<void> storeCaseStatistics(const std::filesystem::path &path);

} // namespace jitscope::analysis
