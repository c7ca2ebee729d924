// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Whether two sets of samples differ by more than chance.
namespace jitscope::analysis {

/// What the test of Mann and Whitney (Wilcoxon's rank sum test) found.
struct RankTest {
  /// Pairs in which the first set's sample is the larger, ties as half a pair: R's W.
  double u = 0;
  /// The probability of a `u` this far from the middle, to either side, if both sets were drawn alike. 1 where one set is empty or
  /// all samples are equal.
  double pValue = 1;
  bool isExact = false; ///< by counting; else by the normal approximation

  /// The share of pairs in which the second set's sample is the larger: 0.5 where none is.
  double secondIsLarger = 0.5;
};

/// Mann-Whitney U, two-sided, of ascending samples. As R's wilcox.test: exact for fewer than 50 samples each without ties
/// (Mann & Whitney 1947), else by the normal approximation with corrections for ties and continuity. Linear in the samples.
RankTest mannWhitney(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second);

/// p-values adjusted for there being several of them (Holm 1979), in the order given: each may be held against the level of the
/// whole family. As R's p.adjust.
std::vector<double> holm(std::span<const double> pValues);

/// "0.012"; "<0.001" below what three decimals show.
[[nodiscard]] std::string pValueText(double p);

} // namespace jitscope::analysis
