// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/rank_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace jitscope::analysis {

namespace {

/// One walk over both sets in the order of values.
struct Ranks {
  double u = 0;
  double tieTerm = 0; ///< sum of t^3 - t over the groups of t equal samples
};

Ranks rank(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second) {
  Ranks ranks;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() || j < second.size()) {
    const bool fromFirst = j == second.size() || (i < first.size() && first[i] <= second[j]);
    const std::uint64_t value = fromFirst ? first[i] : second[j];
    const std::size_t beforeI = i;
    const std::size_t beforeJ = j;
    while (i < first.size() && first[i] == value) {
      ++i;
    }
    while (j < second.size() && second[j] == value) {
      ++j;
    }
    const auto equalFirst = static_cast<double>(i - beforeI);
    const auto equalSecond = static_cast<double>(j - beforeJ);
    ranks.u += equalFirst * (static_cast<double>(beforeJ) + equalSecond / 2);
    const double tied = equalFirst + equalSecond;
    ranks.tieTerm += tied * tied * tied - tied;
  }
  return ranks;
}

/// P(U <= u) where U is how many pairs are larger in the first of two sets of these sizes without ties, every order being as
/// likely. The number of orders with U = k is that of partitions of k into at most m parts of at most n each.
double exactCumulative(std::size_t m, std::size_t n, std::size_t u) {
  const std::size_t most = m * n;
  // counts[j] is row j of the present i: orders of i and j samples by their U.
  std::vector<std::vector<double>> counts(n + 1, std::vector<double>(most + 1, 0.0));
  for (std::vector<double> &row : counts) {
    row[0] = 1;
  }
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      // The largest of all is of the first set, and larger than all j of the second, or it is of the second.
      for (std::size_t k = i * j + 1; k-- > 0;) {
        counts[j][k] = (k >= j ? counts[j][k - j] : 0.0) + counts[j - 1][k];
      }
    }
  }
  const std::vector<double> &orders = counts[n];
  const double all = std::accumulate(orders.begin(), orders.end(), 0.0);
  const auto end = orders.begin() + static_cast<std::ptrdiff_t>(std::min(u, most)) + 1;
  return std::accumulate(orders.begin(), end, 0.0) / all;
}

double exactPValue(std::size_t m, std::size_t n, double u) {
  // The distribution is symmetric: the nearer tail, twice.
  const double mirrored = std::min(u, static_cast<double>(m * n) - u);
  return std::min(1.0, 2 * exactCumulative(m, n, static_cast<std::size_t>(mirrored)));
}

double normalPValue(double m, double n, const Ranks &ranks) {
  const double both = m + n;
  const double variance = m * n / 12 * (both + 1 - ranks.tieTerm / (both * (both - 1)));
  if (!(variance > 0)) {
    return 1;
  }
  constexpr double kContinuity = 0.5;
  const double distance = std::max(0.0, std::abs(ranks.u - m * n / 2) - kContinuity);
  return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

} // namespace

RankTest mannWhitney(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second) {
  RankTest result;
  if (first.empty() || second.empty()) {
    return result;
  }
  const Ranks ranks = rank(first, second);
  constexpr std::size_t kExactBelow = 50;
  result.u = ranks.u;
  result.isExact = first.size() < kExactBelow && second.size() < kExactBelow && ranks.tieTerm == 0;
  const auto m = static_cast<double>(first.size());
  const auto n = static_cast<double>(second.size());
  result.secondIsLarger = 1 - ranks.u / (m * n);
  result.pValue = result.isExact ? exactPValue(first.size(), second.size(), ranks.u) : normalPValue(m, n, ranks);
  return result;
}

std::vector<double> holm(std::span<const double> pValues) {
  std::vector<std::size_t> order(pValues.size());
  // NOLINTNEXTLINE(modernize-use-ranges): the library of GCC 12 has no std::ranges::iota
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) { return pValues[left] < pValues[right]; });
  std::vector<double> adjusted(pValues.size());
  double reached = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    reached = std::max(reached, std::min(1.0, static_cast<double>(order.size() - i) * pValues[order[i]]));
    adjusted[order[i]] = reached;
  }
  return adjusted;
}

std::string pValueText(double p) { return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p); }

} // namespace jitscope::analysis
