// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"

#include "analysis/query/each_row.h"
#include "analysis/query/selection_text.h"
#include "base/try.h"
#include "event/compile_cost.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Database;
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

std::vector<OutcomeSummary> summarizeOutcomes(const std::vector<CallGroup> &groups) {
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

CompileTimes readTimes(const Statement &row, int firstColumn) {
  return {row.unsignedInteger(firstColumn),     row.unsignedInteger(firstColumn + 1), row.unsignedInteger(firstColumn + 2),
          row.unsignedInteger(firstColumn + 3), row.unsignedInteger(firstColumn + 4), row.unsignedInteger(firstColumn + 5)};
}

/// Fills a summary part by part; each part reads what it needs.
class Summarizer {
public:
  Summarizer(SessionReader &reader, const SummaryOptions &options) : m_reader(reader), m_options(options) {}

  base::Result<Summary> run();

private:
  base::Result<void> addCalls();
  base::Result<void> addCompiles();
  base::Result<void> addMisses();
  base::Result<void> addSections();
  base::Result<void> addRetrievals();
  base::Result<void> addFunctions();
  base::Result<void> addCases();
  base::Result<void> addMemory();
  base::Result<void> addEvictions();
  base::Result<void> addExpectations();
  base::Result<void> addWarnings();
  base::Result<void> addOptimizer();
  Database &database() { return m_reader.database(); }

  SessionReader &m_reader;
  const SummaryOptions &m_options;
  std::vector<CallGroup> m_groups;
  Summary m_summary;
};

base::Result<void> Summarizer::addCalls() {
  JITSCOPE_TRY(std::vector<CallGroup> groups, readCallGroups(database(), m_options.selection));
  m_groups = std::move(groups);
  for (const CallGroup &group : m_groups) {
    m_summary.calls += group.totalsNs.size();
  }
  m_summary.outcomes = summarizeOutcomes(m_groups);
  return {};
}

base::Result<void> Summarizer::addCompiles() {
  return eachRow(database(),
                 "SELECT count(*), sum(trace_ns), sum(lower_ns), sum(optimize_ns), sum(codegen_ns), sum(link_ns), sum(total_ns) "
                 "FROM compile c WHERE c.study_id IS NULL AND " +
                     compileCondition(m_options.selection, "c"),
                 [this](const Statement &row) {
                   m_summary.compiles = row.unsignedInteger(0);
                   m_summary.compileTimes = readTimes(row, 1);
                 });
}

base::Result<void> Summarizer::addMisses() {
  const std::string sql = fmt::format(
      "SELECT c.id, c.call_id, c.template_id, f.name, f.line, f.eager, t.signature, c.pipeline, s.name, c.reason, n.signature, "
      "c.difference, r.lookup_ns + coalesce(r.wait_ns, 0) + coalesce(r.compile_ns, 0) + r.execute_ns, c.code_bytes, c.process, "
      "c.trace_ns, c.lower_ns, c.optimize_ns, c.codegen_ns, c.link_ns, c.total_ns, "
      "coalesce(x.section_id, y.section_id) FROM compile c LEFT JOIN study y ON y.id = c.study_id LEFT JOIN template t ON t.id = "
      "c.template_id "
      "LEFT JOIN function f ON f.id = coalesce(t.function_id, y.function_id) "
      "LEFT JOIN template n ON n.id = c.nearest_template_id LEFT JOIN call_record r ON r.id = c.call_id "
      "LEFT JOIN call_context x ON x.id = r.context_id LEFT JOIN section s ON s.id = coalesce(x.section_id, y.section_id) "
      "WHERE {} AND {} ORDER BY c.total_ns DESC, c.id LIMIT {}",
      m_options.withStudies ? "c.repetition = 0" : "c.study_id IS NULL", compileCondition(m_options.selection, "c"),
      m_options.misses);
  return eachRow(database(), sql, [this](const Statement &row) {
    MissSummary &miss = m_summary.misses.emplace_back();
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
  });
}

base::Result<void> Summarizer::addSections() {
  JITSCOPE_TRY(std::vector<event::SectionEvent> sections, m_reader.sections());
  std::map<base::SectionId, SectionSummary> byId;
  for (const event::SectionEvent &section : sections) {
    SectionSummary &summary = byId[section.id];
    summary.id = section.id;
    summary.name = section.name;
    summary.startNs = section.startNs;
  }
  for (const CallGroup &group : m_groups) {
    SectionSummary &summary = byId[group.sectionId];
    summary.id = group.sectionId;
    summary.calls += group.totalsNs.size();
    summary.callNs += group.sumNs;
    summary.outcomes.add(group.outcome, group.totalsNs.size());
  }
  base::Result<void> read = eachRow(database(),
                                    "SELECT x.section_id, count(*), sum(c.total_ns) FROM compile c JOIN call_record r ON r.id = "
                                    "c.call_id JOIN call_context x ON x.id = r.context_id WHERE " +
                                        compileCondition(m_options.selection, "c") + " GROUP BY x.section_id",
                                    [&byId](const Statement &row) {
                                      const base::SectionId id(row.number(0));
                                      SectionSummary &summary = byId[id];
                                      summary.id = id;
                                      summary.compiles = row.unsignedInteger(1);
                                      summary.compileNs = row.unsignedInteger(2);
                                    });
  const bool everything = m_options.selection.isEmpty();
  for (auto &[id, summary] : byId) {
    if (everything || summary.calls > 0) {
      m_summary.sections.push_back(std::move(summary));
    }
  }
  return read;
}

base::Result<void> Summarizer::addRetrievals() {
  return eachRow(database(),
                 "SELECT outcome, reason, count(*), sum(trace_ns), sum(load_ns) FROM retrieval r WHERE " +
                     retrievalCondition(m_options.selection, "r") +
                     " GROUP BY outcome, reason "
                     "ORDER BY outcome, reason",
                 [this](const Statement &row) {
                   RetrievalSummary &entry = m_summary.retrievals.emplace_back();
                   entry.outcome = event::outcomeFromName(row.text(0)).value_or(event::Outcome::Retrace);
                   entry.reason = event::missReasonFromName(row.text(1)).value_or(event::MissReason::NewFunction);
                   entry.count = row.unsignedInteger(2);
                   entry.traceNs = row.unsignedInteger(3);
                   entry.loadNs = row.unsignedInteger(4);
                 });
}

base::Result<void> Summarizer::addFunctions() {
  std::vector<TemplateCalls> calls;
  calls.reserve(m_groups.size());
  for (const CallGroup &group : m_groups) {
    calls.push_back({group.templateId, group.outcome, group.totalsNs.size(), group.sumNs});
  }
  JITSCOPE_TRY(std::vector<FunctionSummary> functions, summarizeFunctions(m_reader, m_options.selection, calls));
  m_summary.functions = std::move(functions);
  JITSCOPE_TRY(m_summary.storms, readStorms(m_reader, m_options.selection, m_summary.functions));
  return {};
}

base::Result<void> Summarizer::addCases() {
  JITSCOPE_TRY(std::vector<event::BenchCaseEvent> cases, m_reader.benchCases());
  std::unordered_map<base::FunctionId, std::string> names;
  for (const FunctionSummary &function : m_summary.functions) {
    names.emplace(function.id, function.name);
  }
  JITSCOPE_TRY(const std::vector<LegStatistics> legs, legStatistics(m_reader, m_groups));
  for (event::BenchCaseEvent &bench : cases) {
    CaseSummary summary;
    for (const LegStatistics &leg : legs) {
      if (leg.caseId == bench.id) {
        summary.legs.push_back(leg);
      }
    }
    if (!summary.legs.empty()) {
      summary.functionName = names[bench.functionId];
      summary.bench = std::move(bench);
      m_summary.cases.push_back(std::move(summary));
    }
  }
  return {};
}

base::Result<void> Summarizer::addMemory() {
  return eachRow(database(),
                 "SELECT max(tensor_peak_bytes), max(cache_entries), max(cache_code_bytes) FROM memory WHERE " +
                     momentCondition(m_options.selection),
                 [this](const Statement &row) {
                   m_summary.memory = {row.unsignedInteger(0), row.unsignedInteger(1), row.unsignedInteger(2)};
                 });
}

base::Result<void> Summarizer::addEvictions() {
  return eachRow(database(),
                 "SELECT reason, count(*), sum(code_bytes) FROM eviction WHERE " + evictionCondition(m_options.selection) +
                     " GROUP BY reason ORDER BY reason",
                 [this](const Statement &row) {
                   m_summary.evictions.push_back(
                       {session::valueOf(row, 0, event::evictionReasonFromName, "is no reason of an eviction"),
                        row.unsignedInteger(1), row.unsignedInteger(2)});
                 });
}

base::Result<void> Summarizer::addExpectations() {
  JITSCOPE_TRY(std::vector<event::ExpectationEvent> expectations, m_reader.expectations());
  m_summary.expectations = std::move(expectations);
  m_summary.expectationsFailed = static_cast<std::uint64_t>(std::ranges::count_if(
      m_summary.expectations, [](const event::ExpectationEvent &expectation) { return !expectation.passed; }));
  return {};
}

base::Result<void> Summarizer::addWarnings() {
  const std::string sql = fmt::format(
      "SELECT at_ns, level, message FROM (SELECT rowid AS number, * FROM log WHERE level IN ('warning', 'error') ORDER BY "
      "level = 'error' DESC, at_ns, rowid LIMIT {}) ORDER BY at_ns, number",
      m_options.warnings);
  JITSCOPE_TRY_VOID(
      eachRow(database(), "SELECT sum(level = 'warning'), sum(level = 'error') FROM log", [this](const Statement &row) {
        m_summary.moreWarnings = row.unsignedInteger(0);
        m_summary.moreErrors = row.unsignedInteger(1);
      }));
  return eachRow(database(), sql, [this](const Statement &row) {
    m_summary.warnings.push_back({row.unsignedInteger(0), event::logLevelFromName(row.text(1)).value_or(event::LogLevel::Warning),
                                  std::string(row.text(2))});
    --(m_summary.warnings.back().level == event::LogLevel::Error ? m_summary.moreErrors : m_summary.moreWarnings);
  });
}

base::Result<void> Summarizer::addOptimizer() {
  JITSCOPE_TRY(OptimizerSummary optimizer, summarizeOptimizer(m_reader, m_options.selection));
  m_summary.optimizer = std::move(optimizer);
  return {};
}

base::Result<Summary> Summarizer::run() {
  JITSCOPE_TRY_VOID(m_reader.snapshot());
  m_summary.session = m_reader.session();
  m_summary.path = m_reader.path().string();
  m_summary.selection = m_options.selection;
  JITSCOPE_TRY(std::vector<std::string> only, describeSelection(m_reader, m_options.selection));
  m_summary.only = std::move(only);
  JITSCOPE_TRY(std::vector<session::MergedPart> parts, m_reader.mergedParts());
  m_summary.parts = std::move(parts);
  using Part = base::Result<void> (Summarizer::*)();
  // Calls before what is derived from them; functions before cases, which name them.
  constexpr std::array<Part, 12> kParts{&Summarizer::addCalls,        &Summarizer::addCompiles,   &Summarizer::addMisses,
                                        &Summarizer::addSections,     &Summarizer::addRetrievals, &Summarizer::addFunctions,
                                        &Summarizer::addCases,        &Summarizer::addMemory,     &Summarizer::addEvictions,
                                        &Summarizer::addExpectations, &Summarizer::addWarnings,   &Summarizer::addOptimizer};
  for (const Part part : kParts) {
    JITSCOPE_TRY_VOID((this->*part)());
  }
  return std::move(m_summary);
}

} // namespace

base::Result<Summary> summarize(SessionReader &reader, const SummaryOptions &options) {
  base::Result<Summary> summary = Summarizer(reader, options).run();
  if (!summary) {
    return std::unexpected(std::move(summary.error()).within(fmt::format("while summarizing \"{}\"", reader.path().string())));
  }
  return summary;
}

} // namespace jitscope::analysis
