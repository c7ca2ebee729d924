// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/statistics.h"

#include <boost/math/statistics/univariate_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace jitscope::analysis {

namespace {

std::optional<std::uint64_t> modeOf(std::span<const std::uint64_t> ascending) {
  std::optional<std::uint64_t> mode;
  std::size_t longest = 1;
  for (std::size_t begin = 0; begin < ascending.size();) {
    std::size_t end = begin + 1;
    while (end < ascending.size() && ascending[end] == ascending[begin]) {
      ++end;
    }
    if (end - begin > longest) {
      longest = end - begin;
      mode = ascending[begin];
    }
    begin = end;
  }
  return mode;
}

} // namespace

Statistics describe(std::span<const std::uint64_t> samples) {
  Statistics result;
  result.sampleSize = samples.size();
  if (samples.empty()) {
    return result;
  }
  result.first = samples.front();
  std::vector<std::uint64_t> ascending(samples.begin(), samples.end());
  std::ranges::sort(ascending);

  // Counted from the smallest, which is exact: an hour give or take a microsecond leaves a double too few digits for its square.
  std::vector<double> excess(ascending.size());
  std::ranges::transform(ascending, excess.begin(),
                         [&](std::uint64_t sample) { return static_cast<double>(sample - ascending.front()); });
  result.average = static_cast<double>(ascending.front()) + boost::math::statistics::mean(excess);
  if (samples.size() > 1) {
    result.deviation = std::sqrt(boost::math::statistics::sample_variance(excess));
  }
  if (result.average > 0) {
    constexpr double kNsPerSecond = 1e9;
    result.deviationRatio = result.deviation / result.average;
    result.perSecond = kNsPerSecond / result.average;
  }
  result.minimum = ascending.front();
  result.maximum = ascending.back();
  result.median = percentile(ascending, 50);
  result.p25 = percentile(ascending, 25);
  result.p75 = percentile(ascending, 75);
  result.p90 = percentile(ascending, 90);
  result.p95 = percentile(ascending, 95);
  result.p99 = percentile(ascending, 99);
  result.mode = modeOf(ascending);
  result.averageInterval = meanInterval(result.average, result.deviation, samples.size());
  result.medianInterval = percentileInterval(ascending, 50);
  result.p90Interval = percentileInterval(ascending, 90);
  result.p95Interval = percentileInterval(ascending, 95);
  result.p99Interval = percentileInterval(ascending, 99);

  constexpr double kFence = 1.5;
  const double reach = kFence * (result.p75 - result.p25);
  const auto isLow = [&](std::uint64_t sample) { return static_cast<double>(sample) < result.p25 - reach; };
  const auto isHigh = [&](std::uint64_t sample) { return static_cast<double>(sample) > result.p75 + reach; };
  result.lowOutliers = static_cast<std::uint64_t>(std::ranges::count_if(ascending, isLow));
  result.highOutliers = static_cast<std::uint64_t>(std::ranges::count_if(ascending, isHigh));
  return result;
}

} // namespace jitscope::analysis
