// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/intervals.h"
#include "base/percentile.h"

#include <cstdint>
#include <optional>
#include <span>

/// Statistics of durations as Benchee computes them, so that its users see their own numbers
/// (https://hexdocs.pm/statistex/Statistex.html).
namespace jitscope::analysis {

/// All in nanoseconds where nothing else is said. Everything is 0 for no samples.
struct Statistics {
  std::uint64_t sampleSize = 0;
  double average = 0;
  double deviation = 0;      ///< sample standard deviation, with n - 1; 0 for one sample
  double deviationRatio = 0; ///< deviation / average; 0 where the average is 0
  double perSecond = 0;      ///< iterations a second: 1e9 / average; 0 where the average is 0
  double median = 0;
  double p25 = 0;
  double p75 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  /// The most frequent value, the smallest of them where several are equally frequent; empty where no value occurs twice.
  std::optional<std::uint64_t> mode = {};
  std::uint64_t minimum = 0;
  std::uint64_t maximum = 0;
  std::uint64_t first = 0;        ///< the sample that was taken first
  std::uint64_t lowOutliers = 0;  ///< samples below p25 - 1.5 (p75 - p25)
  std::uint64_t highOutliers = 0; ///< samples above p75 + 1.5 (p75 - p25)
  /// Intervals of `kConfidence`; empty where there are too few samples for them.
  std::optional<Interval> averageInterval = {};
  std::optional<Interval> medianInterval = {};
  std::optional<Interval> p90Interval = {};
  std::optional<Interval> p95Interval = {};
  std::optional<Interval> p99Interval = {};

  [[nodiscard]] std::uint64_t outliers() const { return lowOutliers + highOutliers; }
};

using base::percentile;

/// Statistics of samples in the order in which they were taken. A million of them take about 0.1 s.
Statistics describe(std::span<const std::uint64_t> samples);

} // namespace jitscope::analysis
