// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/case_comparison.h"

#include "analysis/summary.h"

#include <algorithm>
#include <array>

namespace jitscope::analysis {

namespace {

/// Where the lines of this bench, input and leg go.
CaseComparison &comparisonFor(std::vector<CaseComparison> &all, const CaseSummary &entry, event::Leg leg) {
  const auto found = std::ranges::find_if(all, [&](const CaseComparison &known) {
    return known.bench == entry.bench.bench && known.input == entry.bench.input && known.leg == leg;
  });
  return found != all.end() ? *found : all.emplace_back(CaseComparison{entry.bench.bench, entry.bench.input, leg, {}});
}

} // namespace

std::vector<CaseComparison> compareCases(std::span<const CaseSummary> cases) {
  std::vector<CaseComparison> result;
  constexpr std::array kLegs{event::Leg::Warm, event::Leg::Cold, event::Leg::None};
  for (const CaseSummary &entry : cases) {
    for (const event::Leg wanted : kLegs) {
      for (const LegStatistics &leg : entry.legs) {
        if (leg.leg == wanted && leg.times.average > 0) {
          comparisonFor(result, entry, wanted).lines.push_back({&entry, &leg});
        }
      }
    }
  }
  std::erase_if(result, [](const CaseComparison &comparison) { return comparison.lines.size() < 2; });
  std::ranges::stable_sort(result, {}, &CaseComparison::bench);
  for (CaseComparison &comparison : result) {
    std::ranges::stable_sort(comparison.lines, {}, [](const ComparisonLine &line) { return line.leg->times.average; });
    const double fastest = comparison.lines.front().leg->times.average;
    for (ComparisonLine &line : comparison.lines) {
      line.times = line.leg->times.average / fastest;
      line.moreNs = line.leg->times.average - fastest;
    }
  }
  return result;
}

} // namespace jitscope::analysis
