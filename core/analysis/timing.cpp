// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/timing.h"

#include <algorithm>
#include <cmath>

namespace jitscope::analysis {

namespace {

/// Of values in their order, at least one.
double medianOf(const std::vector<double> &ascending) {
  const std::size_t middle = ascending.size() / 2;
  const double upper = ascending[middle];
  return ascending.size() % 2 == 0 ? (ascending[middle - 1] + upper) / 2 : upper;
}

} // namespace

Timing timingOf(std::vector<double> measurementsNs) {
  if (measurementsNs.empty()) {
    return {};
  }
  std::ranges::sort(measurementsNs);
  Timing timing{measurementsNs.size(), medianOf(measurementsNs), measurementsNs.front(), measurementsNs.back(), 0};
  for (double &measurement : measurementsNs) {
    measurement = std::abs(measurement - timing.medianNs);
  }
  std::ranges::sort(measurementsNs);
  timing.deviationNs = medianOf(measurementsNs);
  return timing;
}

} // namespace jitscope::analysis
