// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/plan/fusion.h"

namespace jitscope::lower {

/// One piece of a function's code.
struct Step {
  enum class Kind : std::uint8_t {
    Scalar,    ///< a node of rank 0
    Loops,     ///< a cluster of elementwise nodes
    Reduction, ///< a cluster of reductions
    Concat,
    Dot,
    Call
  };
  Kind kind;
  std::uint32_t cluster;               ///< of Loops and Reduction
  std::vector<graph::NodeIndex> nodes; ///< what the step leaves behind: values of rank 0, or arrays in memory
};

/// The code of a function in the order of execution.
std::vector<Step> scheduleOf(const graph::Graph &graph, const FusionPlan &fusion);

/// The nodes in memory, inputs included, that `step` reads.
std::vector<graph::NodeIndex> memoryReadBy(const Step &step, const graph::Graph &graph, const FusionPlan &fusion);

/// Whether reductions of a cluster need their running values in memory, row by row, because a reduced axis is outside of an axis
/// that remains. Otherwise one register is enough.
bool accumulatesInMemory(const Cluster &cluster);

} // namespace jitscope::lower
