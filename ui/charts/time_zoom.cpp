// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_zoom.h"

#include <algorithm>
#include <cmath>

namespace jitscope::charts {

namespace {

using analysis::TimeRange;

/// A range of `length` that begins at `from`, pushed into the limits; never longer than they are.
TimeRange placed(double from, double length, TimeRange limits) {
  const auto least = static_cast<double>(limits.fromNs);
  const auto most = static_cast<double>(std::max(limits.toNs, limits.fromNs + kShortestRangeNs));
  const double held = std::clamp(length, static_cast<double>(kShortestRangeNs), most - least);
  const double start = std::clamp(from, least, most - held);
  return {static_cast<std::uint64_t>(std::llround(start)), static_cast<std::uint64_t>(std::llround(start + held))};
}

} // namespace

TimeRange zoomed(TimeRange range, double factor, double anchorNs, TimeRange limits) {
  const auto from = static_cast<double>(range.fromNs);
  const double length = std::max(static_cast<double>(range.lengthNs()), 1.0);
  const double longest = static_cast<double>(std::max(limits.lengthNs(), kShortestRangeNs));
  const double wanted = std::clamp(length * factor, static_cast<double>(kShortestRangeNs), longest);
  const double share = std::clamp((anchorNs - from) / length, 0.0, 1.0);
  return placed(from + share * length - share * wanted, wanted, limits);
}

TimeRange panned(TimeRange range, double share, TimeRange limits) {
  const auto length = static_cast<double>(range.lengthNs());
  return placed(static_cast<double>(range.fromNs) + share * length, length, limits);
}

TimeRange padded(TimeRange range, double share, TimeRange limits) {
  const auto length = static_cast<double>(range.lengthNs());
  return placed(static_cast<double>(range.fromNs) - share * length, length * (1 + 2 * share), limits);
}

} // namespace jitscope::charts
