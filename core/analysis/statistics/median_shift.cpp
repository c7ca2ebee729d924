// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/median_shift.h"

#include "analysis/statistics/statistics.h"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jitscope::analysis {

namespace {

namespace policies = boost::math::policies;

using QuietBeta = policies::policy<policies::domain_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                                   policies::evaluation_error<policies::ignore_error>, policies::promote_double<false>>;

constexpr double kHalf = 50;

/// Samples with their chances of being the median of a resample.
struct Atoms {
  std::span<const std::uint64_t> values; ///< ascending
  std::vector<double> cumulative;        ///< chance of this value or a smaller one
};

Atoms atomsOf(std::span<const std::uint64_t> ascending) {
  BootstrapPercentile median = bootstrapPercentile(ascending.size(), kHalf);
  Atoms atoms;
  atoms.values = ascending.subspan(median.firstIndex, median.weights.size());
  atoms.cumulative = std::move(median.weights);
  double sum = 0;
  for (double &weight : atoms.cumulative) {
    sum += weight;
    weight = sum;
  }
  return atoms;
}

/// P(contender <= ratio * base) of the two resampled medians.
double chanceWithin(const Atoms &base, const Atoms &contender, double ratio) {
  double chance = 0;
  double before = 0;
  std::size_t reached = 0;
  for (std::size_t i = 0; i < base.values.size(); ++i) {
    const double bound = ratio * static_cast<double>(base.values[i]);
    while (reached < contender.values.size() && static_cast<double>(contender.values[reached]) <= bound) {
      ++reached;
    }
    chance += (base.cumulative[i] - before) * (reached == 0 ? 0 : contender.cumulative[reached - 1]);
    before = base.cumulative[i];
  }
  return chance;
}

/// The smallest ratio that is not exceeded with this chance.
double ratioAt(const Atoms &base, const Atoms &contender, double chance) {
  constexpr double kSlack = 1e-9;
  double low = static_cast<double>(contender.values.front()) / static_cast<double>(base.values.back()) * (1 - kSlack);
  double high = static_cast<double>(contender.values.back()) / static_cast<double>(base.values.front()) * (1 + kSlack);
  constexpr double kPrecision = 1e-10;
  while (high - low > kPrecision * std::max(high, kPrecision)) {
    const double middle = low + (high - low) / 2;
    (chanceWithin(base, contender, middle) >= chance ? high : low) = middle;
  }
  return high;
}

} // namespace

BootstrapPercentile bootstrapPercentile(std::size_t sampleSize, double p) {
  BootstrapPercentile result;
  if (sampleSize == 0) {
    return result;
  }
  const auto size = static_cast<double>(sampleSize);
  const double share = std::clamp(p / 100, 0.0, 1.0);
  const double a = std::max(share * (size + 1), 1.0);
  const double b = std::max((1 - share) * (size + 1), 1.0);
  // Beyond nine deviations of the beta distribution nothing is left that a double could add.
  constexpr double kReach = 9;
  const double reach = kReach * std::sqrt(a * b / (a + b + 1)) / (a + b) * size + 2;
  const double first = std::max(0.0, std::floor(a / (a + b) * size - reach));
  const double last = std::min(size, std::ceil(a / (a + b) * size + reach));
  result.firstIndex = static_cast<std::size_t>(first);
  double before = 0;
  // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): ranks are whole numbers, and far from where doubles skip some
  for (double rank = first + 1; rank <= last; ++rank) {
    const double until = rank == last ? 1 : boost::math::ibeta(a, b, rank / size, QuietBeta());
    result.weights.push_back(until - before);
    before = until;
  }
  return result;
}

std::optional<MedianShift> medianShift(std::span<const std::uint64_t> base, std::span<const std::uint64_t> contender,
                                       double confidence) {
  if (base.empty() || contender.empty()) {
    return std::nullopt;
  }
  const Atoms baseAtoms = atomsOf(base);
  const Atoms contenderAtoms = atomsOf(contender);
  const double baseMedian = percentile(base, kHalf);
  if (baseAtoms.values.front() == 0 || !(baseMedian > 0)) {
    return std::nullopt;
  }
  const double contenderMedian = percentile(contender, kHalf);
  const double missed = (1 - confidence) / 2;
  MedianShift shift;
  shift.ratio = contenderMedian / baseMedian;
  shift.differenceNs = contenderMedian - baseMedian;
  shift.ratioInterval = {ratioAt(baseAtoms, contenderAtoms, missed), ratioAt(baseAtoms, contenderAtoms, 1 - missed)};
  return shift;
}

double medianNoise(std::span<const std::uint64_t> inOrder) {
  constexpr std::size_t kParts = 10;
  if (inOrder.size() < 2 * kParts) {
    return 0;
  }
  const auto medianOf = [](std::span<const std::uint64_t> samples) {
    std::vector<std::uint64_t> ascending(samples.begin(), samples.end());
    std::ranges::sort(ascending);
    return percentile(ascending, kHalf);
  };
  const double whole = medianOf(inOrder);
  if (!(whole > 0)) {
    return 0;
  }
  double farthest = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t begin = part * inOrder.size() / kParts;
    const std::size_t end = (part + 1) * inOrder.size() / kParts;
    farthest = std::max(farthest, std::abs(medianOf(inOrder.subspan(begin, end - begin)) - whole));
  }
  return farthest / whole;
}

} // namespace jitscope::analysis
