// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jitscope::analysis {

struct CaseSummary;
struct LegStatistics;

/// One case beside the fastest of those it can be compared with.
struct ComparisonLine {
  const CaseSummary *bench = nullptr;
  const LegStatistics *leg = nullptr;
  double times = 1;  ///< its average / the fastest's: "1.23x slower"
  double moreNs = 0; ///< its average - the fastest's
};

/// Cases of one `bench`, on one input, in one leg: the fastest first, by average as Benchee does it.
struct CaseComparison {
  std::uint32_t bench = 0;
  std::string input;
  event::Leg leg = event::Leg::None;
  std::vector<ComparisonLine> lines; ///< at least two
};

/// All comparisons within a session's benchmarks: by bench, then in the order in which inputs occurred, warm legs before cold ones.
/// They refer to `cases`, which must outlive them.
[[nodiscard]] std::vector<CaseComparison> compareCases(std::span<const CaseSummary> cases);

} // namespace jitscope::analysis
