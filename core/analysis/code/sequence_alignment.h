// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::analysis {

/// Two positions that hold the same token, from 0.
struct Match {
  std::size_t left = 0;
  std::size_t right = 0;
};

/// Which tokens of two sequences correspond: matches rise on both sides.
struct Alignment {
  std::vector<Match> matches;
  /// The sequences were too long and too alike in themselves to search for the longest common subsequence everywhere: it is a
  /// common one, maybe not the longest.
  bool isCoarse = false;
};

/// A longest common subsequence (Wu, Manber, Myers, Miller 1990, by dtl). That takes time and memory in the product of the lengths
/// at worst, so long sequences are cut first at tokens that occur once on each side (as in patience diff), and where there are
/// none, in equal parts: a hundred thousand tokens take less than a second whatever they are.
[[nodiscard]] Alignment align(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right);

} // namespace jitscope::analysis
