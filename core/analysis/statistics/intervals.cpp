// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/intervals.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace jitscope::analysis {

namespace {

namespace policies = boost::math::policies;

/// Errors of the library come back as NaN: nothing here may throw. The quantile is the smallest count whose probability of not
/// being exceeded is at least the one asked for.
using Quiet =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>, policies::discrete_quantile<policies::integer_round_up>>;

} // namespace

std::optional<OrderInterval> percentileRanks(std::size_t sampleSize, double p, double confidence) {
  const double share = p / 100;
  if (sampleSize < 2 || !(share > 0 && share < 1) || !(confidence > 0 && confidence < 1)) {
    return std::nullopt;
  }
  const double missed = (1 - confidence) / 2;
  const boost::math::binomial_distribution<double, Quiet> below(static_cast<double>(sampleSize), share);
  const double lower = boost::math::quantile(below, missed);
  const double upper = boost::math::quantile(boost::math::complement(below, missed)) + 1;
  if (!(lower >= 1) || !(upper <= static_cast<double>(sampleSize))) {
    return std::nullopt;
  }
  return OrderInterval{static_cast<std::size_t>(lower), static_cast<std::size_t>(upper)};
}

std::optional<Interval> percentileInterval(std::span<const std::uint64_t> ascending, double p, double confidence) {
  const std::optional<OrderInterval> ranks = percentileRanks(ascending.size(), p, confidence);
  if (!ranks) {
    return std::nullopt;
  }
  return Interval{static_cast<double>(ascending[ranks->lower - 1]), static_cast<double>(ascending[ranks->upper - 1])};
}

std::optional<Interval> meanInterval(double average, double deviation, std::size_t sampleSize, double confidence) {
  if (sampleSize < 2 || !(confidence > 0 && confidence < 1)) {
    return std::nullopt;
  }
  const boost::math::students_t_distribution<double, Quiet> student(static_cast<double>(sampleSize - 1));
  const double reach = boost::math::quantile(boost::math::complement(student, (1 - confidence) / 2)) * deviation /
                       std::sqrt(static_cast<double>(sampleSize));
  return Interval{average - reach, average + reach};
}

} // namespace jitscope::analysis
