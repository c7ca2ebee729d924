// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"

#include "analysis/findings/findings.h"
#include "analysis/query/each_row.h"
#include "analysis/query/selection_text.h"
#include "base/try.h"
#include "event/compile_cost.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::SessionReader;
using session::Statement;

/// Reorders `values`.
double medianOf(std::vector<std::uint64_t> &values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  const auto upper = static_cast<double>(*middle);
  if (values.size() % 2 == 1) {
    return upper;
  }
  return (static_cast<double>(*std::max_element(values.begin(), middle)) + upper) / 2;
}

CompileTimes readTimes(const Statement &row, int firstColumn) {
  return {row.unsignedInteger(firstColumn),     row.unsignedInteger(firstColumn + 1), row.unsignedInteger(firstColumn + 2),
          row.unsignedInteger(firstColumn + 3), row.unsignedInteger(firstColumn + 4), row.unsignedInteger(firstColumn + 5)};
}

} // namespace

std::vector<OutcomeSummary> summarizeOutcomes(std::span<const CallGroup> groups) {
  std::vector<OutcomeSummary> result;
  for (const event::Outcome outcome : event::kOutcomes) {
    OutcomeSummary entry;
    entry.outcome = outcome;
    std::vector<std::uint64_t> totals;
    for (const CallGroup &group : groups) {
      if (group.outcome == outcome) {
        totals.insert(totals.end(), group.totalsNs.begin(), group.totalsNs.end());
        entry.totalNs += group.sumNs;
        entry.maximumNs = std::max(entry.maximumNs, group.longest.totalNs);
      }
    }
    entry.count = totals.size();
    entry.medianNs = medianOf(totals);
    if (entry.count > 0) {
      result.push_back(entry);
    }
  }
  return result;
}

base::Result<CompileTotals> readCompileTotals(SessionReader &reader, const Selection &selection) {
  CompileTotals totals;
  JITSCOPE_TRY_VOID(
      eachRow(reader.database(),
              "SELECT count(*), sum(trace_ns), sum(lower_ns), sum(optimize_ns), sum(codegen_ns), sum(link_ns), sum(total_ns) "
              "FROM compile c WHERE c.study_id IS NULL AND " +
                  compileCondition(selection, "c"),
              [&totals](const Statement &row) {
                totals.compiles = row.unsignedInteger(0);
                totals.times = readTimes(row, 1);
              }));
  return totals;
}

base::Result<std::vector<MissSummary>> readMisses(SessionReader &reader, const Selection &selection, const MissOptions &options) {
  std::vector<MissSummary> misses;
  const std::string sql = fmt::format(
      "SELECT c.id, c.call_id, c.template_id, f.name, f.line, f.eager, t.signature, c.pipeline, s.name, c.reason, n.signature, "
      "c.difference, r.total_ns, c.code_bytes, c.process, "
      "c.trace_ns, c.lower_ns, c.optimize_ns, c.codegen_ns, c.link_ns, c.total_ns, "
      "coalesce(x.section_id, y.section_id) FROM compile c LEFT JOIN study y ON y.id = c.study_id LEFT JOIN template t ON t.id = "
      "c.template_id "
      "LEFT JOIN function f ON f.id = coalesce(t.function_id, y.function_id) "
      "LEFT JOIN template n ON n.id = c.nearest_template_id LEFT JOIN call_record r ON r.id = c.call_id "
      "LEFT JOIN call_context x ON x.id = r.context_id LEFT JOIN section s ON s.id = coalesce(x.section_id, y.section_id) "
      "WHERE {} AND {} ORDER BY c.total_ns DESC, c.id LIMIT {}",
      options.withStudies ? "c.repetition = 0" : "c.study_id IS NULL", compileCondition(selection, "c"), options.limit);
  JITSCOPE_TRY_VOID(eachRow(reader.database(), sql, [&misses](const Statement &row) {
    MissSummary &miss = misses.emplace_back();
    miss.compileId = base::CompileId(row.number(0));
    miss.callId = base::CallId(row.unsignedInteger(1));
    miss.templateId = base::TemplateId(row.number(2));
    miss.functionName = row.text(3);
    miss.functionLine = static_cast<int>(row.integer(4));
    miss.eager = row.integer(5) != 0;
    miss.signature = row.text(6);
    miss.pipeline = row.text(7);
    miss.section = row.text(8);
    miss.reason = event::missReasonFromName(row.text(9)).value_or(event::MissReason::NewFunction);
    miss.nearestSignature = row.text(10);
    miss.difference = row.text(11);
    miss.callTotalNs = row.unsignedInteger(12);
    miss.codeBytes = row.unsignedInteger(13);
    miss.process = static_cast<std::uint16_t>(row.number(14));
    miss.times = readTimes(row, 15);
    miss.sectionId = base::SectionId(row.number(21));
  }));
  return misses;
}

