// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/timing.h"

#include <algorithm>

namespace jitscope::analysis {

Timing timingOf(std::vector<double> measurementsNs) {
  if (measurementsNs.empty()) {
    return {};
  }
  std::ranges::sort(measurementsNs);
  const std::size_t middle = measurementsNs.size() / 2;
  const double upper = measurementsNs[middle];
  const double lower = measurementsNs.size() % 2 == 0 ? measurementsNs[middle - 1] : upper;
  return {measurementsNs.size(), (lower + upper) / 2, measurementsNs.front(), measurementsNs.back()};
}

} // namespace jitscope::analysis
