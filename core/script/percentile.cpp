// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/percentile.h"

#include <algorithm>
#include <cmath>

namespace jitscope::script {

std::vector<std::uint64_t> sortedTotals(std::span<const Sample> samples) {
  std::vector<std::uint64_t> totals(samples.size());
  std::ranges::transform(samples, totals.begin(), &Sample::totalNs);
  std::ranges::sort(totals);
  return totals;
}

double percentileOf(std::span<const std::uint64_t> sorted, double percent) {
  const double rank = percent / 100 * (static_cast<double>(sorted.size()) + 1);
  if (rank <= 1) {
    return static_cast<double>(sorted.front());
  }
  if (rank >= static_cast<double>(sorted.size())) {
    return static_cast<double>(sorted.back());
  }
  const double whole = std::floor(rank);
  const auto below = static_cast<double>(sorted[static_cast<std::size_t>(whole) - 1]);
  const auto above = static_cast<double>(sorted[static_cast<std::size_t>(whole)]);
  return below + (rank - whole) * (above - below);
}

} // namespace jitscope::script