base::Result<std::vector<SectionSummary>> readSections(SessionReader &reader, const Selection &selection,
                                                       std::span<const CallGroup> groups) {
  JITSCOPE_TRY(std::vector<event::SectionEvent> sections, reader.sections());
  std::map<base::SectionId, SectionSummary> byId;
  for (const event::SectionEvent &section : sections) {
    SectionSummary &summary = byId[section.id];
    summary.id = section.id;
    summary.name = section.name;
    summary.startNs = section.startNs;
  }
  for (const CallGroup &group : groups) {
    SectionSummary &summary = byId[group.sectionId];
    summary.id = group.sectionId;
    summary.calls += group.totalsNs.size();
    summary.callNs += group.sumNs;
    summary.outcomes.add(group.outcome, group.totalsNs.size());
  }
  JITSCOPE_TRY_VOID(eachRow(reader.database(),
                            "SELECT x.section_id, count(*), sum(c.total_ns) FROM compile c JOIN call_record r ON r.id = "
                            "c.call_id JOIN call_context x ON x.id = r.context_id WHERE " +
                                compileCondition(selection, "c") + " GROUP BY x.section_id",
                            [&byId](const Statement &row) {
                              const base::SectionId id(row.number(0));
                              SectionSummary &summary = byId[id];
                              summary.id = id;
                              summary.compiles = row.unsignedInteger(1);
                              summary.compileNs = row.unsignedInteger(2);
                            }));
  std::vector<SectionSummary> result;
  const bool everything = selection.isEmpty();
  for (auto &[id, summary] : byId) {
    if (everything || summary.calls > 0) {
      result.push_back(std::move(summary));
    }
  }
  return result;
}

base::Result<std::vector<RetrievalSummary>> readRetrievals(SessionReader &reader, const Selection &selection) {
  std::vector<RetrievalSummary> result;
  JITSCOPE_TRY_VOID(eachRow(reader.database(),
                            "SELECT outcome, reason, count(*), sum(trace_ns), sum(load_ns) FROM retrieval r WHERE " +
                                retrievalCondition(selection, "r") +
                                " GROUP BY outcome, reason "
                                "ORDER BY outcome, reason",
                            [&result](const Statement &row) {
                              RetrievalSummary &entry = result.emplace_back();
                              entry.outcome = event::outcomeFromName(row.text(0)).value_or(event::Outcome::Retrace);
                              entry.reason = event::missReasonFromName(row.text(1)).value_or(event::MissReason::NewFunction);
                              entry.count = row.unsignedInteger(2);
                              entry.traceNs = row.unsignedInteger(3);
                              entry.loadNs = row.unsignedInteger(4);
                            }));
  return result;
}

base::Result<std::vector<CaseSummary>> readCases(SessionReader &reader, std::span<const CallGroup> groups) {
  JITSCOPE_TRY(std::vector<event::BenchCaseEvent> cases, reader.benchCases());
  std::vector<CaseSummary> result;
  if (cases.empty()) {
    return result; // there are no samples without one
  }
  JITSCOPE_TRY(const std::vector<event::FunctionEvent> functions, reader.functions());
  JITSCOPE_TRY(const std::vector<LegStatistics> legs, legStatistics(reader, groups));
  for (event::BenchCaseEvent &bench : cases) {
    CaseSummary summary;
    std::ranges::copy_if(legs, std::back_inserter(summary.legs),
                         [&bench](const LegStatistics &leg) { return leg.caseId == bench.id; });
    if (!summary.legs.empty()) {
      const auto function = std::ranges::find(functions, bench.functionId, &event::FunctionEvent::id);
      summary.functionName = function == functions.end() ? std::string() : function->name;
      summary.bench = std::move(bench);
      result.push_back(std::move(summary));
    }
  }
  return result;
}

base::Result<MemorySummary> readMemory(SessionReader &reader, const Selection &selection) {
  MemorySummary memory;
  JITSCOPE_TRY_VOID(eachRow(
      reader.database(),
      "SELECT max(tensor_peak_bytes), max(cache_entries), max(cache_code_bytes) FROM memory WHERE " + momentCondition(selection),
      [&memory](const Statement &row) { memory = {row.unsignedInteger(0), row.unsignedInteger(1), row.unsignedInteger(2)}; }));
  return memory;
}

