// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/case_statistics.h"

#include "session/database.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

namespace jitscope::analysis {

namespace {

/// Only the first sample has a place of its own in the statistics; the order of the others does not matter.
std::vector<std::uint64_t> samplesOf(const std::vector<const CallGroup *> &groups, const CallMark &first) {
  std::vector<std::uint64_t> samples;
  for (const CallGroup *group : groups) {
    samples.insert(samples.end(), group->totalsNs.begin(), group->totalsNs.end());
  }
  if (const auto found = std::ranges::find(samples, first.totalNs); found != samples.end()) {
    std::iter_swap(samples.begin(), found);
  }
  return samples;
}

LegStatistics statisticsOf(base::CaseId caseId, event::Leg leg, const std::vector<const CallGroup *> &groups) {
  LegStatistics result;
  result.caseId = caseId;
  result.leg = leg;
  bool isFirst = true;
  for (const CallGroup *group : groups) {
    result.outcomes.add(group->outcome, group->totalsNs.size());
    if (isFirst || group->first.startNs < result.first.startNs) {
      result.first = group->first;
      result.firstOutcome = group->outcome;
    }
    if (isFirst || group->longest.totalNs > result.longest.totalNs) {
      result.longest = group->longest;
      result.longestOutcome = group->outcome;
    }
    isFirst = false;
  }
  result.times = describe(samplesOf(groups, result.first));
  return result;
}

base::Result<void> store(session::Database &database, const std::vector<LegStatistics> &all) {
  if (base::Result<void> begun = database.execute("BEGIN IMMEDIATE; DELETE FROM case_statistic"); !begun) {
    return begun;
  }
  base::Result<session::Statement> insert =
      database.prepare("INSERT INTO case_statistic(case_id, leg, name, value) VALUES(?1, ?2, ?3, ?4)");
  if (!insert) {
    return std::unexpected(std::move(insert.error()));
  }
  for (const LegStatistics &leg : all) {
    for (const auto &[name, value] : statisticRows(leg)) {
      insert->bind(1, leg.caseId.value);
      insert->bind(2, nameOf(leg.leg));
      insert->bind(3, name);
      insert->bind(4, value);
      if (base::Result<void> inserted = insert->run(); !inserted) {
        return inserted;
      }
    }
  }
  return database.execute("COMMIT");
}

} // namespace

std::uint64_t OutcomeCounts::total() const { return std::accumulate(m_counts.begin(), m_counts.end(), std::uint64_t{0}); }

std::vector<LegStatistics> legStatistics(std::span<const CallGroup> groups) {
  std::map<std::pair<base::CaseId, event::Leg>, std::vector<const CallGroup *>> byLeg;
  for (const CallGroup &group : groups) {
    if (group.caseId.isValid() && group.phase == event::CallPhase::Sample) {
      byLeg[{group.caseId, group.leg}].push_back(&group);
    }
  }
  std::vector<LegStatistics> result;
  result.reserve(byLeg.size());
  for (const auto &[key, members] : byLeg) {
    result.push_back(statisticsOf(key.first, key.second, members));
  }
  return result;
}

std::vector<std::pair<std::string_view, double>> statisticRows(const LegStatistics &statistics) {
  const Statistics &times = statistics.times;
  std::vector<std::pair<std::string_view, double>> rows{
      {"sample_size", static_cast<double>(times.sampleSize)},
      {"average", times.average},
      {"deviation", times.deviation},
      {"deviation_ratio", times.deviationRatio},
      {"ips", times.perSecond},
      {"median", times.median},
      {"p25", times.p25},
      {"p75", times.p75},
      {"p90", times.p90},
      {"p95", times.p95},
      {"p99", times.p99},
      {"minimum", static_cast<double>(times.minimum)},
      {"maximum", static_cast<double>(times.maximum)},
      {"first", static_cast<double>(times.first)},
      {"low_outliers", static_cast<double>(times.lowOutliers)},
      {"high_outliers", static_cast<double>(times.highOutliers)},
      {"compiles", static_cast<double>(statistics.outcomes[event::Outcome::Miss])},
  };
  if (times.mode) {
    rows.emplace_back("mode", static_cast<double>(*times.mode));
  }
  return rows;
}

base::Result<void> storeCaseStatistics(const std::filesystem::path &path) {
  std::vector<LegStatistics> all;
  {
    // Just written by this process: there is no reason to look for damage.
    const base::Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(path, {.verifyUpToBytes = 0});
    if (!reader) {
      return std::unexpected(reader.error());
    }
    const base::Result<std::vector<CallGroup>> groups = readCallGroups((*reader)->database());
    if (!groups) {
      return std::unexpected(groups.error());
    }
    all = legStatistics(*groups);
  }
  if (all.empty()) {
    return {};
  }
  base::Result<session::Database> database = session::Database::open(path, session::Database::Access::ReadWrite);
  base::Result<void> stored = database ? store(*database, all) : std::unexpected(database.error());
  if (!stored) {
    return std::unexpected(std::move(stored.error()).within(fmt::format("while storing the statistics of \"{}\"", path.string())));
  }
  return {};
}

} // namespace jitscope::analysis
