// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_groups.h"
#include "analysis/statistics/statistics.h"
#include "base/error.h"
#include "event/compile_cost.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

namespace jitscope::analysis {

/// Calls counted by outcome.
class OutcomeCounts {
public:
  [[nodiscard]] std::uint64_t operator[](event::Outcome outcome) const { return m_counts[static_cast<std::size_t>(outcome)]; }
  void add(event::Outcome outcome, std::uint64_t count) { m_counts[static_cast<std::size_t>(outcome)] += count; }
  [[nodiscard]] std::uint64_t total() const;
  /// Calls that paid for a compile, and calls that were held up by one: see `event::paidForCompile` and `event::heldUpByCompile`.
  [[nodiscard]] std::uint64_t paidForCompile() const;
  [[nodiscard]] std::uint64_t heldUpByCompile() const;
  /// Calls that neither hit nor paid for a compile, for tables without a column for each outcome.
  [[nodiscard]] std::uint64_t others() const { return total() - (*this)[event::Outcome::Hit] - paidForCompile(); }

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
  /// Of the samples that no compile held up; empty where that is all of them, or none.
  std::optional<Statistics> withoutCompiles = {};
  std::uint64_t samplesTaken = 0; ///< all samples of the leg, whether selected or not
  std::uint64_t endNs = 0;        ///< when the sample that ended last did
  std::uint64_t evictions = 0;    ///< what the cache gave up between the begin of the first sample and `endNs`
  /// How it was measured; as it is by default where the session does not say.
  event::BenchLegEvent measuring = {};

  /// Whether `first` is the leg's own first sample, and not only that of those that are selected.
  [[nodiscard]] bool hasFirst() const { return first.sampleNumber <= 1; }
  /// Statistics of calls as they are once everything is compiled.
  [[nodiscard]] const Statistics &steadyState() const { return withoutCompiles ? *withoutCompiles : times; }
  /// How much longer the samples that a compile held up took than as many others, by the median of those; 0 without both kinds.
  [[nodiscard]] double compileExtraNs() const;
  /// As many calls as take the time of `compileExtraNs`: what must be called before less time went into compiling than into
  /// calling. Empty without both kinds of samples.
  [[nodiscard]] std::optional<std::uint64_t> callsUntilPaidBack() const;
};

/// Statistics of every case and leg that has samples, ordered by case, cold before warm. `groups` are calls of the session, which
/// is asked for the rest: how the legs were measured, and the evictions. The error is that of a query.
[[nodiscard]] base::Result<std::vector<LegStatistics>> legStatistics(session::SessionReader &reader,
                                                                     std::span<const CallGroup> groups);

/// The rows that table `case_statistic` gets for one leg: name and value, in nanoseconds where the name does not say otherwise.
/// No row for what does not exist, such as a mode or an interval of few samples. "compiles" counts the samples that paid for a
/// compile, "held_up" those that were held up by one; names of statistics of the others begin with "steady_".
[[nodiscard]] std::vector<std::pair<std::string, double>> statisticRows(const LegStatistics &statistics);

/// Computes the statistics of the session at `path` and stores them through `database`, a connection that may write to it, in the
/// table `case_statistic`, replacing what is there. A session without samples is left as it is. StorageCancelled, changing nothing,
/// soon after `*cancelled` has become true.
[[nodiscard]] base::Result<void> storeCaseStatistics(const std::filesystem::path &path, session::Database &database,
                                                     const std::atomic<bool> *cancelled = nullptr);

} // namespace jitscope::analysis
