// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/case_statistics.h"

#include "analysis/statistics/break_even.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/rows/tables.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

namespace jitscope::analysis {

namespace {

template <typename Predicate> std::uint64_t sumOf(const OutcomeCounts &counts, Predicate isMeant) {
  std::uint64_t sum = 0;
  for (const event::Outcome outcome : event::kOutcomes) {
    sum += isMeant(outcome) ? counts[outcome] : 0;
  }
  return sum;
}

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
    result.endNs = std::max(result.endNs, group->endNs);
    result.samplesTaken = group->samplesOfLeg;
    isFirst = false;
  }
  result.times = describe(samplesOf(groups, result.first));
  std::vector<const CallGroup *> settled = groups;
  std::erase_if(settled, [](const CallGroup *group) { return event::heldUpByCompile(group->outcome); });
  if (!settled.empty() && settled.size() < groups.size()) {
    const auto isEarlier = [](const CallGroup *left, const CallGroup *right) { return left->first.startNs < right->first.startNs; };
    result.withoutCompiles = describe(samplesOf(settled, (*std::ranges::min_element(settled, isEarlier))->first));
  }
  return result;
}

/// What the cache gave up between the begin of a leg's first sample and the end of its last.
base::Result<std::uint64_t> evictionsDuring(session::SessionReader &reader, const LegStatistics &leg, bool isMerged) {
  // Parts of a merged session ran at the same time, perhaps: only those of the part count that the case is of.
  const std::string isOfPart =
      " AND template_id IN (SELECT t.id FROM template t, merged_session m, bench_case c WHERE c.id = ?3 AND c.function_id BETWEEN "
      "m.first_function_id AND m.last_function_id AND t.function_id BETWEEN m.first_function_id AND m.last_function_id)";
  JITSCOPE_TRY(session::Statement select, reader.database().prepare("SELECT count(*) FROM eviction WHERE at_ns BETWEEN ?1 AND ?2" +
                                                                    (isMerged ? isOfPart : std::string())));
  select.bind(1, leg.first.startNs);
  select.bind(2, leg.endNs);
  if (isMerged) {
    select.bind(3, leg.caseId.value);
  }
  const base::Result<bool> row = select.step();
  return row ? base::Result<std::uint64_t>(select.unsignedInteger(0)) : std::unexpected(row.error());
}

/// The rows of one set of samples, each name after `prefix`.
void addRows(std::vector<std::pair<std::string, double>> &rows, const std::string &prefix, const Statistics &times) {
  const auto add = [&](const char *name, double value) { rows.emplace_back(prefix + name, value); };
  const auto addInterval = [&](const char *name, const std::optional<Interval> &interval) {
    if (interval) {
      rows.emplace_back(prefix + name + "_lower", interval->lower);
      rows.emplace_back(prefix + name + "_upper", interval->upper);
    }
  };
  add("sample_size", static_cast<double>(times.sampleSize));
  add("average", times.average);
  addInterval("average", times.averageInterval);
  add("deviation", times.deviation);
  add("deviation_ratio", times.deviationRatio);
  add("ips", times.perSecond);
  add("median", times.median);
  addInterval("median", times.medianInterval);
  add("p25", times.p25);
  add("p75", times.p75);
  add("p90", times.p90);
  addInterval("p90", times.p90Interval);
  add("p95", times.p95);
  addInterval("p95", times.p95Interval);
  add("p99", times.p99);
  addInterval("p99", times.p99Interval);
  add("minimum", static_cast<double>(times.minimum));
  add("maximum", static_cast<double>(times.maximum));
  add("first", static_cast<double>(times.first));
  add("low_outliers", static_cast<double>(times.lowOutliers));
  add("high_outliers", static_cast<double>(times.highOutliers));
  if (times.mode) {
    add("mode", static_cast<double>(*times.mode));
  }
}

base::Result<void> store(session::Database &database, const std::vector<LegStatistics> &all) {
  if (base::Result<void> begun = database.execute("BEGIN IMMEDIATE; DELETE FROM case_statistic"); !begun) {
    return begun;
  }
  JITSCOPE_TRY(session::Statement insert, database.prepare(session::insertSql<session::CaseStatisticRow>()));
  for (const LegStatistics &leg : all) {
    for (const auto &[name, value] : statisticRows(leg)) {
      const session::CaseStatisticRow row{leg.caseId, leg.leg, name, value};
      session::bindRow(insert, row);
      if (base::Result<void> inserted = insert.run(); !inserted) {
        return inserted;
      }
    }
  }
  return database.execute("COMMIT");
}

} // namespace

