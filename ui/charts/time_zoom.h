// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"

namespace jitscope::charts {

/// The shortest range that a timeline shows, in nanoseconds.
inline constexpr std::uint64_t kShortestRangeNs = 1000;

/// `range` made `factor` times as long (below 1: zoomed in) so that `anchorNs` stays where it is, within `limits`.
[[nodiscard]] analysis::TimeRange zoomed(analysis::TimeRange range, double factor, double anchorNs, analysis::TimeRange limits);

/// `range` moved by a share of its length (above 0: later), within `limits`.
[[nodiscard]] analysis::TimeRange panned(analysis::TimeRange range, double share, analysis::TimeRange limits);

/// `range` with some room on both sides, within `limits`.
[[nodiscard]] analysis::TimeRange padded(analysis::TimeRange range, double share, analysis::TimeRange limits);

} // namespace jitscope::charts
