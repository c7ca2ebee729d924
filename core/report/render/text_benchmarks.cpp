// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the text report on benchmarks, laid out as Benchee's users know it.
#include "report/render/text_sections.h"

#include "analysis/compare/case_comparison.h"
#include "analysis/summary.h"
#include "base/units.h"
#include "report/render/bench_text.h"
#include "report/render/display_text.h"
#include "report/render/summary_text.h"
#include "report/render/text_table.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

using Align = TextTable::Align;
using analysis::CaseSummary;
using analysis::LegStatistics;

std::string caseText(const CaseSummary &entry) { return printable(caseName(entry.bench)); }

/// A table with one row for each leg of each case of a bench; the case's name stands in its first row.
class LegTable {
public:
  using Cells = std::vector<TextTable::Cell>;
  using RowOf = std::function<Cells(const LegStatistics &)>;

  explicit LegTable(std::vector<TextTable::Column> columns) : m_table(withNames(std::move(columns))) {}

  void fill(const TextContext &context, std::uint32_t bench, const RowOf &rowOf) {
    for (const CaseSummary &entry : context.summary.cases) {
      if (entry.bench.bench != bench) {
        continue;
      }
      bool isFirst = true;
      for (const LegStatistics &leg : entry.legs) {
        Cells cells = rowOf(leg);
        cells.insert(cells.begin(), {isFirst ? caseText(entry) : std::string(), legName(leg.leg)});
        m_table.addRow(std::move(cells));
        isFirst = false;
      }
    }
  }
  [[nodiscard]] std::string render(const TextContext &context) const {
    return m_table.render(context.style, context.options.width);
  }

private:
  static std::vector<TextTable::Column> withNames(std::vector<TextTable::Column> columns) {
    columns.insert(columns.begin(), {{"Name", Align::Left, 12}, {"Leg", Align::Left}});
    return columns;
  }
  TextTable m_table;
};

std::string timesTable(const TextContext &context, std::uint32_t bench) {
  LegTable table({{"ips"}, {"Average"}, {"Deviation"}, {"Median"}, {"99th %"}, {"Maximum"}, {"Samples"}});
  table.fill(context, bench, [](const LegStatistics &leg) {
    const analysis::Statistics &times = leg.times;
    return LegTable::Cells{base::formatRate(times.perSecond),   base::formatDuration(times.average),
                           deviationText(times.deviationRatio), base::formatDuration(times.median),
                           base::formatDuration(times.p99),     base::formatNs(times.maximum),
                           base::formatCount(times.sampleSize)};
  });
  return table.render(context);
}

/// What Benchee calls extended statistics, and how sure the others are.
std::string extendedTable(const TextContext &context, std::uint32_t bench) {
  LegTable sizes({{"Minimum"}, {"Maximum"}, {"Sample size"}, {"Mode"}, {"Average, 95 %"}, {"Median, 95 %"}, {"99th %, 95 %"}});
  sizes.fill(context, bench, [](const LegStatistics &leg) {
    const analysis::Statistics &times = leg.times;
    return LegTable::Cells{base::formatNs(times.minimum),       base::formatNs(times.maximum),
                           base::formatCount(times.sampleSize), times.mode ? base::formatNs(*times.mode) : std::string("none"),
                           intervalText(times.averageInterval), intervalText(times.medianInterval),
                           intervalText(times.p99Interval)};
  });
  return sizes.render(context);
}

/// What an average hides: how it began, the longest, what was compiled and what lies far out.
std::string extremesTable(const TextContext &context, std::uint32_t bench) {
  LegTable table(
      {{"First"}, {"served by", Align::Left}, {"Longest"}, {"is sample"}, {"served by", Align::Left}, {"Compiled"}, {"Outliers"}});
  table.fill(context, bench, [](const LegStatistics &leg) {
    const std::uint64_t paid = leg.outcomes.paidForCompile();
    return LegTable::Cells{firstText(leg),
                           {firstOutcomeText(leg), leg.hasFirst() ? toneOf(leg.firstOutcome) : Tone::Plain},
                           base::formatNs(leg.longest.totalNs),
                           base::formatCount(leg.longest.sampleNumber),
                           {std::string(nameOf(leg.longestOutcome)), toneOf(leg.longestOutcome)},
                           {base::formatCount(paid), paid > 0 ? Tone::Notable : Tone::Plain},
                           base::formatCount(leg.times.outliers())};
  });
  return table.render(context);
}

/// What is to be known of the whole bench and of single legs.
std::string notesText(const TextContext &context, std::uint32_t bench) {
  constexpr std::size_t kIndent = 4;
  std::string result;
  for (const std::string &note : benchNotes(context.summary.cases, bench)) {
    result += "  " + context.style.apply(note, Tone::Dim) + "\n";
  }
  for (const CaseSummary &entry : context.summary.cases) {
    for (const LegStatistics &leg : entry.legs) {
      const std::vector<std::string> notes = entry.bench.bench == bench ? legNotes(leg) : std::vector<std::string>();
      if (!notes.empty()) {
        result += fmt::format("  {}, {}\n", elide(caseText(entry), context.options.width / 2), legName(leg.leg));
      }
      for (const std::string &note : notes) {
        for (const std::string &line : wrap(note, context.options.width - kIndent)) {
          result += std::string(kIndent, ' ') + context.style.apply(line, Tone::Notable) + "\n";
        }
      }
    }
  }
  return result;
}

std::string comparisonTables(const TextContext &context, std::span<const analysis::CaseComparison> all, std::uint32_t bench) {
  std::string result;
  for (const analysis::CaseComparison &comparison : all) {
    if (comparison.bench != bench) {
      continue;
    }
    TextTable table({{printable(comparisonTitle(comparison)), Align::Left, 12}, {"ips"}, {"", Align::Left}});
    for (const analysis::ComparisonLine &line : comparison.lines) {
      table.addRow({printable(line.bench->bench.name), base::formatRate(line.leg->times.perSecond), slowerText(line)});
    }
    result += "\n" + table.render(context.style, context.options.width);
  }
  return result;
}

} // namespace

std::string caseSection(const TextContext &context) {
  std::set<std::uint32_t> benches;
  for (const CaseSummary &entry : context.summary.cases) {
    benches.insert(entry.bench.bench);
  }
  const std::vector<analysis::CaseComparison> comparisons = analysis::compareCases(context.summary.cases);
  std::string result;
  for (const std::uint32_t bench : benches) {
    const std::string title = benchTitle(context.summary, bench, benches.size() == 1);
    result += (result.empty() ? "" : "\n") + context.heading(printable(title)) + timesTable(context, bench);
    result += comparisonTables(context, comparisons, bench);
    result += "\n" + extremesTable(context, bench);
    if (context.options.extended) {
      result += "\n" + extendedTable(context, bench);
    }
    if (const std::string notes = notesText(context, bench); !notes.empty()) {
      result += "\n" + notes;
    }
  }
  return result;
}

} // namespace jitscope::report