base::Result<std::vector<EvictionSummary>> readEvictions(SessionReader &reader, const Selection &selection) {
  std::vector<EvictionSummary> result;
  JITSCOPE_TRY_VOID(eachRow(reader.database(),
                            "SELECT reason, count(*), sum(code_bytes) FROM eviction WHERE " + evictionCondition(selection) +
                                " GROUP BY reason ORDER BY reason",
                            [&result](const Statement &row) {
                              result.push_back(
                                  {session::valueOf(row, 0, event::evictionReasonFromName, "is no reason of an eviction"),
                                   row.unsignedInteger(1), row.unsignedInteger(2)});
                            }));
  return result;
}

base::Result<WarningSummary> readWarnings(SessionReader &reader, std::size_t limit) {
  WarningSummary warnings;
  const std::string sql = fmt::format(
      "SELECT at_ns, level, message FROM (SELECT rowid AS number, * FROM log WHERE level IN ('warning', 'error') ORDER BY "
      "level = 'error' DESC, at_ns, rowid LIMIT {}) ORDER BY at_ns, number",
      limit);
  JITSCOPE_TRY_VOID(
      eachRow(reader.database(), "SELECT sum(level = 'warning'), sum(level = 'error') FROM log", [&warnings](const Statement &row) {
        warnings.moreWarnings = row.unsignedInteger(0);
        warnings.moreErrors = row.unsignedInteger(1);
      }));
  JITSCOPE_TRY_VOID(eachRow(reader.database(), sql, [&warnings](const Statement &row) {
    warnings.lines.push_back({row.unsignedInteger(0), event::logLevelFromName(row.text(1)).value_or(event::LogLevel::Warning),
                              std::string(row.text(2))});
    --(warnings.lines.back().level == event::LogLevel::Error ? warnings.moreErrors : warnings.moreWarnings);
  }));
  return warnings;
}

namespace {

base::Result<Summary> summarizeState(SessionReader &reader, const SummaryOptions &options) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  const Selection &selection = options.selection;
  Summary summary;
  summary.session = reader.session();
  summary.path = reader.path().string();
  summary.selection = selection;
  JITSCOPE_TRY(summary.only, describeSelection(reader, selection));
  JITSCOPE_TRY(summary.parts, reader.mergedParts());
  JITSCOPE_TRY(const std::vector<CallGroup> groups, readCallGroups(reader.database(), selection));
  summary.outcomes = summarizeOutcomes(groups);
  for (const OutcomeSummary &entry : summary.outcomes) {
    summary.calls += entry.count;
  }
  JITSCOPE_TRY(const CompileTotals compiles, readCompileTotals(reader, selection));
  summary.compiles = compiles.compiles;
  summary.compileTimes = compiles.times;
  JITSCOPE_TRY(summary.misses, readMisses(reader, selection, {.limit = options.misses}));
  JITSCOPE_TRY(summary.sections, readSections(reader, selection, groups));
  JITSCOPE_TRY(summary.retrievals, readRetrievals(reader, selection));
  JITSCOPE_TRY(summary.functions, readFunctions(reader, selection));
  JITSCOPE_TRY(summary.storms, readStorms(reader, selection, summary.functions));
  JITSCOPE_TRY(summary.cases, readCases(reader, groups));
  JITSCOPE_TRY(summary.memory, readMemory(reader, selection));
  JITSCOPE_TRY(summary.evictions, readEvictions(reader, selection));
  JITSCOPE_TRY(summary.expectations, reader.expectations());
  summary.expectationsFailed =
      static_cast<std::uint64_t>(std::ranges::count(summary.expectations, false, &event::ExpectationEvent::passed));
  JITSCOPE_TRY(summary.warnings, readWarnings(reader, options.warnings));
  JITSCOPE_TRY(summary.optimizer, summarizeOptimizer(reader, selection));
  if (selection.isEmpty()) {
    std::vector<LegStatistics> legs;
    for (const CaseSummary &entry : summary.cases) {
      legs.insert(legs.end(), entry.legs.begin(), entry.legs.end());
    }
    JITSCOPE_TRY(summary.findings, readFindings(reader, groups, legs));
  }
  return summary;
}

} // namespace

base::Result<Summary> summarize(SessionReader &reader, const SummaryOptions &options) {
  return base::within(summarizeState(reader, options), fmt::format("while summarizing \"{}\"", reader.path().string()));
}

} // namespace jitscope::analysis