std::uint64_t OutcomeCounts::total() const { return std::accumulate(m_counts.begin(), m_counts.end(), std::uint64_t{0}); }

std::uint64_t OutcomeCounts::paidForCompile() const { return sumOf(*this, event::paidForCompile); }

std::uint64_t OutcomeCounts::heldUpByCompile() const { return sumOf(*this, event::heldUpByCompile); }

base::Result<std::vector<LegStatistics>> legStatistics(session::SessionReader &reader, std::span<const CallGroup> groups) {
  std::map<std::pair<base::CaseId, event::Leg>, std::vector<const CallGroup *>> byLeg;
  for (const CallGroup &group : groups) {
    if (group.caseId.isValid() && group.phase == event::CallPhase::Sample && !group.totalsNs.empty()) {
      byLeg[{group.caseId, group.leg}].push_back(&group);
    }
  }
  JITSCOPE_TRY(const std::vector<event::BenchLegEvent> measured, reader.benchLegs());
  JITSCOPE_TRY(const std::vector<session::MergedPart> parts, reader.mergedParts());
  std::vector<LegStatistics> result;
  result.reserve(byLeg.size());
  for (const auto &[key, members] : byLeg) {
    LegStatistics &leg = result.emplace_back(statisticsOf(key.first, key.second, members));
    const auto how = std::ranges::find_if(
        measured, [&](const event::BenchLegEvent &entry) { return entry.caseId == leg.caseId && entry.leg == leg.leg; });
    if (how != measured.end()) {
      leg.measuring = *how;
    }
    JITSCOPE_TRY(const std::uint64_t evictions, evictionsDuring(reader, leg, !parts.empty()));
    leg.evictions = evictions;
  }
  return result;
}

double LegStatistics::compileExtraNs() const {
  if (!withoutCompiles) {
    return 0;
  }
  const auto sumOf = [](const Statistics &samples) { return samples.average * static_cast<double>(samples.sampleSize); };
  const double compiling = sumOf(times) - sumOf(*withoutCompiles);
  return std::max(0.0, compiling - withoutCompiles->median * static_cast<double>(outcomes.heldUpByCompile()));
}

std::optional<std::uint64_t> LegStatistics::callsUntilPaidBack() const {
  return withoutCompiles ? callsWorth(compileExtraNs(), withoutCompiles->median) : std::nullopt;
}

std::vector<std::pair<std::string, double>> statisticRows(const LegStatistics &statistics) {
  std::vector<std::pair<std::string, double>> rows;
  addRows(rows, "", statistics.times);
  rows.emplace_back("compiles", static_cast<double>(statistics.outcomes.paidForCompile()));
  rows.emplace_back("held_up", static_cast<double>(statistics.outcomes.heldUpByCompile()));
  rows.emplace_back("evictions", static_cast<double>(statistics.evictions));
  if (statistics.withoutCompiles) {
    addRows(rows, "steady_", *statistics.withoutCompiles);
    rows.emplace_back("compile_extra", statistics.compileExtraNs());
  }
  if (const std::optional<std::uint64_t> calls = statistics.callsUntilPaidBack()) {
    rows.emplace_back("calls_until_paid_back", static_cast<double>(*calls));
  }
  return rows;
}

base::Result<void> storeCaseStatistics(const std::filesystem::path &path, session::Database &database,
                                       const std::atomic<bool> *cancelled) {
  std::vector<LegStatistics> all;
  {
    // Written by this process: there is no reason to look for damage.
    JITSCOPE_TRY(const std::unique_ptr<session::SessionReader> reader, session::SessionReader::open(path, {.verifyUpToBytes = 0}));
    reader->database().setCancelFlag(cancelled);
    JITSCOPE_TRY(const std::vector<CallGroup> groups, readCallGroups(reader->database()));
    JITSCOPE_TRY(std::vector<LegStatistics> legs, legStatistics(*reader, groups));
    all = std::move(legs);
  }
  if (all.empty()) {
    return {};
  }
  if (base::Result<void> stored = store(database, all); !stored) {
    // SQLite may have rolled back by itself; then this fails and changes nothing.
    std::ignore = database.execute("ROLLBACK");
    return std::unexpected(std::move(stored.error()).within(fmt::format("while storing the statistics of \"{}\"", path.string())));
  }
  return {};
}

} // namespace jitscope::analysis
