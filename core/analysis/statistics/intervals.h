// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// How far a statistic of samples may be from that of the process they were drawn from.
namespace jitscope::analysis {

/// The confidence of every interval that is shown.
inline constexpr double kConfidence = 0.95;

/// Both ends belong to it.
struct Interval {
  double lower = 0;
  double upper = 0;

  [[nodiscard]] bool contains(double value) const { return lower <= value && value <= upper; }
};

/// Which order statistics enclose a percentile, counted from 1.
struct OrderInterval {
  std::size_t lower = 0;
  std::size_t upper = 0;
};

/// The ranks l < u for which the percentile `p` (0 to 100) of any continuous distribution lies between the l-th and the u-th
/// smallest of `sampleSize` samples with at least this confidence, each side being missed with at most half of the rest. How many
/// samples lie below the percentile is binomial, so this is exact and assumes nothing of the distribution (David & Nagaraja, Order
/// Statistics, 7.1). Empty where there are too few samples for it: below 6 for the median, below 368 for the 99th percentile.
std::optional<OrderInterval> percentileRanks(std::size_t sampleSize, double p, double confidence = kConfidence);

/// The same as values of ascending samples.
std::optional<Interval> percentileInterval(std::span<const std::uint64_t> ascending, double p, double confidence = kConfidence);

/// Student's interval of a mean from the average, the sample standard deviation and the number of samples; empty below two of them.
std::optional<Interval> meanInterval(double average, double deviation, std::size_t sampleSize, double confidence = kConfidence);

} // namespace jitscope::analysis
