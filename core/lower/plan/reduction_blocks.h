// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

#include <cstdint>
#include <vector>

namespace jitscope::lower {

/// Elements of a block: enough to be worth a vector loop, few enough to stay in the nearest cache.
inline constexpr std::int64_t kReductionBlock = 512;

/// How the reductions of one step take their elements. Normally one loop takes the elements one by one for all reductions. But a
/// reduction with a fixed order keeps the whole loop scalar: a sum of floats, the library functions beside it, the comparisons of
/// argmax. In that case the innermost reduced axes are cut into blocks, and each part gets its own loop over a block.
struct BlockPlan {
  bool inBlocks = false;
  /// Operands that are computed into memory before they are reduced; the others are in memory already or cheap to compute.
  std::vector<graph::NodeIndex> stored;
};

/// Decides it for a step whose innermost reduced axes are `innermost`.
BlockPlan planBlocks(const Emission &emission, const Step &step, AxisRange innermost);

} // namespace jitscope::lower
