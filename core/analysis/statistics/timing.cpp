// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/timing.h"

#include "base/percentile.h"

#include <algorithm>
#include <cmath>

namespace jitscope::analysis {

Timing timingOf(std::vector<double> measurementsNs) {
  if (measurementsNs.empty()) {
    return {};
  }
  std::ranges::sort(measurementsNs);
  Timing timing{measurementsNs.size(), base::medianOf(measurementsNs), measurementsNs.front(), measurementsNs.back(), 0};
  for (double &measurement : measurementsNs) {
    measurement = std::abs(measurement - timing.medianNs);
  }
  std::ranges::sort(measurementsNs);
  timing.deviationNs = base::medianOf(measurementsNs);
  return timing;
}

} // namespace jitscope::analysis
