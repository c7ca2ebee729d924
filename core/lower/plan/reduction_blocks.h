// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

#include <cstdint>
#include <vector>

namespace jitscope::lower {

/// Elements of a block: enough to be worth a vector loop, few enough to stay in the nearest cache.
inline constexpr std::int64_t kReductionBlock = 512;

/// How the reductions of one step take their elements. One by one, all reductions at once, is the rule. But what has to go in order
/// keeps its whole loop from being vectorized: a sum of floats the library functions beside it, argmax its comparisons. There the
/// innermost reduced axes are cut into blocks, and on each block everything has a loop of its own.
struct BlockPlan {
  bool inBlocks = false;
  /// Operands that are computed into memory before they are reduced; the others are in memory already or cheap to compute.
  std::vector<graph::NodeIndex> stored;
};

/// Decides it for a step whose innermost reduced axes are `innermost`.
BlockPlan planBlocks(const Emission &emission, const Step &step, AxisRange innermost);

} // namespace jitscope::lower
