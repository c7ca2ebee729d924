// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/intervals.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jitscope::analysis {

/// How a percentile of resampled samples would be distributed: the chance of each of a run of order statistics.
struct BootstrapPercentile {
  std::size_t firstIndex = 0;  ///< of the first of them among the ascending samples
  std::vector<double> weights; ///< sums to 1
};

/// The distribution of percentile `p` (0 to 100) over all resamples of as many samples, without drawing any: an order statistic of
/// a resample is binomial in the samples below it, and between two ranks its continuation by the beta function is taken, as in the
/// estimator of Harrell & Davis (1982). Empty for no samples.
BootstrapPercentile bootstrapPercentile(std::size_t sampleSize, double p);

/// How much the median of a contender is of a base's.
struct MedianShift {
  double ratio = 1;       ///< contender's median / base's median
  Interval ratioInterval; ///< bootstrap percentile interval of it
  double differenceNs = 0;
};

/// The shift of the median from one set of ascending samples to another. Empty where either has none, or where the base's median
/// may be 0.
std::optional<MedianShift> medianShift(std::span<const std::uint64_t> base, std::span<const std::uint64_t> contender,
                                       double confidence = kConfidence);

/// How far the median of a part of the samples strays from that of all, as a share of the latter: the largest distance among the
/// medians of ten consecutive parts. What a machine's drift and bursts do to a median shows in it, and intervals, which take
/// samples to be independent, do not see that. `inOrder` are samples as they were taken; 0 below 20 of them or for a median of 0.
double medianNoise(std::span<const std::uint64_t> inOrder);

} // namespace jitscope::analysis
