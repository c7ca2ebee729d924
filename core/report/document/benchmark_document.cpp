// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/session_document.h"

#include "analysis/compare/case_comparison.h"
#include "analysis/summary.h"
#include "base/units.h"
#include "report/render/bench_text.h"
#include "report/render/summary_text.h"

#include <fmt/format.h>

#include <set>

namespace jitscope::report {

namespace {

using analysis::CaseSummary;
using analysis::LegStatistics;

DocumentTable timesTable(const analysis::Summary &summary, std::uint32_t bench) {
  DocumentTable table;
  table.columns = {{"Name", false},  {"Leg", false}, {"ips"},     {"Average"}, {"Deviation"}, {"Median"},
                   {"Median, 95 %"}, {"99th %"},     {"Minimum"}, {"Maximum"}, {"Mode"},      {"Samples"}};
  for (const CaseSummary &entry : summary.cases) {
    for (const LegStatistics &leg : entry.legs) {
      if (entry.bench.bench != bench) {
        continue;
      }
      const analysis::Statistics &times = leg.times;
      table.rows.push_back({caseName(entry.bench), legName(leg.leg), base::formatRate(times.perSecond),
                            base::formatDuration(times.average), deviationText(times.deviationRatio),
                            base::formatDuration(times.median), intervalText(times.medianInterval), base::formatDuration(times.p99),
                            base::formatNs(times.minimum), base::formatNs(times.maximum),
                            times.mode ? base::formatNs(*times.mode) : std::string("none"), base::formatCount(times.sampleSize)});
    }
  }
  return table;
}

DocumentTable extremesTable(const analysis::Summary &summary, std::uint32_t bench) {
  DocumentTable table;
  table.columns = {{"Name", false}, {"Leg", false},       {"First"},    {"served by", false}, {"Longest"},
                   {"is sample"},   {"served by", false}, {"Compiled"}, {"Outliers"}};
  for (const CaseSummary &entry : summary.cases) {
    for (const LegStatistics &leg : entry.legs) {
      if (entry.bench.bench != bench) {
        continue;
      }
      table.rows.push_back({caseName(entry.bench),
                            legName(leg.leg),
                            firstText(leg),
                            {firstOutcomeText(leg), leg.hasFirst() ? toneOf(leg.firstOutcome) : Tone::Plain},
                            base::formatNs(leg.longest.totalNs),
                            base::formatCount(leg.longest.sampleNumber),
                            {std::string(nameOf(leg.longestOutcome)), toneOf(leg.longestOutcome)},
                            base::formatCount(leg.outcomes.paidForCompile()),
                            base::formatCount(leg.times.outliers())});
    }
  }
  return table;
}

DocumentList notesList(const analysis::Summary &summary, std::uint32_t bench) {
  DocumentList list;
  for (const std::string &note : benchNotes(summary.cases, bench)) {
    list.items.emplace_back(note + ".", Tone::Dim);
  }
  for (const CaseSummary &entry : summary.cases) {
    if (entry.bench.bench != bench) {
      continue;
    }
    for (const LegStatistics &leg : entry.legs) {
      for (const std::string &note : legNotes(leg)) {
        list.items.emplace_back(fmt::format("{}, {}: {}.", caseName(entry.bench), legName(leg.leg), note), Tone::Notable);
      }
    }
  }
  return list;
}

DocumentTable comparisonTable(const analysis::CaseComparison &comparison) {
  DocumentTable table;
  table.columns = {{comparisonTitle(comparison), false}, {"ips"}, {"", false}};
  for (const analysis::ComparisonLine &line : comparison.lines) {
    table.rows.push_back({line.bench->bench.name, base::formatRate(line.leg->times.perSecond), slowerText(line)});
  }
  return table;
}

} // namespace

std::vector<DocumentSection> benchmarkSections(const analysis::Summary &summary) {
  std::set<std::uint32_t> benches;
  for (const CaseSummary &entry : summary.cases) {
    benches.insert(entry.bench.bench);
  }
  const std::vector<analysis::CaseComparison> comparisons = analysis::compareCases(summary.cases);
  std::vector<DocumentSection> result;
  for (const std::uint32_t bench : benches) {
    DocumentSection &section = result.emplace_back();
    section.title = benchTitle(summary, bench, benches.size() == 1);
    section.blocks.emplace_back(timesTable(summary, bench));
    section.blocks.emplace_back(extremesTable(summary, bench));
    if (DocumentList notes = notesList(summary, bench); !notes.items.empty()) {
      section.blocks.emplace_back(std::move(notes));
    }
    for (const analysis::CaseComparison &comparison : comparisons) {
      if (comparison.bench == bench) {
        section.blocks.emplace_back(comparisonTable(comparison));
      }
    }
  }
  return result;
}

} // namespace jitscope::report
