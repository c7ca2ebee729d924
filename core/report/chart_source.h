// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstdint>
#include <vector>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

/// The places of a report where drawings can stand, each at the head of the section of its name.
enum class ChartPlace : std::uint8_t {
  Outcomes,      ///< timeline of outcomes
  CompilePhases, ///< what compiles were made of
  Misses,        ///< the slowest ones
  Templates,     ///< with their misses and reasons
  Benchmarks,    ///< latency by percentile, cold and warm; run order
  Remarks,       ///< by kind
  Redundancy     ///< work that was done again
};

/// Draws the figures of a report. Implemented outside of core, which has no means to draw; reports do without if there is none.
class ChartSource {
public:
  virtual ~ChartSource() = default;
  /// The figures for a place, from none to several, each an SVG element of its own: no scripts, nothing that must be fetched, ids
  /// that no other figure has, and colours that can be read on light and dark pages.
  [[nodiscard]] virtual std::vector<DocumentFigure> figuresFor(ChartPlace place, const analysis::Summary &summary) const = 0;
};

} // namespace jitscope::report
