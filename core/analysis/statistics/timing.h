// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace jitscope::analysis {

/// A few measurements of one thing, in nanoseconds. Everything is 0 for none.
struct Timing {
  std::uint64_t sampleSize = 0;
  double medianNs = 0;
  double minimumNs = 0;
  double maximumNs = 0;
  double deviationNs = 0; ///< median of the distances from the median, which a few outliers leave as it is

  /// The deviation as a share of the median: what "±" says.
  [[nodiscard]] double spread() const { return medianNs > 0 ? deviationNs / medianNs : 0; }
};

/// The median of an even number is the mean of the two in the middle.
[[nodiscard]] Timing timingOf(std::vector<double> measurementsNs);

} // namespace jitscope::analysis
