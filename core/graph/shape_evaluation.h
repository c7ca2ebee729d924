// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <span>

namespace jitscope::graph {

/// Where the sizes of a graph's nodes stand in the flat array that a rank-templated executable reads: node by node each size in
/// order, and after the own nodes a block of the same kind for every Call node's callee, in node order. Map callees are scalar and
/// need none.
struct SizeLayout {
  std::vector<std::uint32_t> nodeOffset;   ///< by node: index of its first size
  std::vector<std::uint32_t> calleeOffset; ///< by node: start of its callee's block; 0 for nodes that are no Call
  std::uint32_t total = 0;                 ///< entries of the whole block, callees included
};
SizeLayout sizeLayoutOf(const Graph &graph);

/// All sizes of one call, laid out as `sizeLayoutOf` says, from the actual shapes of the inputs. ScriptShape, naming the line,
/// where they do not fit after all.
base::Result<std::vector<std::int64_t>> evaluateShapes(const Graph &graph, std::span<const Shape> inputs);

} // namespace jitscope::graph
