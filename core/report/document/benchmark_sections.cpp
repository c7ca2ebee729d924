// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/benchmark_sections.h"

#include "analysis/compare/case_comparison.h"
#include "base/units.h"
#include "report/document/bench_text.h"
#include "report/document/section_context.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

using analysis::CaseSummary;
using analysis::LegStatistics;
using analysis::Statistics;
using Cells = std::vector<DocumentCell>;

/// A table with a row for each leg of each case of a bench.
template <typename RowOf>
DocumentTable legTable(const analysis::Summary &summary, std::uint32_t bench, std::vector<DocumentColumn> columns,
                       const RowOf &rowOf) {
  DocumentTable table;
  table.columns = {{"Name", false, 12, ColumnLayout::Grouped}, {"Leg", false}};
  std::ranges::move(columns, std::back_inserter(table.columns));
  for (const CaseSummary &entry : summary.cases) {
    for (const LegStatistics &leg : entry.legs) {
      if (entry.bench.bench == bench) {
        Cells &cells = table.rows.emplace_back(Cells{caseName(entry.bench), legName(leg.leg)});
        std::ranges::move(rowOf(leg), std::back_inserter(cells));
      }
    }
  }
  return table;
}

DocumentTable timesTable(const analysis::Summary &summary, std::uint32_t bench) {
  return legTable(summary, bench, {{"ips"}, {"Average"}, {"Deviation"}, {"Median"}, {"99th %"}, {"Maximum"}, {"Samples"}},
                  [](const LegStatistics &leg) {
                    const Statistics &times = leg.times;
                    return Cells{base::formatRate(times.perSecond),   base::formatDuration(times.average),
                                 deviationText(times.deviationRatio), base::formatDuration(times.median),
                                 base::formatDuration(times.p99),     base::formatNs(times.maximum),
                                 base::formatCount(times.sampleSize)};
                  });
}

/// What an average hides: how it began, the longest, what was compiled and what lies far out.
DocumentTable extremesTable(const analysis::Summary &summary, std::uint32_t bench) {
  return legTable(summary, bench,
                  {{"First"}, {"served by", false}, {"Longest"}, {"is sample"}, {"served by", false}, {"Compiled"}, {"Outliers"}},
                  [](const LegStatistics &leg) {
                    const std::uint64_t paid = leg.outcomes.paidForCompile();
                    return Cells{firstText(leg),
                                 {firstOutcomeText(leg), leg.hasFirst() ? toneOf(leg.firstOutcome) : Tone::Plain},
                                 base::formatNs(leg.longest.totalNs),
                                 base::formatCount(leg.longest.sampleNumber),
                                 {std::string(nameOf(leg.longestOutcome)), toneOf(leg.longestOutcome)},
                                 {base::formatCount(paid), paid > 0 ? Tone::Notable : Tone::Plain},
                                 base::formatCount(leg.times.outliers())};
                  });
}

/// What Benchee calls extended statistics, and how sure the others are.
DocumentTable extendedTable(const analysis::Summary &summary, std::uint32_t bench) {
  return legTable(
      summary, bench, {{"Minimum"}, {"Maximum"}, {"Sample size"}, {"Mode"}, {"Average, 95 %"}, {"Median, 95 %"}, {"99th %, 95 %"}},
      [](const LegStatistics &leg) {
        const Statistics &times = leg.times;
        return Cells{base::formatNs(times.minimum),       base::formatNs(times.maximum),
                     base::formatCount(times.sampleSize), times.mode ? base::formatNs(*times.mode) : std::string("none"),
                     intervalText(times.averageInterval), intervalText(times.medianInterval),
                     intervalText(times.p99Interval)};
      });
}

DocumentTable comparisonTable(const analysis::CaseComparison &comparison) {
  DocumentTable table;
  table.columns = {{comparisonTitle(comparison), false, 12}, {"ips"}, {"", false}};
  for (const analysis::ComparisonLine &line : comparison.lines) {
    table.rows.push_back({line.bench->bench.name, base::formatRate(line.leg->times.perSecond), slowerText(line)});
  }
  return table;
}

/// What there is to know of the whole bench and of single legs.
DocumentList notesList(const analysis::Summary &summary, std::uint32_t bench) {
  DocumentList list;
  for (const std::string &note : benchNotes(summary.cases, bench)) {
    list.items.emplace_back(note + ".", Tone::Dim);
  }
  for (const CaseSummary &entry : summary.cases) {
    for (const LegStatistics &leg : entry.legs) {
      for (const std::string &note : entry.bench.bench == bench ? legNotes(leg) : std::vector<std::string>()) {
        list.items.emplace_back(fmt::format("{}, {}: {}.", caseName(entry.bench), legName(leg.leg), note), Tone::Notable);
      }
    }
  }
  return list;
}

} // namespace

std::vector<DocumentSection> benchmarkSections(const SectionContext &context) {
  const analysis::Summary &summary = context.summary;
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
    for (const analysis::CaseComparison &comparison : comparisons) {
      if (comparison.bench == bench) {
        section.blocks.emplace_back(comparisonTable(comparison));
      }
    }
    section.blocks.emplace_back(extremesTable(summary, bench));
    if (context.options.density >= Density::Extended) {
      section.blocks.emplace_back(extendedTable(summary, bench));
    }
    if (DocumentList notes = notesList(summary, bench); !notes.items.empty()) {
      section.blocks.emplace_back(std::move(notes));
    }
  }
  return result;
}

} // namespace jitscope::report
